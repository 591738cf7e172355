import { describe, expect, it } from 'vitest';
import { candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { CELL_NUMBERS } from '../../../shared/risk/intruder/value-sets.ts';
import { mixedSpace, mixedValueSets } from '../../../shared/risk/mixed/mixed-space.ts';
import { SCALED_NUMBER } from './scaled-number.ts';

const space = mixedSpace(candidateSpace('one-change', ['a'], [3]), [SCALED_NUMBER]);

describe('mixedSpace()', () => {
  it('has masses and cells in ascending order, numbered after the categories as they are declared', () => {
    const [own] = space.continuous;
    expect(space.perRecord).toBe(3 + 6);
    expect(own!.first).toBe(3);
    expect(own!.entries.map(({ place }) => place)).toEqual([1, 2, 3, 0, 4, 5]);
    expect([...own!.bounds]).toEqual([-5, -5, 0, 2.5, 2.5, 5, 5, 5, 5, 7.5, 7.5, 10]);
  });
});

describe('mixedValueSets()', () => {
  const values = Float64Array.of(6, -5, NaN, 10, 0.1);
  const codes = Uint16Array.of(0, 1, 2, 0, 1);
  const sets = mixedValueSets(space, { codes, values });
  const scaleOf = (row: number) => sets.of(row)[1]!.scale!;
  const cellsOf = (row: number) =>
    Array.from({ length: 6 }, (_, v) => [...scaleOf(row).cells.subarray(v * CELL_NUMBERS, (v + 1) * CELL_NUMBERS)]);
  const close = (...numbers: number[]) => numbers.map((number) => expect.closeTo(number, 12));

  it('are of every categorical variable and of every continuous one, whose gains all add up', () => {
    expect(sets).toMatchObject({ count: 2, counted: [0, 1], mostEntries: 3 + 6, continuous: { sets: 1, entries: 6 } });
    expect(sets.of(0).map(({ candidates }) => [...candidates])).toEqual([
      [0, 1, 2],
      [4, 5, 6, 3, 7, 8],
    ]);
    expect(sets.of(2)[1]!.codes).toHaveLength(0);
    // Where a candidate is left out, those after it have the numbers before theirs.
    const considered = Array.from(codes, (_, row) => Uint32Array.of(...(row === 0 ? [0, 2] : [0, 1, 2]), 3, 4, 5, 6, 7, 8));
    expect([...mixedValueSets(space, { codes, values }, considered).of(0)[1]!.candidates]).toEqual([3, 4, 5, 2, 6, 7]);
  });

  it('say of every mass and cell its gap, its width, and its shares below the value and near it', () => {
    // Near 6 is from 5.4 to 6.6.
    expect(cellsOf(0)).toEqual([
      close(0, 0, 1, 0),
      close(5, 2.5, 1, 0),
      close(0, 2.5, 1, 0),
      close(0, 0, 1, 0),
      close(0, 2.5, 0.4, 0.48),
      close(0, 2.5, 0, 0),
    ]);
    // The gap lies above a value below it, and a mass is near itself.
    expect(cellsOf(1).slice(0, 2)).toEqual([close(0, 0, 0, 1), close(-5, 2.5, 0, 0)]);
    // A tenth of 0.1 is less than rounding leaves open: from 0.05 to 0.15.
    expect(cellsOf(4)[1]).toEqual(close(5, 2.5, 0.04, 0.04));
  });

  it('know the mass that holds a value, or how much of the unit scale its decimals leave open, within the range', () => {
    expect(scaleOf(1)).toMatchObject({ truthEntry: 0, logPrecision: 0 });
    expect(scaleOf(0)).toMatchObject({ truthEntry: null, logPrecision: expect.closeTo(Math.log(0.01), 9) });
    expect(scaleOf(3)).toMatchObject({ truthEntry: null, logPrecision: expect.closeTo(Math.log(0.005), 9) });
    const at5 = mixedValueSets(space, { codes: Uint16Array.of(0), values: Float64Array.of(5) }).of(0)[1]!.scale!;
    expect(at5).toMatchObject({ truthEntry: 3, logPrecision: 0 });
    const within = { ...SCALED_NUMBER, within: { amount: 2 } };
    const wider = mixedValueSets(mixedSpace(space.categorical, [within]), { codes: Uint16Array.of(0), values: Float64Array.of(6) });
    // From 4 to 8: parts of three cells, and the mass at 5.
    expect(Array.from({ length: 6 }, (_, v) => wider.of(0)[1]!.scale!.cells[v * CELL_NUMBERS + 3])).toEqual(close(0, 0, 0.4, 1, 1, 0.2));
  });
});
