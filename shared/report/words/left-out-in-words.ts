import type { GroupRisk } from '../../contracts/results/left-out.ts';
import { formatEstimate, formatFigure, formatPercent, formatPercentEstimate } from './format-number.ts';

/** A figure of a group of records, or that there is none. */
export const figureOrNone = (value: number | null, format = formatFigure) => (value === null ? 'none' : format(value));

/** A mean over a group of records with its error, or that there are none; without one that is exactly 0. */
export function groupFigure(value: number | null, standardError: number | null): string {
  if (value === null || standardError === null) return figureOrNone(value);
  return standardError === 0 ? formatFigure(value) : formatEstimate(value, standardError);
}

/** The same of a share, in percent. */
function groupShare(value: number | null, standardError: number | null): string {
  if (value === null || standardError === null) return figureOrNone(value, formatPercent);
  return standardError === 0 ? formatPercent(value) : formatPercentEstimate(value, standardError);
}

/** The risk of a group of records in a line. */
export function groupInWords(risk: Omit<GroupRisk, 'records'>): string {
  return [
    `truth ranked first for ${groupShare(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe)}`,
    `mean rank ${groupFigure(risk.rankMean, risk.rankMeanSe)}`,
    `probability ${groupFigure(risk.probabilityMean, risk.probabilityMeanSe)}`,
    `information ${groupFigure(risk.informationBitsMean, risk.informationBitsMeanSe)} bits`,
    `gain ${figureOrNone(risk.gainBitsMean)} bits`,
  ].join(', ');
}

/** A mean with its error, where it has one, or that there is none. */
export function meanInWords(value: { readonly mean: number; readonly standardError: number | null } | null): string {
  if (value === null) return 'none';
  return value.standardError === null ? formatFigure(value.mean) : formatEstimate(value.mean, value.standardError);
}
