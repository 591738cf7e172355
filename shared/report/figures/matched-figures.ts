import type { AppliedIdentificationRisk } from '../../contracts/results/identification.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import { formatMeasured } from '../words/format-number.ts';
import { withSmallError, worded } from './figure.ts';

type MatchMeasure = 'expectedMatchRisk' | 'trueMatchRate' | 'falseMatchRate' | 'uniqueMatches';

/** The scenario of most risk among those that apply; undefined where none does. */
export function riskiestScenario({ identificationRisk }: Summary): AppliedIdentificationRisk | undefined {
  return identificationRisk.filter((risk) => risk.applies).toSorted((a, b) => b.mean.expectedMatchRisk - a.mean.expectedMatchRisk)[0];
}

/** A figure of matching: mean over datasets, ± its standard deviation between them. */
export function matchSpread({ mean, standardDeviation }: AppliedIdentificationRisk, measure: MatchMeasure): Html {
  const value = mean[measure];
  return value === null ? html`undefined` : worded(mean, measure, formatMeasured(value, standardDeviation?.[measure] ?? null));
}

/** The same for a card: the number large, its spread small. */
export function matchHeadline(risk: AppliedIdentificationRisk, measure: MatchMeasure): Html {
  const [value, deviation] = [risk.mean[measure], risk.standardDeviation?.[measure] ?? null];
  if (value === null || deviation === null || deviation === 0) return matchSpread(risk, measure);
  return worded(risk.mean, measure, withSmallError(value, deviation));
}
