import { describe, expect, it } from 'vitest';
import { sortedOrder } from '../../shared/numeric/sorted-order.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';

const random = new RandomStream(1, 'sorted-order');

/** Numbers of every magnitude and sign, many of them equal. */
const numbers = (length: number) =>
  Float64Array.from({ length }, () => {
    const kind = random.below(4);
    if (kind === 0) return 0;
    if (kind === 1) return random.below(2) === 0 ? -0 : random.below(20) - 10;
    return (random.uniform() - 0.5) * 10 ** (random.below(600) - 300);
  });

describe('sortedOrder()', () => {
  it.each([0, 1, 2, 100, 4095, 4096, 20_000])('orders %i numbers as a stable comparison does', (length) => {
    const values = numbers(length);
    const expected = [...values.keys()].sort((a, b) => values[a]! - values[b]! || a - b);
    expect([...sortedOrder(values)]).toEqual(expected);
  });
});
