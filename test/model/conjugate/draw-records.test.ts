import { describe, expect, it } from 'vitest';
import { drawRecords } from '../../../shared/model/conjugate/draw-records.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const sizes = [2, 3];
const codes = Uint16Array.from([0, 0, 0, 0, 0, 0, 1, 2]);
const { combinations } = combinationsFromCodes(codes, 4, 2);

describe('drawRecords', () => {
  it.each([0.01, 0.5, 20])('draws each cell by its smoothed share, %d added', (alpha) => {
    const draws = 60_000;
    const random = new RandomStream(1, `counts/${alpha}`);
    const drawn = drawRecords(combinations, sizes, alpha, draws, random).combinations;
    const counts = new Map<string, number>();
    for (let row = 0; row < drawn.count; row++) {
      counts.set([...drawn.codes.subarray(2 * row, 2 * row + 2)].join(), drawn.counts[row]!);
    }
    for (let a = 0; a < 2; a++) {
      for (let b = 0; b < 3; b++) {
        const own = a === 0 && b === 0 ? 3 : a === 1 && b === 2 ? 1 : 0;
        const p = (own + alpha) / (4 + 6 * alpha);
        const error = Math.sqrt((p * (1 - p)) / draws);
        expect(Math.abs((counts.get(`${a},${b}`) ?? 0) / draws - p)).toBeLessThan(4.5 * error);
      }
    }
  });

  it('tells of each record which combination it is one of, in an order that tells nothing', () => {
    const drawn = drawRecords(combinations, sizes, 1, 500, new RandomStream(2, 'order'));
    const counts = new Uint32Array(drawn.combinations.count);
    for (const combination of drawn.combinationOfRecord) counts[combination]!++;
    expect(counts).toEqual(drawn.combinations.counts);
    const first = drawn.combinationOfRecord.slice(0, 250).filter((combination) => combination === 0).length;
    const second = drawn.combinationOfRecord.slice(250).filter((combination) => combination === 0).length;
    expect(Math.abs(first - second)).toBeLessThan(60);
  });
});
