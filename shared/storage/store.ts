import { concatenated } from '../contracts/concatenated.ts';
import { ArtifactError, PUT_BACK } from '../contracts/errors.ts';

/** Bytes `start` (from 0) up to but without `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An object piece by piece. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Where artifacts live: six verbs over keys, which are paths such as `runs/<runId>/plan.json`. Every member
 * passes the same suite (`test/storage/store-suite.ts`), and refuses keys as `assertStoreKey` does.
 *
 * An object appears under its key when it is whole, never before. Failures of the medium (permissions, a
 * full disk, the network) reach the caller as they are.
 */
export interface Store {
  /**
   * The bytes of an object, the caller's to keep and change. A range is cut to the object: past its end there are no bytes, and no error.
   *
   * @throws ArtifactError `artifact-not-found` when no object has that key; the message names it.
   * @throws RangeError when the range is not one of whole numbers with 0 <= start <= end.
   */
  get(key: string, range?: ByteRange): Promise<Uint8Array>;

  /**
   * Stores an object under a key, in place of what was there. With `ifAbsent`, an object that is there stays as it is and the answer is
   * `present`; of several concurrent writers exactly one hears `written`. `bytes` is the caller's again once the promise has settled.
   */
  put(key: string, bytes: Uint8Array, options?: { readonly ifAbsent?: boolean }): Promise<'written' | 'present'>;

  /**
   * Stores an object that is larger than memory should hold, in place of what was there: its pieces one after the other, each
   * asked for when there is room for it. When the pieces throw, what was there stays, and the error reaches the caller as it is.
   */
  putPieces(key: string, pieces: Pieces): Promise<void>;

  /**
   * Puts in place of an object what is made of it. Where somebody else puts another meanwhile, `make` is asked again, with that
   * one, so that no change is lost. `make` gets null where there is no object, and gives null to leave all as it is.
   */
  change(key: string, make: (bytes: Uint8Array | null) => Uint8Array | null): Promise<void>;

  /** Every key that begins with these characters, a folder or not, sorted by UTF-16 code unit. */
  list(prefix: string): Promise<string[]>;

  /** Size of an object, or null when no object has that key. */
  head(key: string): Promise<{ bytes: number } | null>;
}

/**
 * Refuses keys that are no plain path downwards: empty segments (so also a slash at either end), segments that begin with a dot (`..`,
 * hidden and temporary files), backslashes and control characters.
 *
 * @throws RangeError, naming the key: keys come from `contracts/keys.ts`, so that a bad one is a mistake in the program.
 */
export function assertStoreKey(key: string): void {
  const plain = key.split('/').every((segment) => segment !== '' && !segment.startsWith('.'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  if (!plain || /[\\\u0000-\u001f\u007f]/.test(key)) {
    throw new RangeError(`Not a store key: ${JSON.stringify(key)}`);
  }
}

/** Refuses ranges that are not of whole numbers with 0 <= start <= end. Throws RangeError, giving both ends. */
export function assertByteRange({ start, end }: ByteRange): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`Not a byte range: ${start} to ${end}`);
  }
}

/** What a store throws when no object has a key. */
export const notFound = (key: string) => new ArtifactError('artifact-not-found', `${key} is missing. ${PUT_BACK}`);

/** Pieces as one array. */
export async function whole(pieces: Pieces): Promise<Uint8Array> {
  const list: Uint8Array[] = [];
  for await (const piece of pieces) list.push(piece);
  return concatenated(list);
}
