import { ArtifactError } from '../contracts/errors.ts';
import { CHECKSUM_DIGITS, checksumDigits, numberedCrc32 } from './crc32.ts';
import { ALIGNMENT_BYTES, decodeNpy, encodeNpy, type NpyArray, type NpyData, npyDataStart, PREAMBLE_BYTES } from './npy.ts';

/** What comes before the checksum in the padding of a header: NumPy reads a dictionary of Python, which may have comments. */
const COMMENT = ' # crc32 ';
const COMMENT_LENGTH = COMMENT.length + CHECKSUM_DIGITS;
const ZEROS = '0'.repeat(CHECKSUM_DIGITS);

const ascii = (text: string) => new TextEncoder().encode(text);

/** Where the digits of the checksum are in a file whose elements begin at `dataStart`: before the header's line feed. */
const digitsAt = (dataStart: number) => dataStart - 1 - CHECKSUM_DIGITS;

/** The checksum of a file, as if its own digits were zeros. */
function checksumOf(file: Uint8Array, dataStart: number): string {
  const at = digitsAt(dataStart);
  return checksumDigits(file.subarray(0, at), ascii(ZEROS), file.subarray(at + CHECKSUM_DIGITS));
}

/**
 * Writes an array as {@link encodeNpy}, with a CRC-32 of the whole file in a comment of its header, which NumPy passes over:
 * `{'descr': '<f8', ...}  # crc32 0123abcd`.
 */
export function encodeCheckedNpy(data: NpyData, shape: readonly number[]): Uint8Array {
  const plain = encodeNpy(data, shape);
  const plainStart = npyDataStart(plain);
  let end = plainStart - 1;
  while (plain[end - 1] === 0x20) end--;
  const room = plainStart - 1 - end;
  const wider = room < COMMENT_LENGTH ? ALIGNMENT_BYTES : 0;
  const dataStart = plainStart + wider;
  const file = wider === 0 ? plain : new Uint8Array(plain.length + wider);
  if (wider > 0) {
    file.set(plain.subarray(0, end));
    file.fill(0x20, end, dataStart - 1);
    file[dataStart - 1] = 0x0a;
    file.set(plain.subarray(plainStart), dataStart);
    const headerBytes = dataStart - PREAMBLE_BYTES;
    file[8] = headerBytes & 0xff;
    file[9] = headerBytes >> 8;
  }
  const at = digitsAt(dataStart);
  file.set(ascii(COMMENT), at - COMMENT.length);
  file.set(ascii(checksumOf(file, dataStart)), at);
  return file;
}

/**
 * Compares a file with the checksum that {@link encodeCheckedNpy} gave it.
 *
 * @throws ArtifactError `checksum-missing` when it has none, `checksum-differs` when a byte has changed since it was written
 */
export function assertCheckedNpy(file: Uint8Array, name: string): void {
  const dataStart = file.length < PREAMBLE_BYTES ? 0 : npyDataStart(file);
  const at = digitsAt(dataStart);
  const comment = new TextDecoder('latin1').decode(file.subarray(Math.max(0, at - COMMENT.length), at));
  if (at < 0 || dataStart > file.length || comment !== COMMENT) {
    throw new ArtifactError('checksum-missing', `${name}: is no array with a checksum`);
  }
  const noted = new TextDecoder('latin1').decode(file.subarray(at, at + CHECKSUM_DIGITS));
  if (noted !== checksumOf(file, dataStart)) throw differs(name);
}

/** The error of a file that is not as it was written. */
export const differs = (name: string) =>
  new ArtifactError(
    'checksum-differs',
    `${name} is not as it was written: its bytes have changed in the store. In the folder of a run that has not finished, remove it and go on (--resume; batch plan again, then batch list); repeat one that has by its release key (--release-key), in another folder. In AWS see docs/how-to/runbook.md#what-has-decayed.`,
  );

/** Reads an array that {@link encodeCheckedNpy} wrote, as {@link decodeNpy}, once its checksum has been compared. */
export function decodeCheckedNpy(file: Uint8Array, name = 'npy array'): NpyArray {
  assertCheckedNpy(file, name);
  return decodeNpy(file, name);
}

/** Elements of a matrix whose rows are read by themselves. */
export type RowElements = Uint8Array | Uint16Array;

/** Bytes of a row's checksum, least significant first. */
export const ROW_CHECKSUM_BYTES = 4;

const bytesOf = ({ buffer, byteOffset, byteLength }: RowElements) => new Uint8Array(buffer, byteOffset, byteLength);

/**
 * A matrix with the CRC-32 of each row and its number behind it, as four more columns of bytes or two of 16 bits: rows that are read by
 * themselves can be checked without the rest, and a row in another's place is noticed.
 */
export function withRowChecksums<Elements extends RowElements>(matrix: Elements, columns: number): Elements {
  const rows = columns === 0 ? 0 : matrix.length / columns;
  const width = columns + ROW_CHECKSUM_BYTES / matrix.BYTES_PER_ELEMENT;
  const checked = new (matrix.constructor as new (length: number) => Elements)(rows * width);
  const view = new DataView(checked.buffer);
  const bytes = bytesOf(matrix);
  const length = columns * matrix.BYTES_PER_ELEMENT;
  for (let row = 0; row < rows; row++) {
    checked.set(matrix.subarray(row * columns, (row + 1) * columns), row * width);
    const checksum = numberedCrc32(row, bytes, row * length, (row + 1) * length);
    view.setUint32((row * width + columns) * matrix.BYTES_PER_ELEMENT, checksum, true);
  }
  return checked;
}

/**
 * Some rows of a matrix that {@link withRowChecksums} made, without their checksums.
 *
 * @param checked the rows with their checksums, of `columns` elements each beside them
 * @param from number of the first of them (from 0)
 * @throws ArtifactError `checksum-differs` when a row is not as it was written, or is another
 */
export function checkedRows<Elements extends RowElements>(checked: Elements, columns: number, from: number, name: string): Elements {
  const width = columns + ROW_CHECKSUM_BYTES / checked.BYTES_PER_ELEMENT;
  const rows = checked.length / width;
  const matrix = new (checked.constructor as new (length: number) => Elements)(rows * columns);
  const view = new DataView(checked.buffer, checked.byteOffset, checked.byteLength);
  const bytes = bytesOf(checked);
  for (let row = 0; row < rows; row++) {
    const begin = row * width * checked.BYTES_PER_ELEMENT;
    const end = begin + columns * checked.BYTES_PER_ELEMENT;
    if (view.getUint32(end, true) !== numberedCrc32(from + row, bytes, begin, end)) throw differs(name);
    matrix.set(checked.subarray(row * width, row * width + columns), row * columns);
  }
  return matrix;
}
