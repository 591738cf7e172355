import { decimalNumber } from './decimal-number.ts';
import type { NumberReader } from './number-reader.ts';

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The order in which inferred categories are encoded: by number when every text is a decimal number (equal
 * numbers such as `1` and `01` by code unit), otherwise by UTF-16 code unit. Never by locale, since the same
 * table must give the same codes everywhere. Returns a new array.
 */
export function inCategoryOrder(texts: Iterable<string>, numberOf: NumberReader = decimalNumber): string[] {
  const categories = [...texts];
  const numbers = new Map(categories.map((text) => [text, numberOf(text)]));
  if ([...numbers.values()].some(Number.isNaN)) return categories.sort(byCodeUnit);
  return categories.sort((a, b) => numbers.get(a)! - numbers.get(b)! || byCodeUnit(a, b));
}
