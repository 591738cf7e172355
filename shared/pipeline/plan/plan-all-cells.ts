import { searchedCells } from '../../contracts/config/config.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { askedMarginals, marginalWidth } from '../../risk/cells/asked-marginals.ts';
import { type CellScorerSize, cellScorerBytes } from '../../risk/cells/cell-scorer.ts';
import { searchBytes } from '../../risk/cells/missed-mass.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { mostChains } from '../rounds/chain-limit.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';

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
    draws:
      base * mcmc.draws +
      paired * mcmc.pairedDraws +
      generating +
      added * Math.max(mcmc.draws, side * mcmc.pairedDraws),
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
export function cellBatchBytes(
  plan: Plan,
  schema: TableSchema,
  scenario: Scenario,
): { fixed: number; perRow: number } {
  const size = cellScorerSize(plan, categorySizes(schema));
  const { fixed, perRow } = cellScorerBytes(size);
  // The sums, and the probabilities that they become.
  const numbers = plan.config.attributeRisk.marginals === undefined ? 0 : 2 * marginalNumbers(plan, schema);
  const most = searchedCells(scenario.candidates);
  const search = most === null ? { fixed: 0, perRow: 0 } : searchBytes(most);
  const prior = priorScorerBytes(scenario, size);
  return {
    fixed: fixed + search.fixed + prior.fixed,
    perRow: perRow + search.perRow + prior.perRow + numbers * Float64Array.BYTES_PER_ELEMENT,
  };
}

/**
 * Combinations in a batch whose candidates are all cells: as equal as can be, within the memory, and enough to share
 * the densities of the cells.
 *
 * @param fewestBatches batches that are wanted when there are combinations enough
 * @throws UnsupportedOptionError for `importance`, for a calibration, and when the draws do not fit into memory; and what
 * `askedMarginals` throws
 */
export function planAllCells(
  plan: Plan,
  schema: TableSchema,
  scenario: Scenario,
  fewestBatches: number,
): number {
  const kind = searchedCells(scenario.candidates) === null ? 'all-cells' : 'search';
  if (plan.config.attributeRisk.estimator === 'importance') {
    throw new UnsupportedOptionError(
      `${kind}-importance`,
      `The estimator \`importance\` does not go with the candidates \`${kind}\`: its weights give all to one draw. Use \`augmented\` or \`parameters\`.`,
    );
  }
  if (plan.purpose === 'calibrate') {
    throw new UnsupportedOptionError(
      `${kind}-calibration`,
      `A calibration keeps the scores of every candidate, which the candidates \`${kind}\` do not have. Use \`one-change\`, or name unknown variables.`,
    );
  }
  const { fixed, perRow } = cellBatchBytes(plan, schema, scenario);
  if (fixed > MOST_DRAW_BYTES) {
    throw new UnsupportedOptionError(
      'too-many-draws',
      `The candidates \`${kind}\` need the draws of all chains in memory: ${Math.ceil(fixed / 1_048_576)} MiB in each thread, and at most ${MOST_DRAW_BYTES / 1_048_576} are possible. Keep fewer draws or chains, or take fewer classes.`,
    );
  }
  const { combinations } = plan.table;
  const largest = Math.max(1, Math.floor(BATCH_BYTES / perRow));
  const wanted = Math.min(largest, Math.max(FEWEST_ROWS, Math.ceil(combinations / fewestBatches)));
  return Math.ceil(combinations / Math.ceil(combinations / wanted));
}
