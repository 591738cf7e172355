import { CommanderError } from 'commander';
import fc from 'fast-check';
import { SynthriskError } from '../../shared/contracts/errors.ts';

/** How files come in: each door gets bytes, and takes them or refuses them by a named error. */
export interface Door {
  readonly name: string;
  /** Files that are right, which are changed. */
  readonly files: readonly Uint8Array[];
  /** Text that files may hold at this door. */
  readonly words: readonly string[];
  readonly enter: (bytes: Uint8Array) => unknown;
  /** How many files a test takes; 100 where it is not said. */
  readonly cases?: number;
}

/** The bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What every cell of the files begins with, so that a message that quotes one is known. */
const CELLS = /V[a-z]\b|V d,|7000\d|9000\d/;

/** Rows of a small table, whose cells are known when a message quotes one. */
export const CELL_ROWS = Array.from({ length: 24 }, (_, i) => `V${'fm'[i % 2]},V${'abc'[i % 3]},${70_001 + (i % 3)}`);

/** What upsets readers of CSV. */
export const CSV_WORDS = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\ufeff',
  'NA',
  '=1+1',
  '-0',
  '1e999',
  '0x10',
  '__proto__',
  'constructor',
  'sex',
];

/** What upsets readers of JSON. */
export const JSON_WORDS = [
  '"__proto__":{"x":1},',
  '"constructor":1,',
  '[[[[',
  '{"a":',
  '1e999',
  '-0',
  'null',
  '\\ud800',
  '"',
  ',',
  '}',
  ']',
  '9007199254740993',
];

const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** A file of a door with up to eight changes: bytes, words, pieces left out, repeated, moved, or cut off. */
export function hostileFile({ files, words }: Door): fc.Arbitrary<Uint8Array> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const piece = fc.oneof(
    fc.constantFrom(...words).map(utf8),
    fc.tuple(fc.constantFrom(...words), fc.integer({ min: 2, max: 600 })).map(([word, times]) => utf8(word.repeat(times))),
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom(0, 0x7f, 0x80, 0xff).map((byte) => Uint8Array.of(byte)),
  );
  const change = fc.record({ how: fc.constantFrom('insert', 'replace', 'leave out', 'repeat', 'cut'), at: place, to: place, piece });
  return fc.tuple(fc.constantFrom(...files), fc.array(change, { minLength: 1, maxLength: 8 })).map(([file, changes]) =>
    changes.reduce((bytes, { how, at, to, piece }) => {
      const [from, end] = [at, at + (1 - at) * to * to].map((share) => Math.floor(share * bytes.length)) as [number, number];
      const [before, within, after] = [bytes.subarray(0, from), bytes.subarray(from, end), bytes.subarray(end)];
      if (how === 'insert') return joined(before, piece, within, after);
      if (how === 'replace') return joined(before, piece, bytes.subarray(Math.min(bytes.length, from + piece.length)));
      if (how === 'leave out') return joined(before, after);
      if (how === 'repeat') return joined(before, within, within, after);
      return before;
    }, file),
  );
}

/** Milliseconds that a file may take: these are of a few kilobytes. */
const MOST_MILLISECONDS = 5_000;

/** MiB by which memory may grow for a file. */
const MOST_MEBIBYTES = 512;

const isTooLong = (message: string) => (message.length > 20_000 ? `a message of ${message.length} characters` : null);

/** What is wrong with how a door meets a file, or null. */
export async function mistakeAt(door: Door, bytes: Uint8Array): Promise<string | null> {
  const began = performance.now();
  const before = process.memoryUsage.rss();
  try {
    await door.enter(bytes);
  } catch (error) {
    if (error instanceof CommanderError) return isTooLong(error.message);
    if (!(error instanceof SynthriskError)) return `an error without a name: ${(error as Error)?.stack ?? error}`;
    if (CELLS.test(error.message)) return `a message that quotes a cell: ${error.message}`;
    if (/\n\s+at |node_modules/.test(error.message)) return `a message with a stack: ${error.message}`;
    if (isTooLong(error.message) !== null) return isTooLong(error.message);
  }
  if ('x' in {}) return 'every object has a new field';
  const took = performance.now() - began;
  const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
  if (grown > MOST_MEBIBYTES) return `${grown.toFixed(0)} MiB for ${bytes.length} bytes`;
  return took > MOST_MILLISECONDS ? `${took.toFixed(0)} ms for ${bytes.length} bytes` : null;
}
