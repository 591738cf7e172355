import type { NumberFormat } from '../../contracts/config/reading.ts';
import { decimalNumber } from './decimal-number.ts';

/** The number that a cell writes, NaN for any other text. */
export type NumberReader = (text: string) => number;

/** Characters that stand for each separator: spaces are also written without a break, narrow or not. */
const SEPARATORS = { ',': ',', '.': '\\.', ' ': '[ \\u00a0\\u202f]', "'": "['\\u2019]" } as const;

/**
 * Reads numbers as a file writes them. Groups between thousands separators have three digits, the first one to three;
 * a number without separators is accepted.
 *
 * @param format undefined for numbers as 1234.5, see {@link decimalNumber}
 */
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
