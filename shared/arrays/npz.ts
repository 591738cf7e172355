import { ArtifactError, PUT_BACK, UnsupportedOptionError } from '../contracts/errors.ts';
import { differs } from './checked-npy.ts';
import { crc32 } from './crc32.ts';
import { ALIGNMENT_BYTES, decodeNpy, encodeNpyHeader, type NpyArray } from './npy.ts';

/** Records of a zip file (PKWARE APPNOTE 6.3.10, 4.3.7, 4.3.12, 4.3.16): signature, and length without its fields of any length. */
const LOCAL = { signature: 0x04034b50, bytes: 30 } as const;
const CENTRAL = { signature: 0x02014b50, bytes: 46 } as const;
const END = { signature: 0x06054b50, bytes: 22 } as const;

/** Version 2.0 of the format suffices to read the file. */
const VERSION = 20;
/** 1980-01-01, the earliest day that the format has: files hold nothing of the time at which they were written. */
const DATE = 0x21;
/** Id of an extra field that says nothing and takes up room, by which zip files align what they hold. */
const PADDING_ID = 0xd935;
const PADDING_HEADER_BYTES = 4;
/** Sizes and offsets are in 32 bits, the highest of which stands for "elsewhere". */
const LARGEST_BYTES = 0xfffffffe;

/** One array of the file: its place, and what both of its records say of it. */
interface Entry {
  readonly name: Uint8Array;
  readonly header: Uint8Array;
  readonly data: Uint8Array;
  readonly padding: number;
  readonly start: number;
}

/** Places the arrays one after the other, each with its `.npy` header at a multiple of 64 bytes. */
function layOut(arrays: ReadonlyMap<string, NpyArray>): { entries: Entry[]; end: number } {
  const entries: Entry[] = [];
  let end = 0;
  for (const [key, array] of arrays) {
    const name = new TextEncoder().encode(`${key}.npy`);
    const header = encodeNpyHeader(array);
    const { buffer, byteLength, byteOffset } = array.data;
    const unpadded = end + LOCAL.bytes + name.length + PADDING_HEADER_BYTES;
    const aligned = Math.ceil(unpadded / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    const padding = PADDING_HEADER_BYTES + aligned - unpadded;
    const data = new Uint8Array(buffer, byteOffset, byteLength);
    entries.push({ name, header, data, padding, start: end });
    end = aligned + header.length + byteLength;
  }
  return { entries, end };
}

/**
 * Writes arrays, by name, in NumPy's `.npz` format, as `numpy.savez` does: a zip file of one `.npy` an array, not compressed,
 * each with its elements at a multiple of 64 bytes. The same arrays give the same bytes.
 *
 * @throws UnsupportedOptionError `chain-too-large` above 4 GiB, the limit of the format and of typed arrays
 */
export function encodeNpz(arrays: ReadonlyMap<string, NpyArray>): Uint8Array {
  const { entries, end } = layOut(arrays);
  const directoryBytes = entries.reduce((sum, { name }) => sum + CENTRAL.bytes + name.length, 0);
  const length = end + directoryBytes + END.bytes;
  if (length > LARGEST_BYTES) {
    throw new UnsupportedOptionError(
      'chain-too-large',
      `The draws of a chain take ${length} bytes, and one file holds 4 GiB: keep fewer draws of more chains.`,
    );
  }
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = end;
  for (const { name, header, data, padding, start } of entries) {
    const size = header.length + data.length;
    // Version, flags, method (stored), time, date, CRC, both sizes and the name's length: the same in both records.
    const common = (offset: number) => {
      view.setUint16(offset, VERSION, true);
      view.setUint16(offset + 8, DATE, true);
      view.setUint32(offset + 10, crc, true);
      view.setUint32(offset + 14, size, true);
      view.setUint32(offset + 18, size, true);
      view.setUint16(offset + 22, name.length, true);
    };
    const crc = crc32(header, data);
    view.setUint32(start, LOCAL.signature, true);
    common(start + 4);
    view.setUint16(start + 28, padding, true);
    bytes.set(name, start + LOCAL.bytes);
    const extra = start + LOCAL.bytes + name.length;
    view.setUint16(extra, PADDING_ID, true);
    view.setUint16(extra + 2, padding - PADDING_HEADER_BYTES, true);
    bytes.set(header, extra + padding);
    bytes.set(data, extra + padding + header.length);

    view.setUint32(at, CENTRAL.signature, true);
    view.setUint16(at + 4, VERSION, true);
    common(at + 6);
    view.setUint32(at + 42, start, true);
    bytes.set(name, at + CENTRAL.bytes);
    at += CENTRAL.bytes + name.length;
  }
  view.setUint32(at, END.signature, true);
  view.setUint16(at + 8, entries.length, true);
  view.setUint16(at + 10, entries.length, true);
  view.setUint32(at + 12, directoryBytes, true);
  view.setUint32(at + 16, end, true);
  return bytes;
}

/**
 * Reads the arrays of a `.npz` file as {@link encodeNpz} and `numpy.savez` write it, by name. Elements are views of `bytes` where
 * they are aligned, and each array is compared with its checksum.
 *
 * @throws ArtifactError `npz-malformed`, `checksum-differs`, `npz-unsupported` for what is compressed or larger than 4 GiB, and
 * those of {@link decodeNpy}
 */
export function decodeNpz(bytes: Uint8Array, name = 'npz file'): Map<string, NpyArray> {
  const malformed = (what: string) => new ArtifactError('npz-malformed', `${name}: ${what}. ${PUT_BACK}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const record = ({ signature, bytes: length }: typeof LOCAL | typeof CENTRAL | typeof END, at: number) => {
    if (at < 0 || at + length > bytes.length || view.getUint32(at, true) !== signature) {
      throw malformed('is not a zip file as NumPy writes it, or is cut off');
    }
    return at;
  };
  const end = record(END, bytes.length - END.bytes);
  const arrays = new Map<string, NpyArray>();
  let at = view.getUint32(end + 16, true);
  for (let entry = view.getUint16(end + 10, true); entry > 0; entry--) {
    record(CENTRAL, at);
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 24, true);
    const nameBytes = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const file = new TextDecoder().decode(bytes.subarray(at + CENTRAL.bytes, at + CENTRAL.bytes + nameBytes));
    if (method !== 0 || size > LARGEST_BYTES || local > LARGEST_BYTES) {
      throw new ArtifactError('npz-unsupported', `${name}: ${file} is compressed, or larger than 4 GiB`);
    }
    record(LOCAL, local);
    const lengths = view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const start = local + LOCAL.bytes + lengths;
    if (start + size > bytes.length) throw malformed(`${file} is cut off`);
    const array = bytes.subarray(start, start + size);
    if (crc32(array) !== view.getUint32(at + 16, true)) throw differs(name);
    arrays.set(file.replace(/\.npy$/, ''), decodeNpy(array, `${name}: ${file}`));
    at += CENTRAL.bytes + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return arrays;
}
