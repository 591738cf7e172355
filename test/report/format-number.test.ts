import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatEstimate,
  formatFixed,
  formatPercent,
  formatPlain,
  formatQuantity,
  formatRank,
  formatSignificant,
} from '../../shared/report/format-number.ts';

describe('number formats', () => {
  it('separate thousands', () => {
    expect(formatCount(8709120)).toBe('8,709,120');
    expect(formatFixed(1204.5, 2)).toBe('1,204.50');
  });

  it('keep the significant digits that were asked for, without exponents', () => {
    expect(formatSignificant(0.057, 3)).toBe('0.0570');
    expect(formatSignificant(1234.5, 3)).toBe('1,230');
    expect(formatSignificant(-54321.7, 5)).toBe('−54,322');
    expect(formatSignificant(1.25e-7, 2)).toBe('0.00000013');
  });

  it('drop trailing zeros of settings', () => {
    expect(formatPlain(0.8)).toBe('0.8');
    expect(formatPlain(12)).toBe('12');
  });

  it('give small shares two digits instead of 0.0 %', () => {
    expect(formatPercent(0.1034)).toBe('10.3\u00a0%');
    expect(formatPercent(0.000142)).toBe('0.014\u00a0%');
    expect(formatPercent(0)).toBe('0.0\u00a0%');
  });

  it('show the mean rank of ties', () => {
    expect(formatRank(1.5)).toBe('1.5');
    expect(formatRank(12)).toBe('12');
  });

  it('count one and many', () => {
    expect(formatQuantity(1, 'class', 'classes')).toBe('1\u00a0class');
    expect(formatQuantity(40, 'class', 'classes')).toBe('40\u00a0classes');
  });
});

describe('formatEstimate', () => {
  it.each([
    [0.91234, 0.0338, '0.912\u00a0±\u00a00.034'],
    [0.5, 0.0996, '0.50\u00a0±\u00a00.10'],
    [0.2691234, 0.00874, '0.2691\u00a0±\u00a00.0087'],
    [0.25, 0, '0.250\u00a0±\u00a00'],
  ])('gives %d with error %d as %s', (estimate, standardError, text) => {
    expect(formatEstimate(estimate, standardError)).toBe(text);
  });
});
