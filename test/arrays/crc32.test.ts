import { expect, it } from 'vitest';
import { crc32, numberedCrc32 } from '../../shared/arrays/crc32.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

it('has the value that its catalogue checks it by, in pieces as in one', () => {
  // Greg Cook's catalogue of parametrised CRC algorithms, CRC-32/ISO-HDLC: check = 0xcbf43926.
  expect(crc32(utf8('123456789'))).toBe(0xcbf43926);
  expect(crc32(utf8('123'), utf8(''), utf8('456789'))).toBe(0xcbf43926);
  expect(crc32()).toBe(0);
});

it('does not depend on where bytes begin in memory', () => {
  const bytes = Uint8Array.from({ length: 70 }, (_, i) => (i * 37) % 251);
  for (let from = 0; from < 9; from++) {
    const moved = new Uint8Array(from + bytes.length);
    moved.set(bytes, from);
    // zlib.crc32 of Python.
    expect(crc32(moved.subarray(from))).toBe(0xf663aecf);
  }
});

it('takes a number before bytes as four of them', () => {
  const bytes = Uint8Array.from({ length: 40 }, (_, i) => (i * 37) % 251);
  for (const number of [0, 1, 0xfe, 0x01020304, 0xffffffff]) {
    const before = new Uint8Array(Uint32Array.of(number).buffer);
    for (const [from, to] of [
      [0, 40],
      [3, 39],
      [5, 5],
    ] as const) {
      expect(numberedCrc32(number, bytes, from, to)).toBe(crc32(before, bytes.subarray(from, to)));
    }
  }
});
