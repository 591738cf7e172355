import { contextOfScenario, type RunModel } from '../../artifacts/run-context.ts';
import { readStreams } from '../../artifacts/stored-keys.ts';
import { type Rows, rowsOf } from '../../artifacts/write-table.ts';
import { hasReconstruction } from '../../contracts/config/config.ts';
import type { ReconstructionSummary } from '../../contracts/results/reconstruction/reconstruction.ts';
import type { NamedCombinations } from '../../contracts/results/reconstruction/reconstruction-table.ts';
import { openScenarios } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import {
  comparedWith,
  namedFirst,
  type RankedCandidates,
  type RankedRelease,
  reconstructionFigures,
  releasedShares,
} from '../../risk/reconstruction/reconstruction-figures.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import { rankCandidates } from '../assess/rank-candidates.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';

/**
 * Which records an intruder would name who knows nothing, whatever else such scenarios consider: the rows of
 * `confidential/reconstruction.csv`, and what they come to; null where there is no such scenario.
 */
export async function reconstructTable(
  store: Store,
  run: RunModel,
  numbers: ChainNumbers,
): Promise<{ readonly rows: Rows<NamedCombinations>; readonly summary: ReconstructionSummary } | null> {
  const asking = openScenarios(run.plan).find(({ knows }) => knows === 'nothing');
  if (asking === undefined || !hasReconstruction(run.plan.config)) return null;
  const context = contextOfScenario({ ...run, streams: await readStreams(store, run.plan) }, asking.number);
  const { ranked, release } = await rankCandidates(store, context, numbers);
  return { rows: rowsOfRanked(ranked, release, run.table.schema), summary: reconstructionFigures(ranked, release) };
}

function rowsOfRanked(ranked: RankedCandidates, { released }: RankedRelease, schema: TableSchema): Rows<NamedCombinations> {
  const { candidates, densities, confidences, table } = ranked;
  const named = namedFirst(densities[0]!);
  const [shares] = releasedShares(candidates, released, 1);
  const { inBaseline } = comparedWith(ranked);
  const width = schema.variables.length;
  return rowsOf(named.length, {
    names: schema.variables.map(({ name }) => name),
    text: (row, v) => categoryText(schema, v, candidates.codes[named[row]! * width + v]!),
    probability: (row) => densities[0]![named[row]!]!,
    confidence: (row) => confidences[0]![named[row]!]!,
    baseline: (row) => inBaseline[0]![named[row]!]!,
    releasedShare: (row) => shares![named[row]!]!,
    isInTable: (row) => table.counts[named[row]!]! > 0,
  });
}
