import { crc32 as referenceCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertCheckedNpy, checkedRows, decodeCheckedNpy, encodeCheckedNpy, withRowChecksums } from '../../shared/arrays/checked-npy.ts';
import { crc32 } from '../../shared/arrays/crc32.ts';
import { decodeNpy, encodeNpy } from '../../shared/arrays/npy.ts';
import { ArtifactError } from '../../shared/contracts/errors.ts';

const changedAt = (file: Uint8Array, at: number, bit = 1) => {
  const changed = file.slice();
  changed[at]! ^= bit;
  return changed;
};

describe('crc32()', () => {
  it('gives the published check value of the polynomial', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });

  it.runIf(referenceCrc32 !== undefined)('gives what zlib gives, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 20 }), (first, second) => {
        expect(crc32(first, second)).toBe(referenceCrc32(Buffer.concat([first, second])));
      }),
    );
  });
});

describe('encodeCheckedNpy()', () => {
  it('writes what NumPy reads: the dictionary, then a comment in the padding', () => {
    const file = encodeCheckedNpy(Float64Array.of(1, -2.5), [2]);
    expect(file).toHaveLength(encodeNpy(Float64Array.of(1, -2.5), [2]).length);
    expect(new TextDecoder('latin1').decode(file.subarray(10, 128))).toMatch(
      /^\{'descr': '<f8', 'fortran_order': False, 'shape': \(2,\), \} +# crc32 [0-9a-f]{8}\n$/,
    );
    expect(decodeNpy(file)).toEqual({ data: Float64Array.of(1, -2.5), shape: [2] });
  });

  it('makes room for the comment where the padding is too short', () => {
    for (let dimensions = 1; dimensions < 60; dimensions++) {
      const shape = new Array(dimensions).fill(1);
      const file = encodeCheckedNpy(Uint16Array.of(7), shape);
      expect((file.length - 2) % 64).toBe(0);
      expect(decodeCheckedNpy(file)).toEqual({ data: Uint16Array.of(7), shape });
    }
  });
});

describe('decodeCheckedNpy()', () => {
  const file = encodeCheckedNpy(Float64Array.of(0.25, 3, 17), [3]);

  it('notices every bit that has changed, wherever it is', () => {
    for (let at = 0; at < file.length; at++) {
      for (let bit = 1; bit < 256; bit *= 2) {
        expect(() => decodeCheckedNpy(changedAt(file, at, bit), 'part.npy')).toThrow(ArtifactError);
      }
    }
  });

  it('notices a file that is cut off, and one without a checksum', () => {
    for (let length = 0; length < file.length; length++) {
      expect(() => assertCheckedNpy(file.subarray(0, length), 'part.npy')).toThrow(ArtifactError);
    }
    expect(() => assertCheckedNpy(encodeNpy(Float64Array.of(1), [1]), 'part.npy')).toThrow(
      expect.objectContaining({ code: 'checksum-missing', message: expect.stringContaining('part.npy') }),
    );
  });
});

describe('checkedRows()', () => {
  const matrices = [
    ['8 bits', Uint8Array.from({ length: 21 }, (_, i) => i * 11)],
    ['16 bits', Uint16Array.from({ length: 21 }, (_, i) => i * 1111)],
  ] as const;

  it.each(matrices)('gives back any rows of %s', (_, matrix) => {
    const checked = withRowChecksums(matrix, 3);
    const width = checked.length / 7;
    for (let from = 0; from < 7; from++) {
      for (let to = from; to <= 7; to++) {
        const rows = checked.slice(from * width, to * width);
        expect(checkedRows(rows, 3, from, 'classes')).toEqual(matrix.slice(from * 3, to * 3));
      }
    }
  });

  it.each(matrices)('notices a row of %s that has changed, or is in the place of another', (_, matrix) => {
    const checked = withRowChecksums(matrix, 3);
    const width = checked.length / 7;
    const differs = expect.objectContaining({ code: 'checksum-differs' });
    for (let at = 0; at < width; at++) {
      const row = checked.slice(width, 2 * width);
      row[at]! ^= 1;
      expect(() => checkedRows(row, 3, 1, 'classes')).toThrow(differs);
    }
    expect(() => checkedRows(checked.slice(width, 2 * width), 3, 2, 'classes')).toThrow(differs);
  });
});
