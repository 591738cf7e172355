import { describe, expect, it } from 'vitest';
import { groupByValues } from '../../../shared/risk/scoring/value-groups.ts';

const codes = Uint16Array.of(2, 0, 1, /**/ 0, 0, 1, /**/ 2, 1, 1, /**/ 0, 0, 0, /**/ 2, 0, 0);

describe('groupByValues()', () => {
  it('puts rows with the same values together, values in lexicographic order, rows as they come', () => {
    const groups = groupByValues(codes, 3, [0, 1]);
    expect([...groups.codes]).toEqual([0, 0, 2, 0, 2, 1]);
    expect([...groups.starts]).toEqual([0, 2, 4, 5]);
    expect([...groups.members]).toEqual([1, 3, 0, 4, 2]);
    expect([...groups.valueOfRow]).toEqual([1, 0, 2, 0, 1]);
  });

  it('has one value when there are no columns', () => {
    const groups = groupByValues(codes, 3, []);
    expect([...groups.codes]).toEqual([]);
    expect([...groups.starts]).toEqual([0, 5]);
    expect([...groups.members]).toEqual([0, 1, 2, 3, 4]);
  });
});
