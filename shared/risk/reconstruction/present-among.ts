/**
 * The probability that a value of a given density is among so many records, each an independent draw: 1 - (1 - f)^n.
 *
 * @param records n, a whole number
 */
export function presentAmong(density: number, records: number): number {
  // By squaring, which is the same everywhere and, of a probability, exact enough: (1 - f)^n to n times the rounding of a double.
  let [absent, power, left] = [1, 1 - density, records];
  while (left > 0) {
    if (left % 2 === 1) absent *= power;
    power *= power;
    left = Math.floor(left / 2);
  }
  return 1 - absent;
}

/** The probability that any of `count` out of `all` records is among `taken` of them, drawn without replacement. */
export function presentInSample(count: number, all: number, taken: number): number {
  let absent = 1;
  for (let i = 0; i < count; i++) absent *= Math.max(0, all - taken - i) / (all - i);
  return 1 - absent;
}
