import { seededStreams } from '../../../random/streams.ts';
import { augmentedTerms, type ChainTerm, parametersTerms, separateTerms } from '../../../risk/attribute/attribute-estimators.ts';
import { BASE_CHAINS } from '../../../risk/attribute/chain-evaluations.ts';
import { createEvaluator } from '../../../risk/attribute/evaluator.ts';
import type { ExpectationTerm } from '../../../risk/attribute/expectation.ts';
import { createCellScorer } from '../../../risk/cells/cell-scorer.ts';
import type { CellDraws } from '../../../risk/cells/cell-sums.ts';
import type { CandidateSpace } from '../../../risk/intruder/candidate-space.ts';
import { rowValueSets } from '../../../risk/intruder/value-sets.ts';
import { categorySizes } from '../../../table/category-sizes.ts';
import { hasChainsAlone } from '../../rounds/chains-needed.ts';
import type { MeasuredScenario } from '../run-sizes.ts';

/** A set of chains of which nothing is known but how many they are: what decides the time that they take. */
export interface TimedChains {
  readonly name: string;
  /** The dataset (from 1) of which they tell; of none if left out. */
  readonly dataset?: number;
  readonly chains: number;
  readonly drawsPerChain: number;
}

/** The terms of a run's estimator under a scenario, with the chains that the first round has. */
export function timedTerms({ plan, scenario }: Pick<MeasuredScenario, 'plan' | 'scenario'>): ChainTerm<TimedChains>[] {
  const { mcmc, attributeRisk } = plan.config;
  const { chains, draws, pairedChains, pairedDraws } = mcmc;
  const base: TimedChains = { name: BASE_CHAINS, chains, drawsPerChain: draws };
  const ofDatasets = (name: string, of: Pick<TimedChains, 'chains' | 'drawsPerChain'>) =>
    Array.from({ length: plan.datasets.count }, (_, l): TimedChains => ({ ...of, name: `${name}/${l + 1}`, dataset: l + 1 }));
  if (scenario.knows) {
    // Who has no record has a prior that is the same for every candidate.
    const alone = hasChainsAlone(scenario.knows) ? base : { ...base, chains: 1, drawsPerChain: 1 };
    return separateTerms(alone, ofDatasets('weak', { chains: pairedChains, drawsPerChain: draws }));
  }
  const paired = { chains: pairedChains, drawsPerChain: pairedDraws };
  const tables = ofDatasets('alone', paired);
  const pool = 'arithmetic' as const;
  switch (attributeRisk.estimator) {
    case 'parameters':
      return parametersTerms(base, ofDatasets('generating', { chains: 1, drawsPerChain: 1 }), tables);
    case 'importance':
      return [
        ...ofDatasets('weighed', base).map((weighed) => ({ coefficient: 1, pool, chains: weighed })),
        { coefficient: -plan.datasets.count, pool, chains: base },
      ];
    default:
      return augmentedTerms(
        base,
        ofDatasets('stacked', paired).map((stacked, l) => ({ stacked, table: tables[l]!, chainByChain: false })),
      );
  }
}

/**
 * Seconds that it takes to evaluate the candidates of one combination, as they are scored, and all resamples of their chains,
 * under a scenario.
 */
export function evaluationSeconds(planned: MeasuredScenario, space: CandidateSpace, secondsPerCall: (call: () => void) => number): number {
  const { codes, variables } = planned.combinations;
  const sets = rowValueSets(space, codes.subarray(0, variables));
  // What means say makes no difference to the time.
  const means = new Float64Array(space.perCombination).fill(1);
  const terms = timedTerms(planned).map(
    ({ coefficient, pool, chains }): ExpectationTerm => ({
      coefficient,
      pool,
      chains: chains.name,
      dataset: chains.dataset,
      means: new Array<Float64Array>(chains.chains).fill(means),
      draws: chains.chains * chains.drawsPerChain,
    }),
  );
  const evaluate = createEvaluator({ terms, streams: seededStreams(1), candidates: space.perCombination, slope: 1, sets });
  return secondsPerCall(() => evaluate(0));
}

/** Combinations, and draws of each chain, of the blocks that are timed. */
const ROWS = { few: 16, many: 64 };
const DRAWS = { few: 2, many: 12 };

/** The terms of the likelihood: the base chains say the prior alone. */
const likelihoodTerms = (planned: MeasuredScenario) => timedTerms(planned).filter(({ coefficient }) => coefficient !== 0);

/**
 * Seconds that a block of cells takes, `perRow` and `perRowDraw` for each combination, `perDraw` once: it is timed in three sizes, which decide how its parts grow.
 */
function blockSeconds(planned: MeasuredScenario, state: Omit<CellDraws, 'draws'>, secondsPerCall: (call: () => void) => number) {
  const { combinations, schema, plan } = planned;
  const time = (rows: number, draws: number) => {
    const sets = likelihoodTerms(planned).map(({ coefficient, pool, chains: { name, chains } }) => ({
      name,
      coefficient,
      pool,
      chains,
      drawsPerChain: draws,
    }));
    const chains = sets.reduce((sum, set) => sum + set.chains, 0);
    const own = Math.min(rows, combinations.count);
    const scorer = createCellScorer({
      sizes: categorySizes(schema),
      codes: combinations.codes.subarray(0, own * combinations.variables),
      classes: plan.classes,
      sets,
      streams: seededStreams(plan.config.seed),
      slope: 1,
    });
    const repeated = (values: Float64Array) => {
      const all = new Float64Array(draws * values.length);
      for (let d = 0; d < draws; d++) all.set(values, d * values.length);
      return all;
    };
    const chain = { draws, weights: repeated(state.weights), probabilities: repeated(state.probabilities) };
    for (let c = 0; c < chains; c++) scorer.load(c, chain);
    return { rows: own, draws: draws * chains, seconds: secondsPerCall(() => scorer.addBlock(0)) };
  };
  const fewDraws = time(ROWS.many, DRAWS.few);
  const fewRows = time(ROWS.few, DRAWS.many);
  const whole = time(ROWS.many, DRAWS.many);
  // seconds = rows (perRow + draws perRowDraw) + draws perDraw
  const ofDraw = (whole.seconds - fewDraws.seconds) / (whole.draws - fewDraws.draws);
  const perRow = Math.max(0, (fewDraws.seconds - fewDraws.draws * ofDraw) / whole.rows);
  const ofRow = (whole.seconds - fewRows.seconds) / Math.max(1, whole.rows - fewRows.rows);
  const perRowDraw = Math.max(0, (ofRow - perRow) / whole.draws);
  return { perRow, perRowDraw, perDraw: Math.max(0, ofDraw - whole.rows * perRowDraw) };
}

/** Seconds of one thread that scoring all cells takes for all batches of a run. */
export function cellScoringSeconds(
  planned: MeasuredScenario,
  state: Omit<CellDraws, 'draws'>,
  blocks: number,
  secondsPerCall: (call: () => void) => number,
): number {
  const draws = likelihoodTerms(planned).reduce((sum, { chains }) => sum + chains.chains * chains.drawsPerChain, 0);
  const { perRow, perRowDraw, perDraw } = blockSeconds(planned, state, secondsPerCall);
  return planned.scenario.batches.reduce(
    (sum, { from, to }) => sum + blocks * ((to - from) * (perRow + draws * perRowDraw) + draws * perDraw),
    0,
  );
}
