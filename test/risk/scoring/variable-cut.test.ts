import { describe, expect, it } from 'vitest';
import { headVariables, leftVariables } from '../../../shared/risk/scoring/variable-cut.ts';

describe('leftVariables()', () => {
  it('cuts where both halves have about as many possible values', () => {
    expect(leftVariables([2, 2, 2, 2])).toBe(2);
    expect(leftVariables([100, 2, 2, 3])).toBe(1);
    expect(leftVariables([2, 3, 2, 100])).toBe(3);
  });

  it('leaves at least one variable on the left, also where nothing can be cut', () => {
    expect(leftVariables([7])).toBe(1);
    expect(leftVariables([1, 1, 1])).toBe(1);
  });
});

describe('headVariables()', () => {
  it('leaves the last variables that have 16 values together to the block', () => {
    expect(headVariables([3, 4, 20])).toBe(2);
    expect(headVariables([3, 4, 5])).toBe(1);
    expect(headVariables([2, 2, 4, 4])).toBe(2);
  });

  it('leaves all to the block where they have fewer', () => {
    expect(headVariables([3])).toBe(0);
    expect(headVariables([2, 3, 2])).toBe(0);
  });
});
