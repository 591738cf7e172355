import type { NumberFormat } from '../../contracts/config/reading.ts';

const DECIMAL_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Whether a text writes a number in decimal notation, of whatever size. */
export const isDecimalNumber = (text: string): boolean => DECIMAL_NUMBER.test(text);

/**
 * The number that a cell writes in decimal notation; NaN for anything else: `''`, ` 1`, `0x1`, `Infinity`, beyond a double, and whole
 * numbers in full that no double is, as identifiers of 17 digits are: they would become each other.
 */
export function decimalNumber(text: string): number {
  if (!isDecimalNumber(text)) return Number.NaN;
  const value = Number(text);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  if (!Number.isFinite(value)) return Number.NaN;
  const isRounded = /^[+-]?\d+$/.test(text) && ![String(value), String(BigInt(value))].includes(text.replace('+', ''));
  return isRounded ? Number.NaN : value;
}

/** The number that a cell writes, NaN for any other text. */
export type NumberReader = (text: string) => number;

/** Characters that stand for each separator: spaces are also written without a break, narrow or not. */
const SEPARATORS = { ',': ',', '.': '\\.', ' ': '[ \\u00a0\\u202f]', "'": "['\\u2019]" } as const;

/** Reads numbers as a file writes them, with thousands separators or without; as {@link decimalNumber} where no format is given. */
export function numberReader(format: NumberFormat | undefined): NumberReader {
  if (format === undefined) return decimalNumber;
  const { decimal, thousands } = format;
  const separator = thousands === undefined ? null : SEPARATORS[thousands];
  const mark = SEPARATORS[decimal];
  const whole = separator === null ? '\\d+' : `(?:\\d{1,3}(?:${separator}\\d{3})+|\\d+)`;
  const written = new RegExp(`^[+-]?(?:${whole}(?:${mark}\\d*)?|${mark}\\d+)(?:[eE][+-]?\\d+)?$`);
  const separators = separator === null ? null : new RegExp(separator, 'g');
  return (text) => {
    if (!written.test(text)) return Number.NaN;
    const plain = separators === null ? text : text.replace(separators, '');
    return decimalNumber(decimal === ',' ? plain.replace(',', '.') : plain);
  };
}

/**
 * Reads numbers as 1234.5, as releases of this program have them, and as the file of a format writes them too, as those who make
 * datasets elsewhere do; not so where a point divides thousands, since 1.234 would be either.
 */
export function eitherReader(format: NumberFormat | undefined): NumberReader {
  if (format === undefined || format.thousands === '.') return decimalNumber;
  const asFormatted = numberReader(format);
  return (text) => {
    const value = decimalNumber(text);
    return Number.isNaN(value) ? asFormatted(text) : value;
  };
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Inferred categories in the order in which they are encoded: by number when every text is one, otherwise and among equal
 * numbers by UTF-16 code unit. Never by locale, since the same table must give the same codes everywhere.
 */
export function inCategoryOrder(texts: Iterable<string>, numberOf: NumberReader = decimalNumber): string[] {
  const categories = [...texts];
  const numbers = new Map(categories.map((text) => [text, numberOf(text)]));
  if ([...numbers.values()].some(Number.isNaN)) return categories.sort(byCodeUnit);
  return categories.sort((a, b) => numbers.get(a)! - numbers.get(b)! || byCodeUnit(a, b));
}
