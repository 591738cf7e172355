import { standardDeviation } from '../numeric/spread.ts';

/** Mean of some numbers. */
export function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Variables in units of their standard deviations about their means, records x variables; one that is constant is 0. */
export function standardizedPoints(columns: readonly Float64Array[]): Float64Array {
  const records = columns[0]!.length;
  const points = new Float64Array(records * columns.length);
  for (const [v, values] of columns.entries()) {
    const mean = meanOf(values);
    const deviation = standardDeviation(values);
    const scale = deviation > 0 ? 1 / deviation : 0;
    for (let record = 0; record < records; record++) points[record * columns.length + v] = (values[record]! - mean) * scale;
  }
  return points;
}
