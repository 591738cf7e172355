import { describe, expect, it } from 'vitest';
import { nearestName } from '../../shared/contracts/nearest-name.ts';

describe('nearestName()', () => {
  const names = ['seed', 'burnIn', 'table', 'variables'];

  it.each([
    ['sead', 'seed'],
    ['burnin', 'burnIn'],
    ['tabel', 'table'],
    ['variable', 'variables'],
    ['varriabels', undefined],
    ['seed', 'seed'],
    ['sed', 'seed'],
    ['', undefined],
    ['widowed', undefined],
    ['seeds and all that follows', undefined],
  ])('takes %j for %j', (text, expected) => {
    expect(nearestName(text, names)).toBe(expected);
  });

  it('takes the nearest, and the first of several as near', () => {
    expect(nearestName('chain', ['train', 'chains'])).toBe('chains');
    expect(nearestName('bin', ['pin', 'tin'])).toBe('pin');
    expect(nearestName('bin', [])).toBeUndefined();
  });
});
