/** What the file system refused, in words for a person; `code` is the word of the system, such as `EACCES`. */
type SystemRefusal = { readonly code: string; readonly path?: string; readonly message: string; readonly hint?: string };

const ELSEWHERE = 'Choose another folder (--out, or a copy of this one), or ask for the right to use it.';
const ROOM =
  'Make room, or choose another disk (--out), then give the same command again: with --resume where it has that, else in an empty folder.';

/** What is wrong with a path, and what helps. */
const REFUSALS: Readonly<Record<string, readonly [wrong: (path: string) => string, hint?: string]>> = {
  ENOENT: [(path) => `There is no file or folder ${path}.`],
  // What Node says of a folder with those above it on a disk that is read-only, on a drive that is not there, or behind such a link.
  'ENOENT mkdir': [
    (path) => `The folder ${path} cannot be made: its disk is read-only or not there, or a link on the way leads nowhere.`,
    ELSEWHERE,
  ],
  EISDIR: [(path) => `${path} is a folder, and a file is expected.`],
  ENOTDIR: [(path) => `${path} is below a file, where a folder is expected.`],
  EACCES: [(path) => `You do not have permission to use ${path}.`, ELSEWHERE],
  EPERM: [(path) => `The system does not permit this use of ${path}.`, ELSEWHERE],
  EROFS: [(path) => `Nothing can be written to ${path}: its disk is read-only.`, ELSEWHERE],
  ENOSPC: [(path) => `The disk is full: ${path} could not be written.`, ROOM],
  EDQUOT: [(path) => `Your share of the disk is used up: ${path} could not be written.`, ROOM],
  EFBIG: [(path) => `${path} would be larger than a file may be here.`, ELSEWHERE],
  EEXIST: [(path) => `${path} is there already.`],
  ENAMETOOLONG: [(path) => `The name ${path} is too long for this disk.`],
  ELOOP: [(path) => `${path} is a link that leads back to itself.`],
  EBUSY: [(path) => `Another program is using ${path}.`, 'Wait until it has finished, and try again.'],
  EMFILE: [(path) => `Too many files are open to open ${path}.`, 'Use fewer threads (--jobs).'],
  EIO: [(path) => `The disk failed while ${path} was read or written.`, 'Look after the disk.'],
};

/** What a file is called in a store until it is whole: to a person, the folder could not be written. */
const OF_A_STORE = /[\\/]\.tmp[\\/][^\\/]*$/;

/**
 * What the file system says of a full disk, a missing permission or the like; null for any other error. It is known by its
 * message, since a worker thread passes on no more. A path is called as whoever asked for it `named` it.
 */
export function systemRefusal(error: unknown, named?: string): SystemRefusal | null {
  if (!(error instanceof Error)) return null;
  const [, code, quoted] = /^(E[A-Z0-9]+): .*?(?: '([^']*)'.*)?$/.exec(error.message) ?? [];
  if (code === undefined) return null;
  const call = error.message.includes(', mkdir ') ? `${code} mkdir` : code;
  const [wrong, hint] = REFUSALS[call] ?? REFUSALS[code] ?? [(path: string) => `The system refused to work on ${path} (${code}).`];
  const path = named ?? quoted?.replace(OF_A_STORE, '');
  return { code, ...(path === undefined ? {} : { path }), message: wrong(path ?? 'a file'), ...(hint === undefined ? {} : { hint }) };
}
