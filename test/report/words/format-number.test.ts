import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatEstimate,
  formatFigure,
  formatPercent,
  formatPercentEstimate,
  formatQuantity,
  formatRank,
  formatSetting,
  formatSupported,
  roundToError,
} from '../../../shared/report/words/format-number.ts';

describe('number formats', () => {
  it('separate thousands', () => {
    expect(formatCount(8709120)).toBe('8,709,120');
    expect(formatEstimate(1204.51, 0.12)).toBe('1,204.51\u00a0±\u00a00.12');
  });

  it('leave three significant digits of a figure without an error, and no exponents', () => {
    expect(formatFigure(0.057)).toBe('0.0570');
    expect(formatFigure(1234.5)).toBe('1,230');
    expect(formatFigure(1816)).toBe('1,820');
    expect(formatFigure(-54321.7)).toBe('−54,300');
    expect(formatFigure(1.254e-7)).toBe('0.000000125');
    expect(formatFigure(1.97e-31)).toBe('< 0.000000001');
    expect(formatFigure(-1e-12)).toBe('> −0.000000001');
    expect(formatFigure(7)).toBe('7');
    expect(formatFigure(-0)).toBe('0');
  });

  it('drop trailing zeros of settings', () => {
    expect(formatSetting(0.8)).toBe('0.8');
    expect(formatSetting(12)).toBe('12');
  });

  it('give shares one decimal, small ones two digits instead of 0.0 %, and those with an error what it supports', () => {
    expect(formatPercent(0.1034)).toBe('10.3\u00a0%');
    expect(formatPercent(0.000142)).toBe('0.014\u00a0%');
    expect(formatPercent(1e-10)).toBe('0.00000001\u00a0%');
    expect(formatPercent(1.3e-56)).toBe('< 0.000000001\u00a0%');
    expect(formatPercent(0)).toBe('0.0\u00a0%');
    expect(formatPercent(0.10344, 0.0042)).toBe('10.3\u00a0%');
    expect(formatPercent(0.50459, 0.0001)).toBe('50.5\u00a0%');
    expect(formatPercent(0.10344, 0.13)).toBe('10\u00a0%');
    expect(formatPercentEstimate(0.10344, 0.0042)).toBe('10.3\u00a0±\u00a00.4\u00a0%');
    expect(formatPercentEstimate(0.10344, 0.00012)).toBe('10.34\u00a0±\u00a00.01\u00a0%');
    expect(formatPercentEstimate(0.10344, 0.0421)).toBe('10.3\u00a0±\u00a04.2\u00a0%');
    expect(formatPercentEstimate(0.10344, 0)).toBe('10.3\u00a0±\u00a00\u00a0%');
  });

  it('show the mean rank of ties', () => {
    expect(formatRank(1.5)).toBe('1.5');
    expect(formatRank(12)).toBe('12');
    expect(formatRank(12345.5)).toBe('12,300');
  });

  it('count one and many', () => {
    expect(formatQuantity(1, 'class', 'classes')).toBe('1\u00a0class');
    expect(formatQuantity(40, 'class', 'classes')).toBe('40\u00a0classes');
  });
});

describe('roundToError()', () => {
  it.each([
    [0.91234, 0.0338, '0.912', '0.034'],
    [0.5, 0.0996, '0.50', '0.10'],
    [0.2691234, 0.00874, '0.2691', '0.0087'],
    [638.54, 26.2, '639', '26'],
    [54321.7, 123.4, '54,320', '120'],
    [54321.7, 996, '54,300', '1,000'],
    [1234, 5678, '1,200', '5,700'],
    [-0.004, 0.012, '−0.004', '0.012'],
    [-0.0004, 0.12, '0.00', '0.12'],
    [9.352e-8, 1.21e-9, '0.0000000935', '0.0000000012'],
  ])('gives %d with error %d as %s and %s', (figure, standardError, ...rounded) => {
    expect(roundToError(figure, standardError)).toEqual(rounded);
  });

  it('takes an error that is a millionth of its figure or less for none', () => {
    expect(roundToError(0.25, 0)).toEqual(['0.250', '0']);
    expect(roundToError(0.99999999, 1e-12)).toEqual(['1.00', '0']);
    expect(roundToError(0, 0)).toEqual(['0', '0']);
  });
});

describe('formatSupported()', () => {
  it('gives a figure alone, to what its error supports', () => {
    expect(formatSupported(0.03712, 0.0003)).toBe('0.03712');
    expect(formatSupported(0.03712, null)).toBe('0.0371');
  });

  it('gives whole numbers no decimals', () => {
    expect(formatSupported(14, 3.2)).toBe('14');
    expect(formatSupported(1816, 230)).toBe('1,820');
  });
});
