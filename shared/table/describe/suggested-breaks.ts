/** Bands that are suggested: enough to tell old from young, few enough for each to hold many records. */
const BANDS = 6;
/** Fewest breaks above the first that rounding may leave, where there are as many values. */
const FEWEST = 3;
/** More digits than any amount needs. */
const MOST_DIGITS = 15;

/**
 * Where bands of about equal numbers of records may begin: quantiles, rounded to as few digits as keep them apart, since they
 * tell of records, after a first break below all values: 0, or where some are negative the next power of ten, and then 0.
 *
 * @param values without missing ones; two distinct ones at least
 */
export function suggestedBreaks(values: Float64Array): number[] {
  const sorted = values.slice().sort();
  const least = sorted[0]!;
  const first = least >= 0 ? 0 : Number(`-1e${powerAbove(-least)}`);
  let found: number[] = [];
  for (let digits = 1; digits <= MOST_DIGITS && found.length < FEWEST; digits++) {
    found = roundedQuantiles(sorted, digits).filter((from) => from > first && from <= sorted.at(-1)!);
  }
  const later = found.length > 0 ? found : [sorted.at(-1)!];
  // A break at zero separates losses from gains.
  const zero = first < 0 && sorted.at(-1)! > 0 ? [0] : [];
  return [first, ...new Set([...zero, ...later])].sort((a, b) => a - b);
}

/** The least whole power of ten that is not below a positive number. */
function powerAbove(value: number): number {
  let power = 0;
  while (Number(`1e${power}`) < value) power++;
  return power;
}

function roundedQuantiles(sorted: Float64Array, digits: number): number[] {
  const rounded = Array.from({ length: BANDS - 1 }, (_, band) => {
    const value = sorted[Math.floor(((band + 1) * sorted.length) / BANDS)]!;
    return Number(value.toPrecision(digits));
  });
  return [...new Set(rounded)];
}
