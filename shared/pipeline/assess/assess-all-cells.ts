import type { RunContext } from '../../artifacts/run-context.ts';
import { readGeneratingDraw } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { searchedCells } from '../../contracts/config/config.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { ChainTerm } from '../../risk/attribute/attribute-estimators.ts';
import { askedMarginals } from '../../risk/cells/asked-marginals.ts';
import type { CellSet } from '../../risk/cells/cell-evaluations.ts';
import { type CellRisk, cellRisk } from '../../risk/cells/cell-risk.ts';
import { createCellScorer } from '../../risk/cells/cell-scorer.ts';
import type { CellDraws } from '../../risk/cells/cell-sums.ts';
import { MissedMass } from '../../risk/cells/missed-mass.ts';
import { searchedRows } from '../../risk/cells/searched-rows.ts';
import { SubsetMarginals } from '../../risk/cells/subset-marginals.ts';
import type { Store } from '../../storage/store.ts';
import { runTerms, type StoredChains } from './run-terms.ts';

/** A term of the estimator as the scorer of cells takes it. */
function cellSet({ coefficient, pool, chains }: ChainTerm<StoredChains>): CellSet {
  const { name } = chains;
  if ('constant' in chains)
    throw new RangeError('all cells are scored of intruders with all records but one');
  if ('generating' in chains) return { name, coefficient, pool, chains: 1, drawsPerChain: 1 };
  return { name, coefficient, pool, chains: chains.draws.length, drawsPerChain: chains.drawsPerChain };
}

/** The draws of a set of chains, one chain at a time. */
async function* drawsOf(store: Store, plan: Plan, chains: StoredChains): AsyncGenerator<CellDraws> {
  if ('constant' in chains) throw new RangeError('a constant density has no draws');
  if ('generating' in chains) {
    const { weights, probabilities } = await readGeneratingDraw(store, plan, chains.generating);
    yield { draws: 1, weights, probabilities };
    return;
  }
  for (const chain of chains.draws) yield readDraws(store, plan.runId, chain);
}

/**
 * Attribute risk of combinations `from` up to but without `to` when the candidates are all cells of the table, or those
 * that a search finds: reads the draws of all chains once, and walks the cells block after block. The search is the same
 * in every batch, since no combination has a part in it.
 *
 * @param onUnit called after each chain that is read, after each step of the search, and after each block of cells
 * @throws RangeError naming the combination (from 0 within the batch) when an estimate is not a number
 */
export async function assessAllCells(
  store: Store,
  context: RunContext,
  round: RoundChains,
  { from, to }: { readonly from: number; readonly to: number },
  onUnit: () => void,
): Promise<CellRisk> {
  const { plan, streams, table } = context;
  const { codes, counts, variables } = table.combinations;
  const { attributeRisk } = plan.config;
  const own = codes.subarray(from * variables, to * variables);
  // The base chains say the prior alone, which is uniform here.
  const terms = (await runTerms(store, plan, round)).filter(({ coefficient }) => coefficient !== 0);
  const scorer = createCellScorer({
    sizes: table.sizes,
    codes: own,
    classes: plan.classes,
    sets: terms.map(cellSet),
    streams,
    slope: attributeRisk.slope,
  });
  const names = table.schema.variables.map(({ name }) => name);
  const marginals = attributeRisk.marginals && askedMarginals(attributeRisk.marginals, names, table.sizes);
  let loaded = 0;
  for (const { chains } of terms) {
    for await (const draws of drawsOf(store, plan, chains)) {
      scorer.load(loaded++, draws);
      if (!('generating' in chains)) onUnit();
    }
  }
  const most = searchedCells(attributeRisk.candidates);
  const search = most === null ? null : scorer.search(most, onUnit);
  const missed = search && new MissedMass(to - from, search.found);
  const subsets = marginals && new SubsetMarginals(to - from, marginals, table.sizes);
  for (let block = 0; block < scorer.blocks; block++) {
    scorer.addBlock(block);
    missed?.add(block * scorer.blockCells, scorer.blockValues(), scorer.blockCells);
    subsets?.add(scorer.blockCodes(), scorer.blockValues(), scorer.blockCells);
    onUnit();
  }
  const searched = search && missed ? searchedRows(search.listed, missed, scorer.order) : undefined;
  const counted = counts.subarray(from, to);
  const risk = cellRisk(
    scorer.sums(),
    scorer.order,
    own,
    counted,
    scorer.effectiveDraws(),
    scorer.paretoK(),
    searched,
  );
  if (!subsets) return risk;
  for (let row = 0; row < to - from; row++) {
    // The truth's log-likelihood is 0.
    if (searched?.truthFound[row] === 0) {
      subsets.addTo(row, own.subarray(row * variables, (row + 1) * variables), 0);
    }
  }
  return { ...risk, marginals: subsets.probabilities() };
}
