import { isSimulated } from '../../contracts/config/config.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { AppliedIdentificationRisk } from '../../contracts/results/identification.ts';
import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import type { UtilitySummary } from '../../contracts/results/utility.ts';
import type { ExactFigure } from './told-figure.ts';

/** A figure, or why it is not told. */
export type Tellable = ExactFigure | { readonly reason: string };

/** Whether a figure is published. */
export const isTold = (figure: Tellable): figure is ExactFigure => 'value' in figure;

/**
 * By how much a mean probability of the truth moves where one value of one record is another, times the records: its own
 * probability by one at most, those of all others together by about as much. Tried and not proven (docs/explanation/threat-model.md):
 * every value of two records in each of three tables with chains, 1.9 at most, noise of the chains included; of up to 40
 * records with counts that hardly anything is added to (epsilon 5,000), 3.6.
 */
const PROBABILITIES_MOVE = { chains: 2, counts: 4 };

/** A share of records, each counted by its own values and the release alone, or of counts in cells. */
const OWN_RECORD_MOVES = 1;

/** A share that is a fact of the table and of these very datasets. */
const ofDatasets = (value: number): ExactFigure => ({ value, se: null, movesByRecords: OWN_RECORD_MOVES });

/** Why the probabilities of a scenario are not told, from its settings alone; null where they are. */
function untoldReason(risk: AttributeRiskSummary, { model, synthesis }: Summary): string | null {
  const { untold } = factsOf(model);
  if (untold !== undefined) return untold;
  if (isSimulated(risk.estimator) && risk.estimator !== 'augmented') {
    return `how far one record moves what the estimator ${risk.estimator} finds is not known`;
  }
  if (risk.knows !== undefined && risk.knows !== 'nothing') {
    return 'how far one record moves them is not known for an intruder who has some records';
  }
  if (!isRanked(risk)) return 'all variables that are guessed at are continuous, so that no value has a probability';
  if (risk.gainBitsMean === null) return 'the candidates are not listed one by one';
  return synthesis.datasets === 1 ? 'a single dataset does not tell how releases differ' : null;
}

/** The mean probabilities of the truth under a scenario, before the release and after. */
export function probabilityFigures(risk: AttributeRiskSummary, summary: Summary): { readonly before: Tellable; readonly after: Tellable } {
  const reason = untoldReason(risk, summary);
  if (reason !== null) return { before: { reason }, after: { reason } };
  const figure = (value: number | null, se: number | null): Tellable =>
    value === null || se === null
      ? { reason: 'its error is not known' }
      : { value, se, movesByRecords: PROBABILITIES_MOVE[isSimulated(risk.estimator) ? 'chains' : 'counts'] };
  return {
    before: figure(risk.probabilityTrueBefore, risk.probabilityTrueBeforeSe),
    after: figure(risk.probabilityTrueAfter, risk.probabilityTrueAfterSe),
  };
}

/** Figures of an intruder who matches. What is known of a record is kept, and so in the release: no other record counts. */
export function matchFigures({ mean, records, sweep }: AppliedIdentificationRisk): {
  readonly expected: Tellable;
  readonly unique: Tellable;
} {
  if (sweep) {
    const reason = 'radii were swept, and which of them is that of most risk follows from the table';
    return { expected: { reason }, unique: { reason } };
  }
  return { expected: ofDatasets(mean.expectedMatchRisk / records), unique: ofDatasets(mean.trueMatchRate) };
}

/** Share of records all of whose synthesized values are the true ones. */
export function disclosureFigure({ attributeDisclosures, synthesis }: Summary): Tellable {
  if (attributeDisclosures !== null) return ofDatasets(attributeDisclosures.all.meanShare);
  return { reason: synthesis.kind === 'full' ? 'no row of the datasets belongs to a record' : 'it was not measured' };
}

/** How far tables of so many variables are from those of the confidential table. */
export function tablesFigure(utility: UtilitySummary | null, way: 1 | 2): Tellable {
  const value = utility?.figures[way === 1 ? 'oneWayTotalVariation' : 'twoWayTotalVariation'] ?? null;
  return value === null ? { reason: 'it was not measured' } : ofDatasets(value);
}
