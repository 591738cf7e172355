import { expect, it } from 'vitest';
import { keyBeliefs } from '../../../shared/risk/attack/key-beliefs.ts';

const entropy = (...shares: number[]) => shares.reduce((sum, p) => sum - p * Math.log2(p), 0);

it('leaks the entropy of the target less the least among rows with the same keys, of keys that the file has', () => {
  // Two values of the target; the table has two combinations of keys, the dataset a third.
  const pairs = {
    keysOfPair: Uint32Array.of(0, 0, 1, 1, 2),
    targetOfPair: Uint32Array.of(0, 1, 0, 1, 0),
    table: Uint32Array.of(2, 2, 3, 1, 0),
    tableKeys: Uint32Array.of(4, 4, 0),
    dataset: Uint32Array.of(1, 3, 2, 2, 0),
    datasetKeys: Uint32Array.of(4, 4, 0),
    pairOfRecord: Uint32Array.of(0, 0, 1, 1, 2, 2, 2, 3),
  };
  const { figures } = keyBeliefs(pairs);
  expect(figures.maxInfoLeakageOriginal).toBeCloseTo(entropy(5 / 8, 3 / 8) - entropy(3 / 4, 1 / 4), 12);
  expect(figures.maxInfoLeakage).toBeCloseTo(entropy(3 / 8, 5 / 8) - entropy(1 / 4, 3 / 4), 12);
  // Of the first keys 3 / 4 against 3 / 8 of the second value, of the others 1 / 2 against 3 / 8.
  expect(figures.pidMax).toBeCloseTo(1, 12);
  expect(figures.pidMean).toBeCloseTo((1 + 1 / 3) / 2, 12);
  const alone = { ...pairs, dataset: Uint32Array.of(1, 3, 2, 2, 5), datasetKeys: Uint32Array.of(4, 4, 5) };
  // Rows of the third keys have one value.
  expect(keyBeliefs(alone).figures.maxInfoLeakage).toBeCloseTo(entropy(8 / 13, 5 / 13), 12);
});
