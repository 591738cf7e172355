/** The rows of a batch grouped by their values on some of the variables. */
export interface ValueGroups {
  /** values x columns: codes of the distinct values, in lexicographic order. */
  readonly codes: Uint16Array;
  /** values + 1: where the rows of each value begin in `members`. */
  readonly starts: Uint32Array;
  /** Every row, value by value, rising within a value. */
  readonly members: Uint32Array;
  /** Value of each row. */
  readonly valueOfRow: Uint32Array;
}

/**
 * Groups rows by the given columns. Without columns all rows have one value.
 *
 * @param codes rows x variables, at least one row
 */
export function groupByValues(codes: Uint16Array, variables: number, columns: readonly number[]): ValueGroups {
  const rows = codes.length / variables;
  const difference = (a: number, b: number) => {
    for (const k of columns) {
      const apart = codes[a * variables + k]! - codes[b * variables + k]!;
      if (apart !== 0) return apart;
    }
    return 0;
  };
  const members = Uint32Array.from({ length: rows }, (_, row) => row).sort((a, b) => difference(a, b) || a - b);
  const valueOfRow = new Uint32Array(rows);
  const starts: number[] = [];
  const values: number[] = [];
  for (let at = 0; at < rows; at++) {
    const row = members[at]!;
    if (at === 0 || difference(members[at - 1]!, row) !== 0) {
      starts.push(at);
      for (const k of columns) values.push(codes[row * variables + k]!);
    }
    valueOfRow[row] = starts.length - 1;
  }
  return { codes: Uint16Array.from(values), starts: Uint32Array.from([...starts, rows]), members, valueOfRow };
}
