import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { drawTargets, heldValues } from '../../../shared/risk/calibration/calibration-targets.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { randomCodes } from '../../model/random-state.ts';

const sizes = [2, 3, 4];
const names = ['a', 'b', 'c'];
const RECORDS = 50;
const codes = randomCodes(new RandomStream(5, 'table'), sizes, RECORDS);
const spaces = { 'one-change': candidateSpace('one-change', names, sizes), unknown: candidateSpace({ unknown: ['a', 'c'] }, names, sizes) };
const rowOf = (table: Uint16Array, record: number) => [...table.subarray(3 * record, 3 * record + 3)];

describe.each(['one-change', 'unknown'] as const)('drawTargets() among candidates by %s', (kind) => {
  const space = spaces[kind];

  it('replaces distinct records by their candidates, and nothing else', () => {
    const before = codes.slice();
    const altered = drawTargets(codes, space, 20, new RandomStream(6, 'targets'));
    expect(codes).toEqual(before);
    expect(new Set(altered.records).size).toBe(20);
    for (const [t, record] of altered.records.entries()) {
      const centre = rowOf(altered.centres, t);
      expect(centre).toEqual(rowOf(codes, record));
      for (const { variable, code } of candidateChanges(space, centre, altered.truths[t]!)) {
        centre[variable] = code;
      }
      expect(rowOf(altered.codes, record)).toEqual(centre);
      expect(rowOf(heldValues(space, altered), t)).toEqual(centre);
    }
    for (let record = 0; record < RECORDS; record++) {
      if (!altered.records.includes(record)) {
        expect(rowOf(altered.codes, record)).toEqual(rowOf(codes, record));
      }
    }
  });

  it('draws every candidate and every record equally often', () => {
    const truths = new Float64Array(space.perCombination);
    const records = new Float64Array(RECORDS);
    const repeats = 2_000;
    for (let repeat = 0; repeat < repeats; repeat++) {
      const altered = drawTargets(codes, space, 10, new RandomStream(repeat, 'targets'));
      for (const truth of altered.truths) truths[truth]!++;
      for (const record of altered.records) records[record]!++;
    }
    // Chi-square against equal counts: its mean is the degrees of freedom, its variance twice that.
    for (const counts of [truths, records]) {
      const expected = (10 * repeats) / counts.length;
      const square = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      const freedom = counts.length - 1;
      expect(Math.abs(square - freedom)).toBeLessThan(4 * Math.sqrt(2 * freedom));
    }
  });
});

it('drawTargets() can replace every record, and refuses to replace more', () => {
  const all = drawTargets(codes, spaces['one-change'], RECORDS, new RandomStream(7, 'targets'));
  expect(new Set(all.records).size).toBe(RECORDS);
  expect(() => drawTargets(codes, spaces.unknown, RECORDS + 1, new RandomStream(7, 'targets'))).toThrow(RangeError);
});
