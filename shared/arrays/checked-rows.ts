import { differs } from './checked-npy.ts';
import { crc32 } from './crc32.ts';

/** Elements of a matrix whose rows are read by themselves. */
export type RowElements = Uint8Array | Uint16Array;

/** Bytes of a row's checksum, least significant first. */
export const ROW_CHECKSUM_BYTES = 4;

/** The checksum of a row: of its number, so that a row in another's place is noticed, and of its bytes. */
function rowChecksum(row: number, bytes: Uint8Array): number {
  return crc32(Uint8Array.of(row, row >>> 8, row >>> 16, row >>> 24), bytes);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: RowElements) => new Uint8Array(buffer, byteOffset, byteLength);

/**
 * A matrix with the CRC-32 of each row behind it, as four more columns of bytes or two of 16 bits: rows that are read by
 * themselves can be checked without the rest.
 */
export function withRowChecksums<Elements extends RowElements>(matrix: Elements, columns: number): Elements {
  const rows = columns === 0 ? 0 : matrix.length / columns;
  const width = columns + ROW_CHECKSUM_BYTES / matrix.BYTES_PER_ELEMENT;
  const checked = new (matrix.constructor as new (length: number) => Elements)(rows * width);
  const view = new DataView(checked.buffer);
  for (let row = 0; row < rows; row++) {
    const own = matrix.subarray(row * columns, (row + 1) * columns);
    checked.set(own, row * width);
    const at = (row * width + columns) * matrix.BYTES_PER_ELEMENT;
    view.setUint32(at, rowChecksum(row, bytesOf(own)), true);
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
  for (let row = 0; row < rows; row++) {
    const own = checked.subarray(row * width, row * width + columns);
    const noted = view.getUint32((row * width + columns) * checked.BYTES_PER_ELEMENT, true);
    if (noted !== rowChecksum(from + row, bytesOf(own))) throw differs(name);
    matrix.set(own, row * columns);
  }
  return matrix;
}
