import { describe, expect, it } from 'vitest';
import { levelOfShape } from '../../../shared/risk/matching/match-counter.ts';

/** Half-widths of two variables at three levels. */
const widths = Float64Array.of(...[1, 2, 4], ...[0, 10, 10]);
const level = (shape: 'box' | 'ellipse', distances: number[], from = 0, own = widths) =>
  levelOfShape(shape, distances.length)(Float64Array.from(distances), own, own.length / distances.length, from);

describe('a box', () => {
  it('matches at the first level at which every distance is within its half-width, ends included', () => {
    expect(level('box', [0, 0])).toBe(0);
    expect(level('box', [1, 0])).toBe(0);
    expect(level('box', [1.5, 0])).toBe(1);
    expect(level('box', [1, 0.1])).toBe(1);
    expect(level('box', [3, 10])).toBe(2);
    expect(level('box', [4, 10])).toBe(2);
  });

  it('matches at no level where one distance is beyond them all, and at none before the one to start from', () => {
    expect(level('box', [5, 0])).toBe(3);
    expect(level('box', [0, 11])).toBe(3);
    expect(level('box', [0, Number.POSITIVE_INFINITY])).toBe(3);
    expect(level('box', [0, 0], 2)).toBe(2);
  });
});

describe('an ellipse', () => {
  it('matches where the squares of distance by half-width sum to at most 1', () => {
    expect(level('ellipse', [1.2, 8])).toBe(1);
    expect(level('ellipse', [1.3, 8])).toBe(2);
    expect(level('ellipse', [2, 10])).toBe(3);
    expect(level('ellipse', [4, 0])).toBe(2);
    expect(level('ellipse', [0, 0], 1)).toBe(1);
  });

  it('leaves the exact match of a half-width of zero, and takes everything within an infinite one', () => {
    expect(level('ellipse', [1, 0])).toBe(0);
    expect(level('ellipse', [0, 1e-9])).toBe(1);
    const open = Float64Array.of(1, Number.POSITIVE_INFINITY);
    expect(level('ellipse', [1, 1e300], 0, open)).toBe(0);
    expect(level('ellipse', [1, Number.POSITIVE_INFINITY], 0, open)).toBe(0);
  });

  it('of one variable is an interval', () => {
    expect(level('ellipse', [3], 0, Float64Array.of(1, 3))).toBe(1);
    expect(level('ellipse', [1e-200], 0, Float64Array.of(1e-201, 1e-200))).toBe(1);
  });
});
