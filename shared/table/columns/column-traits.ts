import { MISSING_MARKS } from './missing-marks.ts';

/** How the texts of a column are written, its marks of missing values aside. */
export type TextForm = 'numbers' | 'zero-codes' | 'compact-dates' | 'dates' | 'decimal-comma' | 'thousands' | 'text';

/** What the distinct texts of a column have in common. */
export interface ColumnTraits {
  /** Distinct values, missing ones aside. */
  readonly distinct: number;
  readonly form: TextForm;
  /** The thousands separator that the column seems to have; null without one. */
  readonly thousands: ',' | '.' | ' ' | "'" | null;
  /** Texts of {@link MISSING_MARKS} that occur as values. */
  readonly marks: readonly string[];
  /** Whether some texts differ only in upper case or in spaces. */
  readonly hasVariants: boolean;
  readonly isPadded: boolean;
}

/** A number that begins with a zero which it does not need, as codes do: 007, but not 0.7. */
export const hasLeadingZero = (text: string) => /^[+-]?0\d/.test(text);

const DATE =
  /^(?:(?:1[5-9]|2[0-2])\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:(?:1[5-9]|2[0-2])\d\d|\d\d))(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const COMPACT_DATE = /^(?:1[89]|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const COMMA_NUMBER = /^[+-]?\d*,\d+$/;
const PLAIN_NUMBER = /^[+-]?\d+$/;

/** Numbers with at least one group of three digits after each separator. */
const GROUPED = [
  [',', /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/],
  ['.', /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/],
  [' ', /^[+-]?[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/],
  ["'", /^[+-]?[1-9]\d{0,2}(?:['\u2019]\d{3})+(?:[.,]\d+)?$/],
] as const;

/**
 * What the distinct texts of a column have in common.
 *
 * @param texts none of them missing
 * @param numberOf the number in a text, NaN where it is none
 */
export function columnTraits(texts: readonly string[], numberOf: (text: string) => number): ColumnTraits {
  const marks = texts.filter((text) => MISSING_MARKS.has(text.trim().toLowerCase()));
  const marked = new Set(marks);
  const core = marks.length === 0 ? texts : texts.filter((text) => !marked.has(text));
  const variants = new Set(texts.map((text) => text.trim().replace(/\s+/g, ' ').toLowerCase()));
  return {
    distinct: texts.length,
    ...formOf(core, numberOf),
    marks,
    hasVariants: variants.size < texts.length,
    isPadded: texts.some((text) => text !== text.trim()),
  };
}

function formOf(texts: readonly string[], numberOf: (text: string) => number): Pick<ColumnTraits, 'form' | 'thousands'> {
  const all = (test: (text: string) => boolean) => texts.every(test);
  const as = (form: TextForm, thousands: ColumnTraits['thousands'] = null) => ({ form, thousands });
  if (texts.length === 0) return as('text');
  if (all((text) => COMPACT_DATE.test(text))) return as('compact-dates');
  if (all((text) => !Number.isNaN(numberOf(text)))) {
    return as(texts.some(hasLeadingZero) ? 'zero-codes' : 'numbers');
  }
  if (all((text) => DATE.test(text))) return as('dates');
  const isSmall = (text: string) => /^[+-]?\d{1,3}(?:[.,]\d+)?$/.test(text);
  for (const [separator, grouped] of GROUPED) {
    if (all((text) => grouped.test(text) || isSmall(text)) && texts.some((text) => grouped.test(text))) {
      // 0,125 and 12,5 among them are decimals, so that the commas of the others are as well.
      const decimals = texts.some((text) => COMMA_NUMBER.test(text) && !grouped.test(text));
      if (!(separator === ',' && decimals)) return as('thousands', separator);
    }
  }
  if (all((text) => COMMA_NUMBER.test(text) || PLAIN_NUMBER.test(text))) return as('decimal-comma');
  return as('text');
}
