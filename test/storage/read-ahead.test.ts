import { describe, expect, it } from 'vitest';
import { readAhead } from '../../shared/storage/read-ahead.ts';

const items = Array.from({ length: 50 }, (_, i) => i);

/** Reads that end out of order, and how many were under way at once at most. */
function reads(fails: (item: number) => boolean = () => false) {
  const seen = { begun: 0, underWay: 0, most: 0 };
  const read = async (item: number) => {
    seen.begun++;
    seen.most = Math.max(seen.most, ++seen.underWay);
    await new Promise((done) => setTimeout(done, (7 * item) % 5));
    seen.underWay--;
    if (fails(item)) throw new Error(`read ${item}`);
    return item;
  };
  return { read, seen };
}

describe('readAhead', () => {
  it('gives what is read in the order of the items, however long each takes', async () => {
    const { read, seen } = reads();
    const results: number[] = [];
    for await (const result of readAhead(items, read)) results.push(result);
    expect(results).toEqual(items);
    expect(seen.most).toBe(8);
  });

  it('gives nothing for nothing', async () => {
    for await (const _ of readAhead([], reads().read)) expect.unreachable();
  });

  it('throws the first failure in that order, begins no other read and leaves none under way', async () => {
    const { read, seen } = reads((item) => item === 3 || item === 5);
    const results: number[] = [];
    const all = async () => {
      for await (const result of readAhead(items, read)) results.push(result);
    };
    await expect(all()).rejects.toThrow('read 3');
    expect(results).toEqual([0, 1, 2]);
    expect(seen.begun).toBeLessThanOrEqual(3 + 8);
    expect(seen.underWay).toBe(0);
  });

  it('begins no other read when its results are left', async () => {
    const { read, seen } = reads();
    for await (const result of readAhead(items, read)) if (result === 4) break;
    expect(seen.begun).toBeLessThanOrEqual(5 + 8);
    expect(seen.underWay).toBe(0);
  });
});
