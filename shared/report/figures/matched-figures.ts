import type { AppliedIdentificationRisk } from '../../contracts/results/identification.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import { formatMeasured, roundToError } from '../words/format-number.ts';
import { bound, boundParts } from './figure.ts';
import { placeOf } from './sources.ts';

type MatchMeasure = 'expectedMatchRisk' | 'trueMatchRate' | 'falseMatchRate' | 'uniqueMatches';

/** The scenario of most risk among those that apply; undefined where none does. */
export function riskiestScenario({ identificationRisk }: Summary): AppliedIdentificationRisk | undefined {
  return identificationRisk.filter((risk) => risk.applies).toSorted((a, b) => b.mean.expectedMatchRisk - a.mean.expectedMatchRisk)[0];
}

/** A figure of matching: mean over datasets, ± its standard deviation between them. */
export function matchSpread(risk: AppliedIdentificationRisk, measure: MatchMeasure): Html {
  const [value, deviation, place] = spreadOf(risk, measure);
  return value === null ? html`undefined` : bound(place, formatMeasured(value, deviation));
}

/** The same for a card: the number large, its spread small. */
export function matchHeadline(risk: AppliedIdentificationRisk, measure: MatchMeasure): Html {
  const [value, deviation, place] = spreadOf(risk, measure);
  if (value === null || deviation === null || deviation === 0) return matchSpread(risk, measure);
  const [mean, spread] = roundToError(value, deviation);
  return boundParts(place, mean, spread, '');
}

function spreadOf(
  { mean, standardDeviation }: AppliedIdentificationRisk,
  measure: MatchMeasure,
): [mean: number | null, deviation: number | null, place: string | undefined] {
  return [mean[measure], standardDeviation?.[measure] ?? null, placeOf(mean, measure)];
}
