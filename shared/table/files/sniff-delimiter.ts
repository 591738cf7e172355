import { InvalidTableError } from '../../contracts/errors.ts';

/** The delimiters that a CSV file may use, the likelier first. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** What other programs put between columns, which differs from text only where every line has it equally often. */
const UNREAD_DELIMITERS = [':', '^', '~', '\u0001', '\u001f'] as const;

/** Lines that are compared. */
const LINES = 20;

/**
 * The delimiter of CSV bytes (without byte-order mark), from the header and the first record, outside quotes:
 * one that both have equally often, if any; of these, the most frequent in the header. A vertical bar is one only where
 * no other delimiter is equally frequent in both. A file of one column has none of them; it gets a comma.
 *
 * Error (InvalidTableError): `unread-delimiter`, for a file without any of them whose lines all have another one.
 */
export function sniffDelimiter(bytes: Uint8Array): (typeof DELIMITERS)[number] {
  const lines = countsOfFirstLines(bytes, [...DELIMITERS, ...UNREAD_DELIMITERS]);
  const [header, record = header!.map(() => 0)] = lines;
  const candidates = DELIMITERS.map((delimiter, index) => ({
    delimiter,
    count: header![index]!,
    agrees: header![index]! > 0 && header![index] === record[index],
  }));
  const usual = candidates.slice(0, -1).sort((a, b) => Number(b.agrees) - Number(a.agrees) || b.count - a.count)[0]!;
  const bar = candidates.at(-1)!;
  if (!usual.agrees && bar.agrees) return bar.delimiter;
  if (candidates.every(({ count }) => count === 0)) refuseUnread(lines);
  return usual.delimiter;
}

/** Refuses a file of one column, as it seems, every line of which has another delimiter equally often. */
function refuseUnread(lines: readonly (readonly number[])[]): void {
  if (lines.length < 2) return;
  for (const [index, delimiter] of UNREAD_DELIMITERS.entries()) {
    const counts = lines.map((line) => line[DELIMITERS.length + index]!);
    if (counts[0] === 0 || counts.some((count) => count !== counts[0])) continue;
    const shown = delimiter < ' ' ? `the control character U+${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}` : `"${delimiter}"`;
    throw new InvalidTableError(
      'unread-delimiter',
      `the columns seem to be divided by ${shown}: expected comma, semicolon, tab or |. Save the file with one of these; if it has a single column, write its name in quotes.`,
    );
  }
}

/** How often each character occurs outside quotes in each of the first lines that are not empty. */
function countsOfFirstLines(bytes: Uint8Array, characters: readonly string[]): number[][] {
  const counts = [characters.map(() => 0)];
  const indexOfByte = new Map(characters.map((character, index) => [character.charCodeAt(0), index]));
  let quoted = false;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset]!;
    if (byte === 0x22) quoted = !quoted;
    if (quoted) continue;
    if (byte === 0x0a || byte === 0x0d) {
      if (byte === 0x0d && bytes[offset + 1] === 0x0a) offset++;
      if (counts.length === LINES || offset + 1 >= bytes.length) break;
      counts.push(characters.map(() => 0));
    }
    const index = indexOfByte.get(byte);
    if (index !== undefined) counts.at(-1)![index]!++;
  }
  return counts;
}
