/** Standard deviation of two values or more, with the divisor n - 1. */
export function standardDeviation(values: ArrayLike<number>): number {
  const { length } = values;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += values[i]!;
  const mean = sum / length;
  let squares = 0;
  for (let i = 0; i < length; i++) squares += (values[i]! - mean) * (values[i]! - mean);
  return Math.sqrt(squares / (length - 1));
}
