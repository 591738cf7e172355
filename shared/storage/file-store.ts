import { promises as fs } from 'node:fs';
import { dirname, join } from 'node:path';
import { ArtifactError } from '../contracts/errors.ts';
import { keepPrivate } from './private-folder.ts';
import { assertByteRange, assertStoreKey, type ByteRange, notFound, type Pieces, type Store } from './store.ts';

/** Only the user who runs synthrisk may look: everything in a run is confidential until a person decides. */
const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** Where writes begin. Keys have no segment with a leading dot, so that no object can have this folder in its path. */
export const TEMPORARY = '.tmp';

/** Largest length of one read that Node accepts on every platform: 2^31 - 1 bytes. */
const READ_BYTES_MAX = 0x7fffffff;

/** What the file system says when nothing has a path: no entry, or a file where a folder would have to be. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR']);

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.has(error.code);
}

/** What Windows says of a file that somebody has open for a moment, such as a scanner for viruses; elsewhere nobody's is in the way. */
const TAKEN = new Set(process.platform === 'win32' ? ['EACCES', 'EBUSY', 'EPERM'] : []);

const TAKEN_TRIES = 20;
const TAKEN_MILLISECONDS = 100;

/** Does what needs a file that nobody has open, and waits for two seconds at most until it is free. */
async function whenFree(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!hasCode(error, TAKEN) || attempt === TAKEN_TRIES) throw error;
      await new Promise((done) => setTimeout(done, TAKEN_MILLISECONDS));
    }
  }
}

/** The promise's value, or null when the file system has nothing there. Other failures pass through. */
async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (hasCode(error, ABSENT)) return null;
    throw error;
  }
}

/**
 * A store in a folder: the object with key `keyPrefix + path` is the file `path` below `directory`. So a run's folder holds `plan.json`
 * where the key is `runs/<runId>/plan.json`.
 *
 * A put writes to a temporary name in `<directory>/.tmp/`, flushes it to the disk and renames it (with `ifAbsent`: links it, which fails
 * when the name is taken), so that a kill at any moment leaves the old object or the new one, and at worst a file in `.tmp`. Folders are
 * made as needed, readable by their owner alone (on Windows by {@link keepPrivate}). `ifAbsent` needs a file system with hard links. Files with a leading dot, and whatever is
 * neither file nor folder, are not listed.
 */
export class FileStore implements Store {
  readonly #directory: string;
  readonly #keyPrefix: string;
  /** Ends when nobody else can look, before the first object is there. */
  #private: Promise<void> | undefined;
  /** Ends with the last of the changes that were asked for. */
  #changes: Promise<void> = Promise.resolve();

  /** `directory` need not exist yet. `keyPrefix`, if any, is a key and a closing slash, as `runKeys().root`. */
  constructor(directory: string, keyPrefix = '') {
    if (keyPrefix !== '') {
      if (!keyPrefix.endsWith('/')) throw new RangeError(`The key prefix ${keyPrefix} must end in a slash`);
      assertStoreKey(keyPrefix.slice(0, -1));
    }
    this.#directory = directory;
    this.#keyPrefix = keyPrefix;
  }

  /** See `Store`. */
  async get(key: string, range?: ByteRange): Promise<Uint8Array> {
    if (range !== undefined) assertByteRange(range);
    const file = await orNull(fs.open(this.#path(key), 'r'));
    if (file === null) throw notFound(key);
    try {
      const status = await file.stat();
      if (!status.isFile()) throw notFound(key);
      const start = Math.min(range?.start ?? 0, status.size);
      const end = Math.min(range?.end ?? status.size, status.size);
      // An array of its own, not a slice of Node's pool: readers view it in place and hand it to threads.
      const bytes = new Uint8Array(end - start);
      let filled = 0;
      while (filled < bytes.length) {
        const length = Math.min(bytes.length - filled, READ_BYTES_MAX);
        const { bytesRead } = await file.read(bytes, filled, length, start + filled);
        if (bytesRead === 0) throw new ArtifactError('artifact-truncated', `${key} shrank while it was read`);
        filled += bytesRead;
      }
      return bytes;
    } finally {
      await file.close();
    }
  }

  /** See `Store`, and above for what a kill leaves. */
  async put(key: string, bytes: Uint8Array, options: { readonly ifAbsent?: boolean } = {}) {
    const path = this.#path(key);
    if (options.ifAbsent && (await this.head(key)) !== null) return 'present';
    return this.#written(path, [bytes], options.ifAbsent === true);
  }

  /** See `Store`, and above for what a kill leaves. */
  async putPieces(key: string, pieces: Pieces): Promise<void> {
    await this.#written(this.#path(key), pieces, false);
  }

  async #written(path: string, pieces: Pieces, ifAbsent: boolean): Promise<'written' | 'present'> {
    const temporaryDirectory = join(this.#directory, TEMPORARY);
    await fs.mkdir(temporaryDirectory, { recursive: true, mode: DIRECTORY_MODE });
    this.#private ??= keepPrivate(this.#directory);
    await this.#private;
    await fs.mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
    const temporaryPath = join(temporaryDirectory, globalThis.crypto.randomUUID());
    try {
      await fs.writeFile(temporaryPath, pieces, { flag: 'wx', mode: FILE_MODE, flush: true });
      if (!ifAbsent) {
        await whenFree(() => fs.rename(temporaryPath, path));
        return 'written';
      }
      try {
        await fs.link(temporaryPath, path);
        return 'written';
      } catch (error) {
        // Another writer was faster: its object stays.
        if (hasCode(error, new Set(['EEXIST']))) return 'present';
        throw error;
      }
    } finally {
      await fs.rm(temporaryPath, { force: true });
    }
  }

  /** See `Store`: of changes by this process, since one process at a time works on a folder. */
  change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void> {
    const changed = this.#changes.then(async () => {
      const made = make((await this.head(key)) === null ? null : await this.get(key));
      if (made !== null) await this.put(key, made);
    });
    // One that fails is its caller's to hear of, and keeps no other waiting.
    this.#changes = changed.catch(() => undefined);
    return changed;
  }

  /** See `Store`. */
  async list(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    const visit = async (path: string, keyRoot: string): Promise<void> => {
      const entries = (await orNull(fs.readdir(path, { withFileTypes: true }))) ?? [];
      for (const entry of entries) {
        if (entry.name.startsWith('.')) continue;
        const key = keyRoot + entry.name;
        if (entry.isFile() && key.startsWith(prefix)) keys.push(key);
        // Only folders that can hold such keys: those on the way to the prefix, and those below it.
        const root = `${key}/`;
        if (entry.isDirectory() && (root.startsWith(prefix) || prefix.startsWith(root))) {
          await visit(join(path, entry.name), root);
        }
      }
    };
    await visit(this.#directory, this.#keyPrefix);
    return keys.sort();
  }

  /** See `Store`. */
  async head(key: string): Promise<{ bytes: number } | null> {
    const status = await orNull(fs.stat(this.#path(key)));
    return status?.isFile() ? { bytes: status.size } : null;
  }

  /** Removes what killed writers left in `.tmp`. Only when no other writer is at work on this folder. */
  async removeTemporaryFiles(): Promise<void> {
    await fs.rm(join(this.#directory, TEMPORARY), { recursive: true, force: true });
  }

  #path(key: string): string {
    assertStoreKey(key);
    if (!key.startsWith(this.#keyPrefix)) {
      throw new RangeError(`The key ${JSON.stringify(key)} is not below ${JSON.stringify(this.#keyPrefix)}`);
    }
    return join(this.#directory, ...key.slice(this.#keyPrefix.length).split('/'));
  }
}
