import type { RunContext } from '../../artifacts/run-context.ts';
import { readGeneratingDraw } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { ChainTerm } from '../../risk/attribute/attribute-estimators.ts';
import type { CellSet } from '../../risk/cells/cell-evaluations.ts';
import { type CellRisk, cellRisk } from '../../risk/cells/cell-risk.ts';
import { createCellScorer } from '../../risk/cells/cell-scorer.ts';
import type { CellDraws } from '../../risk/cells/cell-sums.ts';
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
 * Attribute risk of combinations `from` up to but without `to` when the candidates are all cells of the table: reads
 * the draws of all chains once, and walks the cells block after block.
 *
 * @param onUnit called after each chain that is read, and after each block of cells
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
  let loaded = 0;
  for (const { chains } of terms) {
    for await (const draws of drawsOf(store, plan, chains)) {
      scorer.load(loaded++, draws);
      if (!('generating' in chains)) onUnit();
    }
  }
  for (let block = 0; block < scorer.blocks; block++) {
    scorer.addBlock(block);
    onUnit();
  }
  const counted = counts.subarray(from, to);
  return cellRisk(scorer.sums(), scorer.order, own, counted, scorer.effectiveDraws(), scorer.paretoK());
}
