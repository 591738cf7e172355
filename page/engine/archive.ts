import { type UnzipFileInfo, unzipSync, type Zippable, zipSync } from 'fflate';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { RunState } from '../../shared/contracts/run/run-state.ts';
import { parseRunState } from '../../shared/pipeline/life/finished-run.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { NamedFile } from './questions.ts';

/** A time within what archives can hold. */
const TIME = new Date(2000, 0, 1);

/** What an archive may hold, of which a tab has room for (bytes). */
const MOST_BYTES = 2 ** 31;

/** A path that a file of a run can have: no hidden file, nothing upwards. */
const PATH = /^(?!\.)[^/\\\p{Cc}]+(\/(?!\.)[^/\\\p{Cc}]+)*$/u;

const RUN = 'run.json';

/** Files by their paths as a ZIP archive. Equal files give equal bytes. */
export const zipped = (files: Iterable<readonly [path: string, bytes: Uint8Array]>): Uint8Array =>
  zipSync(Object.fromEntries([...files].map(([path, bytes]) => [path, [bytes, { mtime: TIME }]])) satisfies Zippable);

/** The files of a ZIP archive by their paths, but for those that systems hide. */
export function unzipped({ name, bytes }: NamedFile): Map<string, Uint8Array> {
  let size = 0;
  const isWanted = ({ name: path, originalSize }: UnzipFileInfo) => {
    if (!PATH.test(path)) return false;
    size += originalSize;
    if (size > MOST_BYTES) {
      throw new InvalidConfigError('file-too-large', `${name} holds more than 2 GiB: the command line opens the folder.`, { file: name });
    }
    return true;
  };
  try {
    return new Map(Object.entries(unzipSync(bytes, { filter: isWanted })));
  } catch (error) {
    if (error instanceof InvalidConfigError) throw error;
    throw new InvalidConfigError('no-archive', `${name} cannot be read as a ZIP archive.`, { file: name });
  }
}

/** A run that was unpacked: how far it has come, and its files in a store of its own. */
export interface UnpackedRun {
  readonly state: RunState;
  readonly store: MemoryStore;
  /** What its folder is called; of an archive without one what the archive is. */
  readonly name: string;
}

/**
 * Unpacks the folder of a run, wherever it stands in an archive.
 *
 * @throws InvalidConfigError `no-archive`, `file-too-large`, `no-run`, `several-runs`
 */
export async function unpackRun(archive: NamedFile): Promise<UnpackedRun> {
  const files = unzipped(archive);
  const { folder, inside } = runFolder([...files.keys()], archive.name);
  const state = parseRunState(files.get(folder + RUN)!, archive.name);
  const { root } = runKeys(state.runId);
  const store = new MemoryStore();
  for (const path of inside) await store.put(root + path.slice(folder.length), files.get(path)!);
  const own = folder.split('/').at(-2);
  return { state, store, name: own ?? archive.name.replace(/\.zip$/i, '') };
}

/** The folder that holds `run.json`, with a slash at its end, and all that is in it. A run may hold others, as a calibration does. */
function runFolder(paths: readonly string[], archive: string) {
  const depth = (path: string) => path.split('/').length;
  const found = paths.filter((path) => path === RUN || path.endsWith(`/${RUN}`)).sort((a, b) => depth(a) - depth(b));
  const [first, second] = found;
  if (first === undefined) {
    throw new InvalidConfigError('no-run', `${archive} holds no run: it has no ${RUN}. Choose the ZIP archive of a run's folder.`);
  }
  const folder = first.slice(0, -RUN.length);
  const inside = paths.filter((path) => path.startsWith(folder));
  if (second !== undefined && !second.startsWith(folder)) {
    throw new InvalidConfigError('several-runs', `${archive} holds several runs: choose an archive of each.`);
  }
  return { folder, inside };
}
