import { formatEstimate, formatFigure, formatMeasured, formatPercent, formatPercentEstimate } from './format-number.ts';

/** A figure of a group of records, or that there is none. */
export const figureOrNone = (value: number | null) => groupFigure(value, null);

/** A mean over a group of records with its error, or that there are none; without one that is exactly 0. */
export const groupFigure = (value: number | null, standardError: number | null) =>
  value === null ? 'none' : formatMeasured(value, standardError);

/** A mean with its error, where there is one. */
type MeanOrNone = { readonly mean: number; readonly standardError: number | null } | null | undefined;

/** A mean with its error, where it has one, or that there is none. */
export function meanInWords(value: MeanOrNone): string {
  if (value == null) return 'none';
  return value.standardError === null ? formatFigure(value.mean) : formatEstimate(value.mean, value.standardError);
}

/** The same of a share, in percent. */
export function shareInWords(value: MeanOrNone): string {
  if (value == null) return 'none';
  return value.standardError === null ? formatPercent(value.mean) : formatPercentEstimate(value.mean, value.standardError);
}
