/** Columns of what is known of every row, one after the other: where rows are many, few of them are in memory at a time. */
export type Columns = Iterable<Float64Array> | AsyncIterable<Float64Array>;

/** The columns of a matrix in memory, whose rows have so many numbers each. */
export function* columnsOf(matrix: Float64Array, width: number): Generator<Float64Array> {
  const rows = matrix.length / width;
  for (let c = 0; c < width; c++) yield Float64Array.from({ length: rows }, (_, row) => matrix[row * width + c]!);
}
