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

/**
 * CRC-32 of zip files (PKWARE APPNOTE 6.3.10, 4.4.7: reflected polynomial 0xedb88320) of some pieces, one after the
 * other. Every change of up to four bytes in a row gives another one. It is no digest: who may write can forge it.
 */
export function crc32(...pieces: readonly Uint8Array[]): number {
  let crc = 0xffffffff;
  for (const piece of pieces) crc = summed(crc, piece);
  return ~crc >>> 0;
}

const byByte = (crc: number, bytes: Uint8Array): number => {
  const table = TABLES[0]!;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return crc;
};

/** The sum of what came before and of some bytes: word by word in the middle, where words begin at multiples of 4. */
function summed(before: number, bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [Uint32Array, ...Uint32Array[]];
  const lead = Math.min(bytes.length, -bytes.byteOffset & 3);
  let crc = byByte(before, bytes.subarray(0, lead));
  const slices = Math.floor((bytes.length - lead) / SLICE);
  const words = new Int32Array(bytes.buffer, slices === 0 ? 0 : bytes.byteOffset + lead, 2 * slices);
  for (let w = 0; w < words.length; w += 2) {
    const low = crc ^ words[w]!;
    const high = words[w + 1]!;
    crc =
      t7![low & 0xff]! ^
      t6![(low >>> 8) & 0xff]! ^
      t5![(low >>> 16) & 0xff]! ^
      t4![low >>> 24]! ^
      t3![high & 0xff]! ^
      t2![(high >>> 8) & 0xff]! ^
      t1![(high >>> 16) & 0xff]! ^
      t0[high >>> 24]!;
  }
  return byByte(crc, bytes.subarray(lead + slices * SLICE));
}

/** Digits that {@link checksumDigits} gives. */
export const CHECKSUM_DIGITS = 8;

/** A checksum in hexadecimal digits. */
export function checksumDigits(...pieces: readonly Uint8Array[]): string {
  return crc32(...pieces)
    .toString(16)
    .padStart(CHECKSUM_DIGITS, '0');
}
