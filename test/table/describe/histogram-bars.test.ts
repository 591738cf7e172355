import { describe, expect, it } from 'vitest';
import { histogramBars } from '../../../shared/table/describe/histogram-bars.ts';

describe('histogramBars()', () => {
  it('gives whole numbers bars between whole numbers, and counts every record once', () => {
    const ages = Float64Array.from({ length: 720 }, (_, i) => 18 + (i % 72));
    const bars = histogramBars(ages);
    // 72 values in bars of three.
    expect(bars).toHaveLength(24);
    expect(bars[0]).toEqual({ from: 18, to: 21, records: 30 });
    expect(bars.reduce((sum, { records }) => sum + records, 0)).toBe(720);
    expect(histogramBars(Float64Array.of(3, 3, 4))).toEqual([
      { from: 3, to: 4, records: 2 },
      { from: 4, to: 5, records: 1 },
    ]);
  });

  it('cuts other numbers into thirty, the largest with those before it', () => {
    const bars = histogramBars(Float64Array.of(-1.5, 0, 1.5));
    expect(bars).toHaveLength(30);
    expect(bars.map(({ records }) => records).filter((records) => records > 0)).toEqual([1, 1, 1]);
    expect(bars.at(-1)).toMatchObject({ records: 1 });
    expect(histogramBars(Float64Array.of(0.5, 0.5))).toEqual([{ from: 0.5, to: 1.5, records: 2 }]);
    expect(histogramBars(new Float64Array(0))).toEqual([]);
  });
});
