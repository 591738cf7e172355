/** How the texts of a column are written, its marks of missing values aside. */
export type TextForm = 'numbers' | 'zero-codes' | 'compact-dates' | 'dates' | 'decimal-comma' | 'thousands' | 'text';

/** What the distinct texts of a column have in common. */
export interface ColumnTraits {
  /** Distinct values, missing ones aside. */
  readonly distinct: number;
  readonly form: TextForm;
  /** The thousands separator that the column seems to have; null without one. */
  readonly thousands: ',' | '.' | ' ' | "'" | null;
  /** Texts of {@link MISSING_MARKS}, and runs of nines beyond all numbers, that occur as values. */
  readonly marks: readonly string[];
  /** Whether some texts differ only in what {@link plainSpelling} leaves out. */
  readonly hasVariants: boolean;
  readonly isPadded: boolean;
}

/** A number that begins with a zero which it does not need, as codes do: 007, but not 0.7. */
export const hasLeadingZero = (text: string) => /^[+-]?0\d/.test(text);

const DATE =
  /^(?:(?:1[5-9]|2[0-2])\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\2(?:(?:1[5-9]|2[0-2])\d\d|\d\d))(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const COMPACT_DATE = /^(?:1[89]|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
/** R writes 1e+05 among them where that is shorter. */
const COMMA_NUMBER = /^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$/;
const PLAIN_NUMBER = /^[+-]?\d+(?:[eE][+-]?\d+)?$/;

/** Numbers with at least one group of three digits after each separator. */
const GROUPED = [
  [',', /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/],
  ['.', /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/],
  [' ', /^[+-]?[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?$/],
  ["'", /^[+-]?[1-9]\d{0,2}(?:['\u2019]\d{3})+(?:[.,]\d+)?$/],
] as const;

/** What is left of a text without upper case, spaces too many, and other ways to encode its accents (Unicode NFC and NFD). */
export const plainSpelling = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase().normalize();

/** What the distinct texts of a column, none of them missing, have in common; `numberOf` is the number in a text, or NaN. */
export function columnTraits(texts: readonly string[], numberOf: (text: string) => number): ColumnTraits {
  const marks = texts.filter(isMark);
  const marked = new Set(marks);
  const core = marks.length === 0 ? texts : texts.filter((text) => !marked.has(text));
  const variants = new Set(texts.map(plainSpelling));
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
  if (all((text) => COMMA_NUMBER.test(text) || PLAIN_NUMBER.test(text)) && texts.some((text) => COMMA_NUMBER.test(text))) {
    return as('decimal-comma');
  }
  return as('text');
}

/** Texts, in lower case, that often stand for a missing value where a program does not leave the cell empty. */
const MISSING_MARKS: ReadonlySet<string> = new Set('. .. ? - -- * #n/a n/a na <na> nan null missing inf -inf'.split(' '));

/** Nines that no double holds exactly, which would make texts of the numbers beside them, and marks; fewer nines are numbers. */
const NINES = /^[+-]?9{16,}$/;

const isMark = (text: string) => MISSING_MARKS.has(text.trim().toLowerCase()) || NINES.test(text.trim());

/** Negative numbers that questionnaires use for answers that are missing. */
const NEGATIVE_CODES: ReadonlySet<number> = new Set([
  -9, -8, -7, -6, -99, -98, -97, -88, -77, -66, -999, -998, -997, -888, -777, -9999, -9998, -9997, -99_999, -999_999, -9_999_999,
  -99_999_999, -999_999_999,
]);

/** Runs of nines, of at least two, and what questionnaires put beside them: 98 (refused) and 97 (does not know). */
const HIGH_CODES: readonly number[] = Array.from({ length: 14 }, (_, i) => Number('9'.repeat(i + 2)));

/** A value is far from the next one when that is at most this share of it. */
const FAR = 0.9;

/** A code is frequent when it occurs this often, and this many times as often as the ten values below it. */
const FREQUENT = { least: 5, times: 5 };

/**
 * Numbers among those of a column that may stand for missing values: negative codes where no other number is
 * negative, and a highest value of nines that lies far from the others or is far more frequent than its neighbours.
 * A rule of thumb, for suggestions alone.
 *
 * @param occurring distinct numbers with how often they occur, or any number several times
 */
export function suspectedMissingCodes(occurring: () => Iterable<readonly [number, number]>): number[] {
  const negative = new Set<number>();
  let onlyCodes = true;
  let highest = -Infinity;
  let others = 0;
  for (const [value] of occurring()) {
    if (value >= 0) {
      others++;
      if (value > highest) highest = value;
    } else if (NEGATIVE_CODES.has(value)) negative.add(value);
    else onlyCodes = false;
  }
  const low = onlyCodes && others > 0 ? [...negative].sort((a, b) => a - b) : [];
  return HIGH_CODES.includes(highest) ? [...low, ...highCodes(occurring, highest)] : low;
}

/** The highest number, and one or two below it, where they stand apart. */
function highCodes(occurring: () => Iterable<readonly [number, number]>, highest: number): number[] {
  const beside = new Set([highest, highest - 1, highest - 2]);
  const found = new Map<number, number>();
  let next = -Infinity;
  let near = 0;
  for (const [value, count] of occurring()) {
    if (beside.has(value)) found.set(value, (found.get(value) ?? 0) + count);
    if (value < highest && value >= highest - 10) near += count;
    if (!beside.has(value) && value > next) next = value;
  }
  if (next >= 0 && next <= FAR * highest) return [...found.keys()].sort((a, b) => a - b);
  const own = found.get(highest)!;
  return own >= FREQUENT.least && own > (FREQUENT.times * near) / 10 ? [highest] : [];
}
