import type { OfScenario, RunContext } from '../../artifacts/run-context.ts';
import { hasArray, readCellParts, readLikeliest } from '../../artifacts/stored-part.ts';
import { keepsRecords } from '../../contracts/config/config.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { AttributeRiskRequest } from '../../risk/attribute/attribute-risk.ts';
import { likeliestOf } from '../../risk/attribute/likeliest-candidates.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { cellOrder, codesOf } from '../../risk/intruder/cell-order.ts';
import { tailLength } from '../../risk/scoring/weight-tails.ts';
import type { BatchTerms } from '../assess/estimator-terms.ts';
import type { RiskRows } from '../assess/risk-rows.ts';
import { mostChains } from '../rounds/chain-limit.ts';
import { chainsNeeded, lesserChains } from '../rounds/chains-needed.ts';
import type { BatchBytes, RiskMethod } from './risk-method.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Memory that the ratios of one batch may take at first; several batches are assessed side by side. */
const BATCH_BYTES = 64 * 1024 * 1024;

/** The same with all chains that rounds may add, which few runs do: smaller batches would cost every run time. */
const GROWN_BATCH_BYTES = 5 * BATCH_BYTES;

/** Rows of a batch when there are so many in all and each takes so many bytes; 0 where not one fits. */
export function rowsWithin(
  { perRow, perRowAtFirst }: BatchBytes,
  { rows, fewest }: { readonly rows: number; readonly fewest: number },
): number {
  const fitting = Math.min(BATCH_BYTES / perRowAtFirst, GROWN_BATCH_BYTES / perRow);
  return Math.min(Math.floor(fitting), Math.ceil(rows / fewest));
}

/** What all chains say of the listed candidates of a row, with those that rounds may add, of either kind, up to the limit. */
export function listedBytes(plan: Plan, scenario: Scenario): BatchBytes {
  const { base, pairs } = chainsNeeded(plan);
  const added = mostChains(plan) - base - pairs;
  return { fixed: 0, perRow: ratioBytes(plan, scenario, added), perRowAtFirst: ratioBytes(plan, scenario, 0) };
}

/** The same with a control: its file, which every batch reads, and for each row so many numbers of each of the people that fall to it. */
export function withControl(
  plan: Plan,
  { fixed, perRow, perRowAtFirst }: BatchBytes,
  numbers: number,
  personBytes = plan.table.variables * Uint16Array.BYTES_PER_ELEMENT,
): BatchBytes {
  const { controlRecords = 0, config, table } = plan;
  const rows = keepsRecords(config) ? table.records : table.combinations;
  const others = (controlRecords / rows) * numbers * DOUBLE;
  const file = controlRecords * personBytes;
  return { fixed: fixed + file, perRow: perRow + others, perRowAtFirst: perRowAtFirst + others };
}

/** What all chains say of the candidates of one combination, with so many chains added to the first. */
function ratioBytes(plan: Plan, { knows, candidatesPerCombination }: Scenario, added: number): number {
  const { attributeRisk, mcmc } = plan.config;
  const { base, pairs, sides } = chainsNeeded(plan);
  const isLesser = knows !== undefined;
  const isPartial = plan.config.synthesis.synthesized !== 'all';
  const chains = isLesser ? lesserChains(plan, mcmc, [knows]) + added : base + pairs * sides.length + added * Math.max(1, sides.length);
  const weighted = attributeRisk.estimator === 'importance' ? base * plan.datasets.count : 0;
  const terms = 1 + plan.datasets.count * Math.max(1, sides.length);
  // Of records, distinct rows have them too before they are given to each.
  const distinct = isPartial ? 4 : 0;
  // Densities are added up here, over all draws of a chain and over half of them; the datasets are evaluated apart.
  const densities = isLesser ? 3 : 0;
  // Of one set of chains at a time, the weights of a chain's draws (of records, of distinct rows too), and the tails.
  const draws = pairs > 0 ? Math.max(mcmc.draws, mcmc.pairedDraws) : mcmc.draws;
  const inSet = Math.max((base + added) * mcmc.draws, (mcmc.pairedChains + added) * (isLesser ? mcmc.draws : mcmc.pairedDraws));
  const weights = (isPartial ? 2 : 1) * draws + tailLength(inSet) + 1;
  // Means of each chain; mean squares and half lengths of each term; of the chain that is scored its means, squares and
  // first half, here and as sums in the kernel, and what half lengths add up to.
  const ratios = (chains + weighted + 2 * terms + 6 + distinct + densities) * candidatesPerCombination;
  return (ratios + weights) * DOUBLE;
}

/** What the risk of rows whose candidates are listed is found from. */
export const riskRequest = (
  { plan, space, streams }: RunContext & OfScenario,
  { counts, considered, sets, priors }: RiskRows,
  found: BatchTerms,
): AttributeRiskRequest => ({
  ...found,
  counts,
  candidates: space.perCombination,
  considered,
  streams,
  slope: plan.config.attributeRisk.slope,
  priors,
  sets,
});

/** What methods have alike whose candidates are listed one by one. */
export const ofListed = {
  halves: 'all',
  refuse: () => undefined,
  arrays: ['values', 'valueSums', 'valueSquares', 'valueGains', 'likeliest'],
  async readLikeliest(store, { scenario, space }, round, { rows, codesOf: codesOfRow }) {
    if (!(await hasArray(store, scenario, round, 'likeliest'))) return null;
    const likeliest = await readLikeliest(store, scenario, round, rows);
    const placeOf = new Map(Array.from(rows, (row, place) => [row, place]));
    return (row) =>
      likeliestOf(likeliest, placeOf.get(row)!).map(({ candidate, ...figures }) => ({
        changes: candidateChanges(space, codesOfRow(row), candidate),
        ...figures,
      }));
  },
} as const satisfies Partial<RiskMethod>;

/** What methods have alike whose candidates are all cells. */
export const ofCells = {
  // Half-samples are errors as well, and stand for themselves.
  halves: 'half',
  arrays: ['guesses', 'marginals'],
  terms: { code: 'all-cells-record', message: 'The candidates `all-cells` are too many for a table of one combination.' },
  /** The most probable cells of each combination, of which the prior is not kept. */
  async readLikeliest(store, { scenario, table }, round) {
    const { perCombination, cells, probabilities } = (await readCellParts(store, scenario, round)).guesses;
    const order = cellOrder(table.sizes);
    const { variables, codes } = table.combinations;
    return (row) =>
      Array.from({ length: perCombination }, (_, place) => {
        const at = row * perCombination + place;
        const cell = Array.from(codesOf(order, cells[at]!), (code, variable) => ({ variable, code }));
        const changes = cell.filter(({ variable, code }) => code !== codes[row * variables + variable]);
        return { changes, before: null, after: probabilities[at]! };
      });
  },
} as const satisfies Partial<RiskMethod>;
