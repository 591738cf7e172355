import { expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { KeyIndex, NO_NUMBER } from '../../../shared/risk/matching/record-groups.ts';

it('numbers thousands of keys up to 2^53 in the order in which they come, and finds no others', () => {
  const random = new RandomStream(8, 'keys');
  // Many share their low word, many their high one.
  const key = () => random.below(40) * 2 ** 32 + random.below(2 ** 31) * (random.below(2) === 0 ? 1 : 0);
  const keys = Float64Array.from({ length: 4000 }, key);
  keys[10] = Number.MAX_SAFE_INTEGER;
  const expected = new Map<number, number>();
  for (const one of keys) if (!expected.has(one)) expected.set(one, expected.size);
  const index = new KeyIndex();
  const parts = [keys.subarray(0, 1500), keys.subarray(1500)].map((part) => [...index.add(part)]);
  expect(parts.flat()).toEqual([...keys].map((one) => expected.get(one)));
  expect(index.size).toBe(expected.size);
  expect(expected.size).toBeGreaterThan(1000);
  const others = Float64Array.from({ length: 500 }, () => 1 + random.below(2 ** 31) + 2 ** 40);
  expect([...index.find(others)]).toEqual([...others].map((one) => expected.get(one) ?? NO_NUMBER));
  expect([...index.find(keys)]).toEqual([...index.add(keys)]);
});
