import { expect, it } from 'vitest';
import { crc32 } from '../../shared/arrays/crc32.ts';

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
