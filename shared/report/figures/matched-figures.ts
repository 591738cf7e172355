import type { AppliedIdentificationRisk } from '../../contracts/results/identification.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Html } from '../page/html.ts';
import { formatEstimate, formatFigure } from '../words/format-number.ts';
import { bound } from './figure.ts';
import { placeOf } from './sources.ts';

type MatchMeasure = 'expectedMatchRisk' | 'trueMatchRate' | 'falseMatchRate' | 'uniqueMatches';

/** The scenario of most risk among those that apply; undefined where none does. */
export function riskiestScenario({ identificationRisk }: Summary): AppliedIdentificationRisk | undefined {
  return identificationRisk
    .filter((risk) => risk.applies)
    .toSorted((a, b) => b.mean.expectedMatchRisk - a.mean.expectedMatchRisk)[0];
}

/** A figure of matching: mean over datasets, ± its standard deviation between them. */
export function matchSpread(
  { mean, standardDeviation }: AppliedIdentificationRisk,
  measure: MatchMeasure,
): Html {
  const value = mean[measure];
  const deviation = standardDeviation?.[measure] ?? null;
  const words =
    value === null
      ? 'undefined'
      : deviation === null || deviation === 0
        ? formatFigure(value)
        : formatEstimate(value, deviation);
  return bound(value === null ? undefined : placeOf(mean, measure), words);
}
