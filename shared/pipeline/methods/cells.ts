import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { blocksOf, type CellScorerSize, cellScorerBytes } from '../../risk/cells/cell-scorer.ts';
import { askedMarginals, marginalWidth } from '../../risk/cells/subset-marginals.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { assessAllCells } from '../assess/assess-all-cells.ts';
import { mostChains } from '../rounds/chain-limit.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';
import { CELLS_UNIT } from './batch-work.ts';
import { ofCells, ofListed } from './listed-batches.ts';
import type { RiskMethod } from './risk-method.ts';
import { statedSimulation } from './stated-figures.ts';

/** Memory of a batch whose candidates are all cells; several batches are assessed side by side. */
const BATCH_BYTES = 128 * 1024 * 1024;

/** Fewer combinations than this share too little of the work of finding the densities of the cells. */
const FEWEST_ROWS = 256;

/** Most memory that the draws of all chains may take in a thread: a kernel's memory ends at 4 GiB. */
const MOST_DRAW_BYTES = 3 * 1024 * 1024 * 1024;

/** Chains and draws that are in memory at once while all cells are scored, later rounds included. */
function cellScorerSize(plan: Plan, sizes: readonly number[]): CellScorerSize {
  const { mcmc, attributeRisk } = plan.config;
  const { base, pairs, sides } = chainsNeeded(plan);
  const generating = attributeRisk.estimator === 'parameters' ? plan.datasets.count : 0;
  const added = mostChains(plan) - base - pairs;
  const side = Math.max(1, sides.length);
  const paired = pairs * sides.length;
  return {
    chains: base + paired + generating + added * side,
    draws: base * mcmc.draws + paired * mcmc.pairedDraws + generating + added * Math.max(mcmc.draws, side * mcmc.pairedDraws),
    classes: plan.classes,
    categories: sizes.reduce((sum, size) => sum + size, 0),
  };
}

/** Numbers that a run tells of the distributions of each combination; of sets of variables they are added up apart. */
export function marginalNumbers({ config }: Plan, schema: TableSchema): number {
  const names = schema.variables.map(({ name }) => name);
  const sizes = categorySizes(schema);
  return marginalWidth(askedMarginals(config.attributeRisk.marginals, names, sizes), sizes);
}

/** What scoring the prior alone takes beside, where it is not uniform: the base chains, or weights in the place of one draw. */
function priorScorerBytes({ prior }: Scenario, size: CellScorerSize): { fixed: number; perRow: number } {
  if (prior === 'uniform') return { fixed: 0, perRow: 0 };
  return cellScorerBytes(prior === 'model' ? size : { ...size, chains: 1, draws: 1 });
}

/** Memory in bytes of one batch of a scenario whose candidates are all cells: `fixed`, and `perRow` for each combination. */
function cellBatchBytes(plan: Plan, schema: TableSchema, scenario: Scenario): { fixed: number; perRow: number } {
  const size = cellScorerSize(plan, categorySizes(schema));
  const { fixed, perRow } = cellScorerBytes(size);
  // The sums, and the probabilities that they become.
  const numbers = plan.config.attributeRisk.marginals === undefined ? 0 : 2 * marginalNumbers(plan, schema);
  const prior = priorScorerBytes(scenario, size);
  return { fixed: fixed + prior.fixed, perRow: perRow + prior.perRow + numbers * Float64Array.BYTES_PER_ELEMENT };
}

/** Refuses settings under which all cells are not scored. */
function refuse(plan: Plan, schema: TableSchema, scenario: Scenario): void {
  if (plan.config.attributeRisk.estimator === 'importance') {
    throw new UnsupportedOptionError(
      'all-cells-importance',
      'The estimator `importance` does not go with the candidates `all-cells`: its weights give all to one draw. Use `augmented` or `parameters`.',
    );
  }
  if (plan.purpose === 'calibrate') {
    throw new UnsupportedOptionError(
      'all-cells-calibration',
      'A calibration keeps the scores of every candidate, which the candidates `all-cells` do not have. Use `one-change`, or name unknown variables.',
    );
  }
  const { fixed } = cellBatchBytes(plan, schema, scenario);
  if (fixed > MOST_DRAW_BYTES) {
    throw new UnsupportedOptionError(
      'too-many-draws',
      `The candidates \`all-cells\` need the draws of all chains in memory: ${Math.ceil(fixed / 1_048_576)} MiB in each thread, and at most ${MOST_DRAW_BYTES / 1_048_576} are possible. Keep fewer draws or chains, or take fewer classes.`,
    );
  }
}

/** Why all cells tell nothing of who is in the table. */
export const NO_MEMBERSHIP = 'cells are scored for all records at once: a scenario whose candidates are listed has it';

/** All cells of the table, scored under all draws together. */
export const cells: RiskMethod = {
  ...ofListed,
  ...ofCells,
  refuse,
  membershipReason: () => NO_MEMBERSHIP,
  batchBytes(plan, schema, scenario) {
    const { fixed, perRow } = cellBatchBytes(plan, schema, scenario);
    return { fixed, perRow, perRowAtFirst: perRow };
  },
  /**
   * As equal as can be, within the memory, and as large as leaves all threads busy: every batch finds the densities of all
   * cells anew. Never all in one, which would begin again after an interruption.
   */
  batchRows(plan, schema, scenario, { threads }) {
    const { perRow } = cellBatchBytes(plan, schema, scenario);
    const { combinations } = plan.table;
    const largest = Math.max(1, Math.floor(BATCH_BYTES / perRow));
    const wanted = Math.min(largest, Math.max(FEWEST_ROWS, Math.ceil(combinations / Math.max(2, threads))));
    return Math.ceil(combinations / Math.ceil(combinations / wanted));
  },
  units(plan, scenario, numbers) {
    const { base, pairs, sides } = chainsNeeded(plan, numbers);
    // A block of cells takes about as long as any other unit, however many cells there are. The base chains are read for
    // them where they are the prior.
    const blocks = blocksOf(scenario.candidatesPerCombination);
    return CELLS_UNIT * (pairs * sides.length + (scenario.prior === 'model' ? base : 0) + blocks);
  },
  async assess(store, context, rows, onUnits) {
    const { risk, ...found } = await assessAllCells(store, context, rows, () => onUnits(CELLS_UNIT));
    return { risk, cells: found };
  },
  async summarize(_, context, rows) {
    const file = summarizeAttributeRisk(rows.risk, rows.counts, rows.candidates);
    return {
      file,
      release: await releaseErrors(rows.risk.without(), rows.counts),
      membership: { reason: NO_MEMBERSHIP },
      ...(await statedSimulation(context, file, rows, cells.halves, 'cells are scored once, not by halves of chains')),
    };
  },
};
