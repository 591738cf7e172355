import type { UniqueValuesSummary } from '../../contracts/results/unique-values.ts';
import { formatFigure, formatQuantity } from './format-number.ts';

/** How many values of a variable one record alone has, and how many of them came out. */
export function uniqueInWords({ variable, values, expected, released, reason }: UniqueValuesSummary): string {
  const held = `${variable}: ${formatQuantity(values, 'value')} that one record alone has`;
  if (released === null) return `${held}; ${reason}`;
  const before = expected === null ? '' : `, ${formatFigure(expected)} expected`;
  return `${held}, of which ${formatFigure(released)} came out${before}${reason === undefined ? '' : ` (${reason})`}`;
}
