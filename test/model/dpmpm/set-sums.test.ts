import { describe, expect, it } from 'vitest';
import { createSetSums } from '../../../shared/model/dpmpm/truncation.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';

const CLASSES = 3;
const STRIDE = 8;
/** Five categories of two variables, and the sets {0, 1} of the first and {2, 3, 4} of the second. */
const proper = [
  { part: 5, categories: [0, 1] },
  { part: 6, categories: [2, 3, 4] },
];
const phi = (part: number, f: number) => [0.1, 0.25, 0.2, 0.15, 0.3][part]! * (f + 1) + 0.03 * part * f;

const parameters = () => {
  const ofParts = new Float64Array(7 * STRIDE);
  for (let part = 0; part < 5; part++) for (let f = 0; f < CLASSES; f++) ofParts[part * STRIDE + f] = phi(part, f);
  return { ofClasses: new Float64Array(STRIDE), ofParts, stride: STRIDE };
};

describe('createSetSums()', () => {
  it('sums phi over the categories of each set, class by class', () => {
    const own = parameters();
    createSetSums(proper, CLASSES).sum(own);
    for (const { part, categories } of proper) {
      for (let f = 0; f < CLASSES; f++) {
        const expected = categories.reduce((sum, category) => sum + phi(category, f), 0);
        expect(own.ofParts[part * STRIDE + f]).toBeCloseTo(expected, 12);
      }
    }
    for (let part = 0; part < 5; part++) expect(own.ofParts[part * STRIDE]).toBe(phi(part, 0));
  });

  it('hands the records of a set on to its categories by their phi, beside those that are there', () => {
    const sums = createSetSums(proper, CLASSES);
    const random = new RandomStream(43, 'sets');
    const records = [400, 0, 900];
    const n = 300;
    const found = new Float64Array(5 * CLASSES);
    for (let i = 0; i < n; i++) {
      const ofParts = new Uint32Array(7 * STRIDE);
      for (const { part } of proper) ofParts.set(records, part * STRIDE);
      ofParts.fill(10, 0, 5 * STRIDE);
      sums.spread(parameters(), { ofClasses: new Float64Array(STRIDE), ofParts, stride: STRIDE }, random);
      for (const { categories } of proper) {
        for (let f = 0; f < CLASSES; f++) {
          const own = categories.map((category) => ofParts[category * STRIDE + f]! - 10);
          expect(own.reduce((sum, count) => sum + count, 0)).toBe(records[f]);
          for (const [c, count] of own.entries()) found[categories[c]! * CLASSES + f]! += count;
        }
      }
    }
    for (const { categories } of proper) {
      for (const f of [0, 2]) {
        const total = categories.reduce((sum, category) => sum + phi(category, f), 0);
        for (const category of categories) {
          const p = phi(category, f) / total;
          const error = Math.sqrt(records[f]! * n * p * (1 - p));
          expect(Math.abs(found[category * CLASSES + f]! - records[f]! * n * p)).toBeLessThan(4.5 * error);
        }
      }
    }
  });
});
