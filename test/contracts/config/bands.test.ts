import { describe, expect, it } from 'vitest';
import { bandLabels, bandOf, candidateBands } from '../../../shared/contracts/config/bands.ts';

describe('bandLabels()', () => {
  it('says where each band begins and ends, as R does; the last has no end', () => {
    expect(bandLabels([0, 18, 65])).toEqual(['[0,18)', '[18,65)', '[65,Inf)']);
    expect(bandLabels([-1.5, 0.25])).toEqual(['[-1.5,0.25)', '[0.25,Inf)']);
  });
});

describe('bandOf()', () => {
  it('puts a break into the band that it begins, and nothing below the first', () => {
    const breaks = [0, 18, 65];
    expect([0, 17.999, 18, 64, 65, 1e9].map((age) => bandOf(breaks, age))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(bandOf(breaks, -1e-300)).toBe(-1);
    expect(bandOf(breaks, -0)).toBe(0);
  });
});

describe('candidateBands()', () => {
  it('are those declared, or of what is nearest to each point of a grid', () => {
    expect(candidateBands({ bands: [0, 18] })).toEqual({ lower: [0, 18], labels: ['[0,18)', '[18,Inf)'], points: null });
    expect(candidateBands({ grid: [1, 2, 5] })).toEqual({ lower: [-Infinity, 1.5, 3.5], labels: ['1', '2', '5'], points: [1, 2, 5] });
  });
});
