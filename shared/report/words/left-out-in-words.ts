import type { GroupRisk } from '../../contracts/results/left-out.ts';
import { formatEstimate, formatFigure, formatPercent } from './format-number.ts';

/** A figure of a group of records, or that there is none. */
export const figureOrNone = (value: number | null, format = formatFigure) =>
  value === null ? 'none' : format(value);

/** The risk of a group of records in a line. */
export function groupInWords({
  truthRankedFirstShare,
  rankMean,
  probabilityMean,
  informationBitsMean,
  gainBitsMean,
}: Omit<GroupRisk, 'records'>): string {
  return [
    `truth ranked first for ${figureOrNone(truthRankedFirstShare, formatPercent)}`,
    `mean rank ${figureOrNone(rankMean)}`,
    `probability ${figureOrNone(probabilityMean)}`,
    `information ${figureOrNone(informationBitsMean)} bits`,
    `gain ${figureOrNone(gainBitsMean)} bits`,
  ].join(', ');
}

/** A mean with its error, where it has one, or that there is none. */
export function meanInWords(
  value: { readonly mean: number; readonly standardError: number | null } | null,
): string {
  if (value === null) return 'none';
  return value.standardError === null
    ? formatFigure(value.mean)
    : formatEstimate(value.mean, value.standardError);
}
