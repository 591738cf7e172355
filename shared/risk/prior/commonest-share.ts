/** What there is to guess of the rows of a table. */
export interface AskedRows {
  /** Records of each row. */
  readonly counts: ArrayLike<number>;
  /** Codes of the variables of a row. */
  readonly codesOf: (row: number) => ArrayLike<number>;
  /** Whether a row has something to guess in a variable. */
  readonly isAsked: (row: number, variable: number) => boolean;
}

/** How often a simple guess at a variable is right, among the records of which it is asked. */
export interface GuessedValue {
  readonly right: number;
  readonly asked: number;
}

/** What always guessing the commonest value of a variable gets right: the least that an intruder can do. */
export function commonestValue({ counts, codesOf, isAsked }: AskedRows, variable: number): GuessedValue {
  const records = new Map<number, number>();
  let asked = 0;
  for (let row = 0; row < counts.length; row++) {
    if (!isAsked(row, variable)) continue;
    const code = codesOf(row)[variable]!;
    records.set(code, (records.get(code) ?? 0) + counts[row]!);
    asked += counts[row]!;
  }
  return { right: [...records.values()].reduce((most, one) => Math.max(most, one), 0), asked };
}

/** The share of (record, variable) pairs that simple guesses at each variable get right; null of none. */
export function guessedShare(variables: readonly GuessedValue[]): number | null {
  const asked = variables.reduce((sum, variable) => sum + variable.asked, 0);
  return asked === 0 ? null : variables.reduce((sum, variable) => sum + variable.right, 0) / asked;
}
