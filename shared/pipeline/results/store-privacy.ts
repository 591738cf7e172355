import { encodeJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import {
  PRIOR_FIGURE_COLUMNS,
  type PrivacyEvaluation,
  UTILITY_FIGURE_COLUMNS,
} from '../../contracts/results/differential-privacy.ts';
import { renderPrivacy } from '../../report/render-privacy.ts';
import { priorCurve } from '../../risk/privacy/prior-curve.ts';
import type { Store } from '../../storage/store.ts';
import { encodeCsv } from '../../table/files/write-csv.ts';

/** Stands in keys for the id of a run: what `dp evaluate` stores is of none. */
export const DP_EVALUATE = 'dp-evaluate';

/** Points of a curve between two that are drawn: a page shows a tenth of those that are in the CSV. */
const DRAWN_EVERY = 10;

type EvaluatedScenario = PrivacyEvaluation['scenarios'][number];

function* utilityRows(scenarios: readonly EvaluatedScenario[]) {
  for (const { p0, epsilon, pairs } of scenarios) {
    for (const [index, pair] of pairs.entries()) {
      const { trueValue, ones, syntheticOnes, prior, utilityLoss, absolute, relative, logBayesFactor } = pair;
      yield [
        ...[p0, epsilon, index + 1, trueValue, ones, syntheticOnes, prior],
        ...[utilityLoss, absolute, relative, logBayesFactor, Math.abs(logBayesFactor)],
      ];
    }
  }
}

function* priorRows(scenarios: readonly EvaluatedScenario[]) {
  for (const { p0, epsilon, pairs } of scenarios) {
    for (const [index, { trueValue, logBayesFactor }] of pairs.entries()) {
      for (const { prior, absolute, relative } of priorCurve(logBayesFactor)) {
        yield [p0, epsilon, index + 1, trueValue, prior, absolute, relative];
      }
    }
  }
}

const drawnCurves = ({ epsilon, pairs }: EvaluatedScenario) =>
  pairs.map(({ trueValue, logBayesFactor }) => ({
    epsilon,
    trueValue,
    points: priorCurve(logBayesFactor).filter((_, index) => index % DRAWN_EVERY === 0),
  }));

/**
 * Stores what `dp evaluate` found: the series of the figures as CSV, first risk against utility of each population, then
 * relative against absolute risk of each; the page; and the document.
 */
export async function storePrivacy(store: Store, evaluation: PrivacyEvaluation): Promise<void> {
  const { simulation } = runKeys(DP_EVALUATE);
  const { scenarios } = evaluation;
  const p0s = [...new Set(scenarios.map(({ p0 }) => p0))];
  for (const [index, p0] of p0s.entries()) {
    const own = scenarios.filter((scenario) => scenario.p0 === p0);
    const utility = encodeCsv(UTILITY_FIGURE_COLUMNS, utilityRows(own));
    await store.put(simulation.figure(index + 1), utility);
    const priors = encodeCsv(PRIOR_FIGURE_COLUMNS, priorRows(own));
    await store.put(simulation.figure(p0s.length + index + 1), priors);
  }
  const page = await renderPrivacy(evaluation, drawnCurves);
  await store.put(simulation.page, new TextEncoder().encode(page));
  await store.put(simulation.document, encodeJson(evaluation));
}
