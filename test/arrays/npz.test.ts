import { describe, expect, it } from 'vitest';
import type { NpyArray } from '../../shared/arrays/npy.ts';
import { decodeNpz, encodeNpz } from '../../shared/arrays/npz.ts';
import { ArtifactError } from '../../shared/contracts/errors.ts';

/** Two arrays of different types. */
const ARRAYS = new Map<string, NpyArray>([
  ['weights', { data: Float64Array.of(0.25, 0.75, 0.5, 0.5), shape: [2, 2] }],
  ['occupied-classes', { data: Uint16Array.of(2, 1), shape: [2] }],
]);

/** The same as `numpy.savez` of NumPy 2 wrote them. */
const OF_NUMPY = new Uint8Array(
  Buffer.from(
    [
      'UEsDBC0AAAAAAAAAIQB6NLDF//////////8LABQAd2VpZ2h0cy5ucHkBABAAoAAAAAAAAACgAAAAAAAAAJNOVU1QWQEAdgB7J2Rl',
      'c2NyJzogJzxmOCcsICdmb3J0cmFuX29yZGVyJzogRmFsc2UsICdzaGFwZSc6ICgyLCAyKSwgfSAgICAgICAgICAgICAgICAgICAg',
      'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAKAAAAAAAA0D8AAAAAAADoPwAAAAAAAOA/AAAAAAAA4D9QSwME',
      'LQAAAAAAAAAhAKNxpaT//////////xQAFABvY2N1cGllZC1jbGFzc2VzLm5weQEAEACEAAAAAAAAAIQAAAAAAAAAk05VTVBZAQB2',
      'AHsnZGVzY3InOiAnPHUyJywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAg',
      'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoCAAEAUEsBAi0DLQAAAAAAAAAhAHo0sMWgAAAAoAAA',
      'AAsAAAAAAAAAAAAAAIABAAAAAHdlaWdodHMubnB5UEsBAi0DLQAAAAAAAAAhAKNxpaSEAAAAhAAAABQAAAAAAAAAAAAAAIAB3QAA',
      'AG9jY3VwaWVkLWNsYXNzZXMubnB5UEsFBgAAAAACAAIAewAAAKcBAAAAAA==',
    ].join(''),
    'base64',
  ),
);

describe('encodeNpz()', () => {
  it('lets every array begin at a multiple of 64 bytes, so that none is copied when it is read', () => {
    const bytes = encodeNpz(ARRAYS);
    for (const { data } of decodeNpz(bytes).values()) {
      expect(data.buffer).toBe(bytes.buffer);
      expect(data.byteOffset % 64).toBe(0);
    }
  });

  it('gives each array the checksum that NumPy gives it', () => {
    // In the directory, where both write the same: at 16 bytes from the signature.
    const checksums = (file: Uint8Array) => {
      const buffer = Buffer.from(file);
      const first = buffer.indexOf('PK\x01\x02');
      const second = buffer.indexOf('PK\x01\x02', first + 1);
      return [first, second].map((at) => buffer.readUInt32LE(at + 16));
    };
    expect(checksums(encodeNpz(ARRAYS))).toEqual(checksums(OF_NUMPY));
  });

  it('gives the same bytes for the same arrays', () => {
    expect(encodeNpz(ARRAYS)).toEqual(encodeNpz(ARRAYS));
  });
});

describe('decodeNpz()', () => {
  it('gives back what encodeNpz() was given, also from a slice of a larger buffer', () => {
    const bytes = encodeNpz(ARRAYS);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(decodeNpz(bytes)).toEqual(ARRAYS);
    expect(decodeNpz(shifted.subarray(1))).toEqual(ARRAYS);
  });

  it('reads what NumPy writes', () => {
    expect(decodeNpz(OF_NUMPY)).toEqual(ARRAYS);
  });

  const changed = (at: number, value: number) => {
    const bytes = encodeNpz(ARRAYS);
    bytes[at < 0 ? bytes.length + at : at] = value;
    return bytes;
  };
  it.each<[string, Uint8Array, string]>([
    ['no bytes', new Uint8Array(0), 'npz-malformed'],
    ['what is no zip file', new Uint8Array(100), 'npz-malformed'],
    ['a file that is cut off', encodeNpz(ARRAYS).subarray(0, -1), 'npz-malformed'],
    ['a directory that is elsewhere', changed(-6, 1), 'npz-malformed'],
    ['an array that does not begin where it should', changed(0, 0), 'npz-malformed'],
    // The method in the first record of the directory, which is 42 bytes before the name.
    ['a compressed array', changed(Buffer.from(encodeNpz(ARRAYS)).indexOf('PK\x01\x02') + 10, 8), 'npz-unsupported'],
  ])('refuses %s', (_, bytes, code) => {
    expect(() => decodeNpz(bytes, 'draws.npz')).toThrow(ArtifactError);
    expect(() => decodeNpz(bytes, 'draws.npz')).toThrow(expect.objectContaining({ code, message: expect.stringContaining('draws.npz') }));
  });

  it('notices every bit of an array that has changed', () => {
    const file = encodeNpz(ARRAYS);
    const arrays = [...decodeNpz(file).values()].map(({ data }) => data);
    for (const { byteOffset, byteLength } of arrays) {
      for (let at = byteOffset; at < byteOffset + byteLength; at++) {
        expect(() => decodeNpz(changed(at, file[at]! ^ 4), 'draws.npz')).toThrow(
          expect.objectContaining({ code: 'checksum-differs', message: expect.stringContaining('draws.npz') }),
        );
      }
    }
  });
});
