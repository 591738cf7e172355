import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounded, roundedToError } from '../../../shared/report/records/rounded.ts';
import { formatEstimate, formatFigure } from '../../../shared/report/words/format-number.ts';

/** What a text shows, whatever its decimals: of 29.96 it shows 30.0, of 30 it shows 30. */
const shown = (text: string) => text.split('\u00a0±\u00a0').map((part) => Number(part.replaceAll(',', '')));

const figures = fc.double({ min: 1e-8, max: 1e8, noNaN: true });
const nearlyNone = fc
  .tuple(figures, fc.double({ min: 0.99e-6, max: 1.01e-6, noNaN: true }))
  .map(([figure, share]): [number, number] => [figure, share * figure]);

describe('rounded()', () => {
  it('gives what is shown as what it was rounded from', () => {
    fc.assert(
      fc.property(figures, (figure) => {
        expect(shown(formatFigure(rounded(figure)))).toEqual(shown(formatFigure(figure)));
      }),
    );
  });

  it('keeps whole numbers, and never makes a number infinite', () => {
    expect([rounded(0), rounded(7014), rounded(123_457)]).toEqual([0, 7014, 123_457]);
    expect(rounded(Number.MAX_VALUE)).toBe(Number.MAX_VALUE);
    expect(rounded(8.218407e307)).toBe(8.22e307);
  });
});

describe('roundedToError()', () => {
  it.each([
    ['of any size', fc.tuple(figures, fc.double({ min: 1e-6, max: 1e3, noNaN: true }))],
    ['about as small as those that count as none', nearlyNone],
  ])('gives figure and error that are shown as what they were rounded from, errors %s', (_, pairs) => {
    fc.assert(
      fc.property(pairs, ([figure, error]) => {
        const [shortFigure, shortError] = roundedToError(figure, error);
        expect(shown(formatEstimate(shortFigure, shortError))).toEqual(shown(formatEstimate(figure, error)));
      }),
      { examples: [[[99_999_995, 99.999995]], [[2.99999995, 0.00000299999995]]] },
    );
  });

  it('gives no error where there is none', () => {
    expect(roundedToError(0.123456, 0)).toEqual([0.123, 0]);
    expect(roundedToError(0.123456, Number.NaN)).toEqual([0.123, 0]);
    expect(roundedToError(12_345.6, 120)).toEqual([12_350, 120]);
  });
});
