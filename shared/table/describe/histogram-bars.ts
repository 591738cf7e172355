/** Bars of a histogram at most. */
const MOST_BARS = 30;

/** A bar: records with a value from `from` to `to`, the latter excluded but for the last bar. */
export interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly records: number;
}

/** Bars of equal width from the least to the largest of some numbers; of whole numbers their bounds are whole too. */
export function histogramBars(values: Float64Array): HistogramBar[] {
  if (values.length === 0) return [];
  const least = values.reduce((a, b) => Math.min(a, b));
  const largest = values.reduce((a, b) => Math.max(a, b));
  const isWhole = values.every(Number.isSafeInteger);
  const range = largest - least;
  const width = isWhole ? Math.max(1, Math.ceil((range + 1) / MOST_BARS)) : range / MOST_BARS || 1;
  const count = isWhole ? Math.ceil((range + 1) / width) : range > 0 ? MOST_BARS : 1;
  const records = new Float64Array(count);
  for (const value of values) records[Math.min(count - 1, Math.floor((value - least) / width))]!++;
  return Array.from(records, (own, bar) => ({ from: least + bar * width, to: least + (bar + 1) * width, records: own }));
}
