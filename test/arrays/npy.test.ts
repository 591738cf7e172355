import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNpy, encodeNpy, type NpyData } from '../../shared/arrays/npy.ts';
import { ArtifactError } from '../../shared/contracts/errors.ts';

/** A file as `numpy.save` of NumPy 2.4.6 writes it: preamble, header padded to 128 bytes, elements. */
function numpyFile(header: string, elementsHex: string): Uint8Array {
  return Uint8Array.from([
    ...[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 0x01, 0x00, 0x76, 0x00],
    ...new TextEncoder().encode(`${header.padEnd(117)}\n`),
    ...(elementsHex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)),
  ]);
}

const NUMPY_FILES: { name: string; data: NpyData; shape: number[]; file: Uint8Array }[] = [
  {
    name: 'np.array([[1.0, -2.5], [0.0, 3.0], [4.0, 5.0]])',
    data: Float64Array.of(1, -2.5, 0, 3, 4, 5),
    shape: [3, 2],
    file: numpyFile(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }",
      '000000000000f03f00000000000004c00000000000000000000000000000084000000000000010400000000000001440',
    ),
  },
  {
    name: "np.array([1, 2, 65535], dtype='<u2')",
    data: Uint16Array.of(1, 2, 65535),
    shape: [3],
    file: numpyFile("{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }", '01000200ffff'),
  },
  {
    name: "np.array(7, dtype='<i4')",
    data: Int32Array.of(7),
    shape: [],
    file: numpyFile("{'descr': '<i4', 'fortran_order': False, 'shape': (), }", '07000000'),
  },
  {
    name: "np.zeros((0, 3), dtype='u1')",
    data: new Uint8Array(0),
    shape: [0, 3],
    file: numpyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (0, 3), }", ''),
  },
];

describe('encodeNpy()', () => {
  it.each(NUMPY_FILES)('writes the bytes that NumPy writes for $name', ({ data, shape, file }) => {
    expect(encodeNpy(data, shape)).toEqual(file);
  });

  it('starts the elements at a multiple of 64 bytes, however long the header', () => {
    const bytes = encodeNpy(Float64Array.of(1), new Array(60).fill(1));
    expect((bytes.length - 8) % 64).toBe(0);
    expect(decodeNpy(bytes).shape).toHaveLength(60);
  });

  it('writes a view of a larger buffer as its own elements only', () => {
    const view = Float64Array.of(1, 2, 3, 4).subarray(1, 3);
    expect(decodeNpy(encodeNpy(view, [2])).data).toEqual(Float64Array.of(2, 3));
  });

  it('refuses shapes that do not hold the elements, or are no shapes', () => {
    expect(() => encodeNpy(Float64Array.of(1, 2), [3])).toThrow(RangeError);
    expect(() => encodeNpy(Float64Array.of(1, 2), [-1, -2])).toThrow(RangeError);
    expect(() => encodeNpy(Float64Array.of(1), [1.5])).toThrow(RangeError);
    expect(() => encodeNpy(Float64Array.of(1), new Array(30_000).fill(1))).toThrow(RangeError);
  });

  it('refuses element types that artifacts do not use', () => {
    expect(() => encodeNpy(Int8Array.of(1) as unknown as NpyData, [1])).toThrow(TypeError);
  });
});

describe('decodeNpy()', () => {
  it.each(NUMPY_FILES)('reads what NumPy writes for $name', ({ data, shape, file }) => {
    expect(decodeNpy(file)).toEqual({ data, shape });
  });

  it('gives back what encodeNpy() was given, for every element type', () => {
    const rows = fc.integer({ min: 0, max: 5 });
    const elements = fc.array(fc.nat(255), { minLength: 15, maxLength: 15 });
    for (const Elements of [Float64Array, Float32Array, Uint32Array, Uint16Array, Int32Array, Uint8Array]) {
      fc.assert(
        fc.property(rows, elements, (length, values) => {
          const data = new Elements(values.slice(0, length * 3));
          expect(decodeNpy(encodeNpy(data, [length, 3]))).toEqual({ data, shape: [length, 3] });
        }),
        { numRuns: 20 },
      );
    }
  });

  it('keeps every bit of special values', () => {
    const data = Float64Array.of(-0, Number.NaN, Infinity, Number.MIN_VALUE);
    const decoded = decodeNpy(encodeNpy(data, [4])).data as Float64Array;
    expect(new Uint8Array(decoded.buffer, decoded.byteOffset, 32)).toEqual(new Uint8Array(data.buffer));
  });

  it('views aligned bytes in place and copies others', () => {
    const file = encodeNpy(Float64Array.of(1, 2), [2]);
    expect(decodeNpy(file).data.buffer).toBe(file.buffer);

    const shifted = new Uint8Array(file.length + 1).subarray(1);
    shifted.set(file);
    const { data } = decodeNpy(shifted);
    expect(data).toEqual(Float64Array.of(1, 2));
    expect(data.buffer).not.toBe(shifted.buffer);
  });

  const good = encodeNpy(Float64Array.of(1, 2), [2]);
  const changed = (at: number, byte: number) => good.with(at, byte);
  const withHeader = (header: string) => numpyFile(header, '00'.repeat(16));
  it.each([
    ['no bytes', new Uint8Array(0), 'npy-malformed'],
    ['another magic string', changed(0, 0x50), 'npy-malformed'],
    ['format version 2.0', changed(6, 2), 'npy-unsupported'],
    ['a header longer than the file', changed(9, 0xff), 'npy-malformed'],
    ['a truncated file', good.subarray(0, -1), 'npy-malformed'],
    ['trailing bytes', Uint8Array.of(...good, 0), 'npy-malformed'],
    ['a header that is no dictionary', changed(10, 0x5b), 'npy-malformed'],
    ['big-endian elements', withHeader("{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }"), 'npy-unsupported'],
    ['Fortran order', withHeader("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1), }"), 'npy-unsupported'],
    ['objects', withHeader("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }"), 'npy-unsupported'],
    ['a shape that is a number', withHeader("{'descr': '<f8', 'fortran_order': False, 'shape': (2), }"), 'npy-malformed'],
    [
      'a shape of more elements than a computer holds',
      withHeader("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2), }"),
      'npy-malformed',
    ],
  ])('refuses %s', (_, file, code) => {
    expect(() => decodeNpy(file, 'weights.npy')).toThrow(ArtifactError);
    expect(() => decodeNpy(file, 'weights.npy')).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining('weights.npy') }),
    );
  });
});
