import { ArtifactError } from '../contracts/errors.ts';

/** Element types that an artifact may have: the ones that the NumPy descriptors below stand for. */
export type NpyData = Float64Array | Float32Array | Uint32Array | Uint16Array | Int32Array | Uint8Array;

/** An array as it is stored: elements in C order (last index fastest) and the length of each dimension. */
export interface NpyArray {
  data: NpyData;
  shape: number[];
}

/** `\x93NUMPY`, then format version 1.0 (NumPy Enhancement Proposal 1, "Format Specification: Version 1.0"). */
const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
/** Magic and version, then the header's length in two bytes, least significant first. */
export const PREAMBLE_BYTES = MAGIC.length + 2;
/** The format asks that the data start at a multiple of 64 bytes; eight would do for our widest element. */
export const ALIGNMENT_BYTES = 64;
/** Largest header that two bytes can announce. */
const HEADER_BYTES_MAX = 0xffff;

type NpyDataConstructor = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): NpyData;
};

/** Little endian throughout, as are WebAssembly's memory and every processor that the kernels run on. */
const CONSTRUCTORS = new Map<string, NpyDataConstructor>([
  ['<f8', Float64Array],
  ['<f4', Float32Array],
  ['<u4', Uint32Array],
  ['<u2', Uint16Array],
  ['<i4', Int32Array],
  ['|u1', Uint8Array],
]);

/** The dictionary, and what may come behind it: the comment of a checksum. */
const HEADER = /^\{'descr': '([^']*)', 'fortran_order': (True|False), 'shape': \(((?:\d+, )*\d+,?|)\), \} *(?:# crc32 [0-9a-f]{8})?\n$/;

const elementCount = (shape: readonly number[]): number => shape.reduce((product, length) => product * length, 1);

/** Where the elements of a file begin, as its first bytes say. */
export const npyDataStart = (bytes: Uint8Array): number => PREAMBLE_BYTES + bytes[8]! + 256 * bytes[9]!;

/**
 * The header that comes before an array's elements in NumPy's `.npy` format, version 1.0: a multiple of 64 bytes.
 *
 * @throws RangeError when the shape is not one of whole numbers, or does not multiply to the number of elements.
 */
export function encodeNpyHeader({ data, shape }: NpyArray): Uint8Array {
  if (!shape.every((length) => Number.isSafeInteger(length) && length >= 0)) {
    throw new RangeError(`The shape (${shape.join(', ')}) must consist of whole numbers from 0`);
  }
  if (elementCount(shape) !== data.length) {
    throw new RangeError(`The shape (${shape.join(', ')}) does not hold ${data.length} elements`);
  }
  const descriptor = [...CONSTRUCTORS].find(([, Elements]) => data.constructor === Elements)?.[0];
  if (descriptor === undefined) throw new TypeError('The elements have a type that artifacts do not use');

  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const header = `{'descr': '${descriptor}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const unpadded = PREAMBLE_BYTES + header.length + 1;
  const dataStart = Math.ceil(unpadded / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  const headerBytes = dataStart - PREAMBLE_BYTES;
  if (headerBytes > HEADER_BYTES_MAX) {
    throw new RangeError(`A shape of ${shape.length} dimensions does not fit a version 1.0 header`);
  }

  const bytes = new Uint8Array(dataStart);
  bytes.set(MAGIC);
  bytes[MAGIC.length] = headerBytes & 0xff;
  bytes[MAGIC.length + 1] = headerBytes >> 8;
  bytes.set(new TextEncoder().encode(`${header.padEnd(headerBytes - 1)}\n`), PREAMBLE_BYTES);
  return bytes;
}

/**
 * Writes an array in NumPy's `.npy` format, version 1.0: elements in C order, and the length of each dimension, none for a
 * single number. The elements start at a multiple of 64 bytes, so that a reader can map them in place.
 *
 * @throws RangeError as {@link encodeNpyHeader}
 */
export function encodeNpy(data: NpyData, shape: readonly number[]): Uint8Array {
  const header = encodeNpyHeader({ data, shape: [...shape] });
  const bytes = new Uint8Array(header.length + data.byteLength);
  bytes.set(header);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), header.length);
  return bytes;
}

/**
 * Reads an array in NumPy's `.npy` format, version 1.0, as `encodeNpy` and `numpy.save` write it. The elements are a view of
 * `bytes` where they lie on a multiple of their size, otherwise a copy. `name` says which file it is in messages.
 *
 * @throws ArtifactError `npy-malformed` when the bytes are not such a file or have not the length that the header announces;
 * `npy-unsupported` for another format version, element type, byte order or Fortran order
 */
export function decodeNpy(bytes: Uint8Array, name = 'npy array'): NpyArray {
  const malformed = (what: string) => new ArtifactError('npy-malformed', `${name}: ${what}`);
  const unsupported = (what: string) => new ArtifactError('npy-unsupported', `${name}: ${what}`);

  if (bytes.length < PREAMBLE_BYTES) throw malformed(`${bytes.length} bytes hold no npy header`);
  if (!MAGIC.slice(0, 6).every((byte, i) => bytes[i] === byte)) throw malformed('does not begin as npy does');
  if (bytes[6] !== 1 || bytes[7] !== 0) throw unsupported(`format version ${bytes[6]}.${bytes[7]}, expected 1.0`);
  const dataStart = npyDataStart(bytes);
  if (bytes.length < dataStart) throw malformed(`header of ${dataStart} bytes in a file of ${bytes.length}`);

  const header = HEADER.exec(new TextDecoder('latin1').decode(bytes.subarray(PREAMBLE_BYTES, dataStart)));
  if (header === null) throw malformed('header is not the dictionary that NumPy writes');
  const [, descriptor, fortranOrder, tuple] = header as unknown as [string, string, string, string];
  if (fortranOrder === 'True') throw unsupported('Fortran order, expected C order');
  const Elements = CONSTRUCTORS.get(descriptor);
  if (Elements === undefined) {
    throw unsupported(`element type ${descriptor}, expected one of ${[...CONSTRUCTORS.keys()].join(' ')}`);
  }
  const shape = tuple.split(',').filter((length) => length.trim() !== '');
  const lengths = shape.map(Number);
  // Python writes one dimension as `(3,)`: `(3)` would be a number, and `(3, 4,)` is never written.
  if (tuple.endsWith(',') !== (shape.length === 1)) throw malformed('shape is not a tuple as NumPy writes it');

  const length = elementCount(lengths);
  const expectedBytes = dataStart + length * Elements.BYTES_PER_ELEMENT;
  if (bytes.length !== expectedBytes) throw malformed(`${bytes.length} bytes, expected ${expectedBytes} from the header`);
  const start = bytes.byteOffset + dataStart;
  const data =
    start % Elements.BYTES_PER_ELEMENT === 0
      ? new Elements(bytes.buffer, start, length)
      : new Elements(new Uint8Array(bytes.subarray(dataStart)).buffer, 0, length);
  return { data, shape: lengths };
}
