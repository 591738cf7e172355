/** Bytes that one step of the sum takes: tables for each of them turn eight look-ups that wait for each other into one. */
const SLICE = 8;

/** For each place in a slice, the remainder of a byte followed by as many zeros. */
const TABLES = (() => {
  const tables = Array.from({ length: SLICE }, () => new Uint32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
    tables[0]![byte] = remainder;
  }
  for (let place = 1; place < SLICE; place++) {
    for (let byte = 0; byte < 256; byte++) {
      const before = tables[place - 1]![byte]!;
      tables[place]![byte] = tables[0]![before & 0xff]! ^ (before >>> 8);
    }
  }
  return tables;
})();

const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as [Uint32Array, ...Uint32Array[]];

/**
 * CRC-32 of zip files (PKWARE APPNOTE 6.3.10, 4.4.7: reflected polynomial 0xedb88320) of some pieces, one after the
 * other. Every change of up to four bytes in a row gives another one. It is no digest: who may write can forge it.
 */
export function crc32(...pieces: readonly Uint8Array[]): number {
  let crc = -1;
  for (const piece of pieces) crc = summed(crc, piece, 0, piece.length);
  return ~crc >>> 0;
}

/** The same of a number below 2^32, its least significant byte first, and of the bytes `from` up to but without `to`. */
export function numberedCrc32(number: number, bytes: Uint8Array, from: number, to: number): number {
  const first = ~number;
  const crc = T3![first & 0xff]! ^ T2![(first >>> 8) & 0xff]! ^ T1![(first >>> 16) & 0xff]! ^ T0[first >>> 24]!;
  return ~summed(crc, bytes, from, to) >>> 0;
}

/** The sum of what came before and of some bytes. */
function summed(before: number, bytes: Uint8Array, from: number, to: number): number {
  let crc = before;
  let i = from;
  for (; i + SLICE <= to; i += SLICE) {
    crc =
      T7![(crc ^ bytes[i]!) & 0xff]! ^
      T6![((crc >>> 8) ^ bytes[i + 1]!) & 0xff]! ^
      T5![((crc >>> 16) ^ bytes[i + 2]!) & 0xff]! ^
      T4![(crc >>> 24) ^ bytes[i + 3]!]! ^
      T3![bytes[i + 4]!]! ^
      T2![bytes[i + 5]!]! ^
      T1![bytes[i + 6]!]! ^
      T0[bytes[i + 7]!]!;
  }
  for (; i < to; i++) crc = T0[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return crc;
}

/** Digits that {@link checksumDigits} gives. */
export const CHECKSUM_DIGITS = 8;

/** A checksum in hexadecimal digits. */
export function checksumDigits(...pieces: readonly Uint8Array[]): string {
  return crc32(...pieces)
    .toString(16)
    .padStart(CHECKSUM_DIGITS, '0');
}
