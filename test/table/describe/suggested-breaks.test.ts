import { describe, expect, it } from 'vitest';
import { suggestedBreaks } from '../../../shared/table/describe/suggested-breaks.ts';

const values = (count: number, value: (i: number) => number) => Float64Array.from({ length: count }, (_, i) => value(i));

describe('suggestedBreaks()', () => {
  it('rounds sixths of the values to as few digits as keep them apart, from 0', () => {
    // Sixths of 0 to 599 begin at 100, 200, 300, 400 and 500.
    expect(suggestedBreaks(values(600, (i) => i))).toEqual([0, 100, 200, 300, 400, 500]);
    // Those of 18 to 89 at 30, 42, 54, 66 and 78.
    expect(suggestedBreaks(values(72, (i) => 18 + i))).toEqual([0, 30, 40, 50, 70, 80]);
    // Of years one digit, and two, leave nothing to tell apart.
    expect(suggestedBreaks(values(60, (i) => 1950 + i))).toEqual([0, 1960, 1970, 1980, 1990, 2000]);
  });

  it('begins below negative values at a power of ten, and tells losses from gains', () => {
    expect(suggestedBreaks(values(600, (i) => i - 42))[0]).toBe(-100);
    expect(suggestedBreaks(values(600, (i) => i - 42))).toContain(0);
  });

  it('has a band more than the first where all but one value are the same', () => {
    expect(suggestedBreaks(Float64Array.of(0, 0, 0, 0, 0, 0, 7))).toEqual([0, 7]);
  });

  it('increases, and leaves no value below the first', () => {
    for (const scale of [0.001, 1, 12_345]) {
      const sample = values(97, (i) => scale * (((i * 37) % 97) - 20) ** 3);
      const breaks = suggestedBreaks(sample);
      expect(breaks).toEqual([...new Set(breaks)].sort((a, b) => a - b));
      expect(Math.min(...sample)).toBeGreaterThanOrEqual(breaks[0]!);
      expect(breaks.length).toBeGreaterThanOrEqual(2);
    }
  });
});
