/** The delimiters that a CSV file may use, the likelier first. */
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * The delimiter of CSV bytes (without byte-order mark), from the header and the first record, outside quotes:
 * one that both have equally often, if any; of these, the most frequent in the header. A file of one column
 * has none of them; it gets a comma.
 */
export function sniffDelimiter(bytes: Uint8Array): (typeof DELIMITERS)[number] {
  const [header, record] = countsOfFirstLines(bytes);
  const candidates = DELIMITERS.map((delimiter, index) => ({
    delimiter,
    count: header[index]!,
    agrees: header[index]! > 0 && header[index] === record[index],
  }));
  candidates.sort((a, b) => Number(b.agrees) - Number(a.agrees) || b.count - a.count);
  return candidates[0]!.delimiter;
}

/** How often each delimiter occurs outside quotes in each of the first two lines. */
function countsOfFirstLines(bytes: Uint8Array): [number[], number[]] {
  const counts: [number[], number[]] = [DELIMITERS.map(() => 0), DELIMITERS.map(() => 0)];
  const indexOfByte = new Map(DELIMITERS.map((delimiter, index) => [delimiter.charCodeAt(0), index]));
  let line = 0;
  let quoted = false;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset]!;
    if (byte === 0x22) quoted = !quoted;
    if (quoted) continue;
    if (byte === 0x0a || byte === 0x0d) {
      if (byte === 0x0d && bytes[offset + 1] === 0x0a) offset++;
      if (++line === counts.length) break;
    }
    const index = indexOfByte.get(byte);
    if (index !== undefined) counts[line]![index]!++;
  }
  return counts;
}
