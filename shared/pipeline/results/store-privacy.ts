import { encodeJson } from '../../artifacts/stored-json.ts';
import { listed, tableCsv } from '../../artifacts/write-table.ts';
import { double, int32, type ResultTable } from '../../contracts/column.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { PrivacyEvaluation, SimulatedPair } from '../../contracts/results/differential-privacy.ts';
import { renderPrivacy } from '../../report/render-privacy.ts';
import { type PriorPoint, priorCurve } from '../../risk/privacy/bayes-factor.ts';
import type { Store } from '../../storage/store.ts';

/** Stands in keys for the id of a run: what `dp evaluate` stores is of none. */
export const DP_EVALUATE = 'dp-evaluate';

/** Points of a curve between two that are drawn: a page shows a tenth of those that are in the CSV. */
const DRAWN_EVERY = 10;

type EvaluatedScenario = PrivacyEvaluation['scenarios'][number];

/** A simulated pair of a scenario. */
interface PairRow {
  readonly scenario: EvaluatedScenario;
  readonly replicate: number;
  readonly pair: SimulatedPair;
}

const ofPair = {
  p0: double('Population share of the value 1.', ({ scenario }) => scenario.p0),
  epsilon: double('Epsilon of the dataset, nats.', ({ scenario }) => scenario.epsilon),
  replicate: int32('Number of the pair, from 1.', ({ replicate }) => replicate),
  true_value: int32('Of the record: 1, and 0 in a table without a 1.', ({ pair }) => pair.trueValue),
} satisfies ResultTable<PairRow>['columns'];

/** Risk against utility of a population: Figures 1 and 2 of McClure & Reiter (2012). */
export const RISK_AND_UTILITY: ResultTable<PairRow> = {
  file: 'figure-<n>',
  row: 'a simulated pair of table and dataset (`dp evaluate`); a file a population',
  columns: {
    ...ofPair,
    ones: int32('Records with the value 1 in the table.', ({ pair }) => pair.ones),
    synthetic_ones: int32('The same in the dataset.', ({ pair }) => pair.syntheticOnes),
    prior: double('Prior probability of the true value.', ({ pair }) => pair.prior),
    utility_loss: double('log10 of the squared error from the dataset over that from the table.', ({ pair }) => pair.utilityLoss),
    risk: double('R, posterior probability of the true value.', ({ pair }) => pair.absolute),
    relative_risk: double('RR, R by the prior.', ({ pair }) => pair.relative),
    log_bayes_factor: double('Of the true value against the other, nats.', ({ pair }) => pair.logBayesFactor),
    privacy_loss: double('Its absolute value.', ({ pair }) => Math.abs(pair.logBayesFactor)),
  },
};

/** Relative against absolute risk of a population: Figures 3 and 4 of McClure & Reiter (2012). */
export const RISK_BY_PRIOR: ResultTable<PairRow & { readonly point: PriorPoint }> = {
  file: 'figure-<populations + n>',
  row: 'a simulated pair and prior probability (`dp evaluate`); a file a population',
  columns: {
    ...ofPair,
    prior: double('Prior probability of the true value.', ({ point }) => point.prior),
    risk: double('R, posterior probability of the true value.', ({ point }) => point.absolute),
    relative_risk: double('RR, R by the prior.', ({ point }) => point.relative),
  },
};

const pairsOf = (scenarios: readonly EvaluatedScenario[]): PairRow[] =>
  scenarios.flatMap((scenario) => scenario.pairs.map((pair, index) => ({ scenario, replicate: index + 1, pair })));

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
    const pairs = pairsOf(scenarios.filter((scenario) => scenario.p0 === p0));
    await store.put(simulation.figure(index + 1), tableCsv(RISK_AND_UTILITY, listed(pairs)));
    const points = pairs.flatMap((row) => priorCurve(row.pair.logBayesFactor).map((point) => ({ ...row, point })));
    await store.put(simulation.figure(p0s.length + index + 1), tableCsv(RISK_BY_PRIOR, listed(points)));
  }
  const page = await renderPrivacy(evaluation, drawnCurves);
  await store.put(simulation.page, new TextEncoder().encode(page));
  await store.put(simulation.document, encodeJson(evaluation));
}
