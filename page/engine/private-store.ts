import { concatenated } from '../../shared/contracts/concatenated.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { assertByteRange, assertStoreKey, type ByteRange, notFound, type Pieces, type Store, whole } from '../../shared/storage/store.ts';

/** What of a browser's private files a page has: pages from a disk share them in Firefox, and have none in Chromium. */
const FOLDER = 'synthrisk';

/** Beside the objects, whose names have no dot in front: what a passphrase is salted with, and what only the right one opens. */
const [SALT, CHECK] = ['.salt', '.check'];

/** Rounds of SHA-256 between a passphrase and its key, as OWASP advises for PBKDF2 (2023). */
const ROUNDS = 600_000;

/** Bytes of AES-GCM beside those of an object: its nonce before, its tag behind. */
const [NONCE, TAG] = [12, 16];

const encode = (text: string) => new TextEncoder().encode(text);

/** The private files of the page's origin; null where a browser gives it none. */
export async function privateFiles(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await navigator.storage.getDirectory();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return null;
    throw error;
  }
}

/** Whether there is anything of this page among private files. */
export async function holdsPrivateStore(files: FileSystemDirectoryHandle): Promise<boolean> {
  for await (const name of files.keys()) if (name === FOLDER) return true;
  return false;
}

/** Removes all that this page has among private files. */
export async function clearPrivateStore(files: FileSystemDirectoryHandle): Promise<void> {
  if (await holdsPrivateStore(files)) await files.removeEntry(FOLDER, { recursive: true });
}

async function readFile(folder: FileSystemDirectoryHandle, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const file = await fileOf(folder, name);
  return file && new Uint8Array(await file.arrayBuffer());
}

async function fileOf(folder: FileSystemDirectoryHandle, name: string): Promise<File | null> {
  try {
    return await (await folder.getFileHandle(name)).getFile();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return null;
    throw error;
  }
}

/** Writes a file, which has its bytes at once and whole. */
async function writeFile(folder: FileSystemDirectoryHandle, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await stream.write(bytes);
  await stream.close();
}

async function keyOf(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', encode(passphrase), 'PBKDF2', false, ['deriveKey']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS };
  return crypto.subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/**
 * A store among the private files of a browser. Each object is encrypted (AES-GCM, with its name) by a key that a passphrase gives,
 * so that without it nothing on the disk can be read, a release key least of all. Names of objects and their sizes are not hidden.
 */
export class PrivateStore implements Store {
  readonly #folder: FileSystemDirectoryHandle;
  readonly #key: CryptoKey;
  /** What changes an object by what it is goes one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(folder: FileSystemDirectoryHandle, key: CryptoKey) {
    this.#folder = folder;
    this.#key = key;
  }

  /**
   * Opens what a passphrase has kept, or begins it.
   *
   * @throws InvalidConfigError `other-passphrase`
   */
  static async open(files: FileSystemDirectoryHandle, passphrase: string): Promise<PrivateStore> {
    const folder = await files.getDirectoryHandle(FOLDER, { create: true });
    const salt = await readFile(folder, SALT);
    if (salt !== null && salt.length > 0) {
      const store = new PrivateStore(folder, await keyOf(passphrase, salt));
      if ((await store.#read(CHECK)) !== null) return store;
    }
    const fresh = crypto.getRandomValues(new Uint8Array(16));
    await writeFile(folder, SALT, fresh);
    const store = new PrivateStore(folder, await keyOf(passphrase, fresh));
    await store.#write(CHECK, new Uint8Array(0));
    return store;
  }

  async #read(key: string): Promise<Uint8Array | null> {
    const found = await readFile(this.#folder, encodeURIComponent(key));
    // An empty file is one that has never been closed.
    if (found === null || found.length === 0) return null;
    const how = { name: 'AES-GCM', iv: found.subarray(0, NONCE), additionalData: encode(key) };
    try {
      return new Uint8Array(await crypto.subtle.decrypt(how, this.#key, found.subarray(NONCE)));
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'OperationError')) throw error;
      const message = `The private files of this browser were kept under another passphrase, or have been changed. Type the passphrase that they were kept under, or clear them.`;
      throw new InvalidConfigError('other-passphrase', message);
    }
  }

  async #write(key: string, bytes: Uint8Array): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE));
    const how = { name: 'AES-GCM', iv, additionalData: encode(key) };
    const sealed = await crypto.subtle.encrypt(how, this.#key, new Uint8Array(bytes));
    await writeFile(this.#folder, encodeURIComponent(key), concatenated([iv, new Uint8Array(sealed)]) as Uint8Array<ArrayBuffer>);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Decrypts the whole object for a part of it; see `Store`. */
  async get(key: string, range?: ByteRange): Promise<Uint8Array> {
    assertStoreKey(key);
    if (range !== undefined) assertByteRange(range);
    const bytes = await this.#read(key);
    if (bytes === null) throw notFound(key);
    return range === undefined ? bytes : bytes.slice(range.start, range.end);
  }

  /** See `Store`. */
  async put(key: string, bytes: Uint8Array, options: { readonly ifAbsent?: boolean } = {}): Promise<'written' | 'present'> {
    assertStoreKey(key);
    const own = new Uint8Array(bytes);
    const write = async () => {
      await this.#write(key, own);
      return 'written' as const;
    };
    if (!options.ifAbsent) return write();
    return this.#inTurn(async () => ((await this.head(key)) === null ? write() : 'present'));
  }

  /** Encrypts them as one; see `Store`. */
  async putPieces(key: string, pieces: Pieces): Promise<void> {
    await this.put(key, await whole(pieces));
  }

  /** See `Store`. */
  async change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void> {
    assertStoreKey(key);
    await this.#inTurn(async () => {
      const made = make(await this.#read(key));
      if (made !== null) await this.#write(key, made);
    });
  }

  /** See `Store`. */
  async list(prefix: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const name of this.#folder.keys()) {
      const key = decodeURIComponent(name);
      if (key.startsWith(prefix) && !key.startsWith('.') && (await this.head(key)) !== null) keys.push(key);
    }
    return keys.sort();
  }

  /** See `Store`. */
  async head(key: string): Promise<{ bytes: number } | null> {
    assertStoreKey(key);
    const file = await fileOf(this.#folder, encodeURIComponent(key));
    return file === null || file.size === 0 ? null : { bytes: file.size - NONCE - TAG };
  }
}
