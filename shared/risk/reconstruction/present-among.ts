/**
 * The probability that a value of a given density is among so many records, each an independent draw: 1 - (1 - f)^n.
 *
 * @param records n, a whole number below 2^31
 */
export function presentAmong(density: number, records: number): number {
  // By squaring, which is the same everywhere and, of a probability, exact enough: (1 - f)^n to n times the rounding of a double.
  let absent = 1;
  let power = 1 - density;
  for (let left = records; left > 0; left >>>= 1) {
    if ((left & 1) === 1) absent *= power;
    power *= power;
  }
  return 1 - absent;
}

/** The probability that any of `count` out of `all` records is among `taken` of them, drawn without replacement. */
export function presentInSample(count: number, all: number, taken: number): number {
  let absent = 1;
  for (let i = 0; i < count; i++) absent *= Math.max(0, all - taken - i) / (all - i);
  return 1 - absent;
}
