import { seededStreams } from '../../../random/streams.ts';
import { createCellScorer } from '../../../risk/cells/cell-scorer.ts';
import type { CellDraws } from '../../../risk/cells/cell-sums.ts';
import { categorySizes } from '../../../table/category-sizes.ts';
import type { MeasuredScenario } from '../run-sizes.ts';
import { timedTerms } from './timed-terms.ts';

/** Seconds that a block of cells takes: `perRow` and `perRowDraw` for each combination, `perDraw` once. */
interface BlockSeconds {
  readonly perRow: number;
  readonly perRowDraw: number;
  readonly perDraw: number;
}

/** Combinations, and draws of each chain, of the blocks that are timed. */
const ROWS = { few: 16, many: 64 };
const DRAWS = { few: 2, many: 12 };

/** The terms of the likelihood: the base chains say the prior alone. */
const likelihoodTerms = (planned: MeasuredScenario) => timedTerms(planned).filter(({ coefficient }) => coefficient !== 0);

/** Times a block of cells in three sizes, which decide how its parts grow; about as long as `seconds` each. */
function blockSeconds(
  planned: MeasuredScenario,
  state: Omit<CellDraws, 'draws'>,
  secondsPerCall: (call: () => void) => number,
): BlockSeconds {
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

/**
 * Seconds of one thread that scoring all cells takes for all batches of a run.
 *
 * @param state parameters like those of the run
 * @param secondsPerCall times a call
 */
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
