import type { OfScenario, RunContext } from '../../artifacts/run-context.ts';
import { readGeneratingDraw } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { readPrior } from '../../artifacts/stored-table.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { ChainTerm } from '../../risk/attribute/attribute-estimators.ts';
import { BASE_CHAINS } from '../../risk/attribute/chain-evaluations.ts';
import { type CellRisk, cellRisk } from '../../risk/cells/cell-risk.ts';
import { createCellScorer } from '../../risk/cells/cell-scorer.ts';
import { type CellDraws, type CellSet, posteriorSets } from '../../risk/cells/cell-sums.ts';
import { askedMarginals, SubsetMarginals } from '../../risk/cells/subset-marginals.ts';
import { cellOrder } from '../../risk/intruder/cell-order.ts';
import { type CellWeights, cellWeights } from '../../risk/prior/cell-weights.ts';
import type { Store } from '../../storage/store.ts';
import { runTerms, type StoredChains } from './run-terms.ts';

/** A term of the estimator as the scorer of cells takes it. */
function cellSet({ coefficient, pool, chains }: ChainTerm<StoredChains>): CellSet {
  const { name } = chains;
  if ('constant' in chains) throw new RangeError('all cells are scored of intruders with all records but one');
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

/** The prior of the cells, where it is not uniform: its set, and the chains that it is from or the weights that are given. */
interface CellPrior {
  readonly set: CellSet;
  readonly chains?: StoredChains;
  readonly weights?: CellWeights;
}

async function readCellPrior(
  store: Store,
  { scenario, table }: OfScenario,
  terms: readonly ChainTerm<StoredChains>[],
): Promise<CellPrior | null> {
  const { prior } = scenario;
  if (prior === 'uniform') return null;
  if (prior === 'model') {
    const base = terms.find(({ chains }) => chains.name === BASE_CHAINS)!;
    return { set: { ...cellSet({ ...base, coefficient: 1 }), isPrior: true }, chains: base.chains };
  }
  const files = await readPrior(store, scenario);
  return {
    set: { name: 'prior', coefficient: 1, pool: 'arithmetic', chains: 1, drawsPerChain: 1, isPrior: true },
    weights: cellWeights(prior, cellOrder(table.sizes), table.combinations, files, table.sizes),
  };
}

/**
 * Attribute risk of combinations `from` up to but without `to` when the candidates are all cells of the table: reads the
 * draws of all chains once, and walks the cells block after block. Where the prior is not uniform it is scored by itself as
 * well.
 *
 * @param onUnit called after each chain that is read, and after each block of cells
 * @throws RangeError naming the combination (from 0 within the batch) when an estimate is not a number
 */
export async function assessAllCells(
  store: Store,
  context: RunContext & OfScenario,
  { from, to, chains: numbers }: { readonly from: number; readonly to: number; readonly chains: RoundChains },
  onUnit: () => void,
): Promise<CellRisk> {
  const { plan, streams, table } = context;
  const { codes, counts, variables } = table.combinations;
  const { attributeRisk } = plan.config;
  const { slope } = attributeRisk;
  const own = codes.subarray(from * variables, to * variables);
  const terms = await runTerms(store, context, numbers);
  // The base chains say the prior alone.
  const ofLikelihood = terms.filter(({ coefficient }) => coefficient !== 0);
  const likelihood = ofLikelihood.map(cellSet);
  const prior = await readCellPrior(store, context, terms);
  const problem = { sizes: table.sizes, codes: own, classes: plan.classes, streams };
  const sets = prior ? posteriorSets(likelihood, prior.set, slope) : likelihood;
  const scorer = createCellScorer({ ...problem, sets, slope });
  const priorScorer = prior && createCellScorer({ ...problem, sets: [prior.set], slope: 1 });
  const names = table.schema.variables.map(({ name }) => name);
  const marginals = attributeRisk.marginals && askedMarginals(attributeRisk.marginals, names, table.sizes);
  let loaded = 0;
  for (const { chains } of ofLikelihood) {
    for await (const draws of drawsOf(store, plan, chains)) {
      scorer.load(loaded++, draws);
      if (!('generating' in chains)) onUnit();
    }
  }
  if (prior?.chains) {
    let chain = 0;
    for await (const draws of drawsOf(store, plan, prior.chains)) {
      scorer.load(loaded++, draws);
      priorScorer!.load(chain++, draws);
      onUnit();
    }
  }
  if (prior?.weights) {
    const { of, ofTruth } = prior.weights;
    const ofTruths = Float64Array.from({ length: to - from }, (_, row) => ofTruth(from + row));
    scorer.give(loaded, ofTruths, of);
    priorScorer!.give(0, ofTruths, of);
  }
  const subsets = marginals && new SubsetMarginals(to - from, marginals, table.sizes);
  for (let block = 0; block < scorer.blocks; block++) {
    scorer.addBlock(block);
    subsets?.add(scorer.blockCodes(), scorer.blockValues(), scorer.blockCells);
    priorScorer?.addBlock(block);
    onUnit();
  }
  const counted = counts.subarray(from, to);
  const risk = cellRisk(scorer.sums(), {
    order: scorer.order,
    codes: own,
    counts: counted,
    effectiveDraws: scorer.effectiveDraws(),
    paretoK: scorer.paretoK(),
    prior: priorScorer?.sums(),
  });
  return subsets ? { ...risk, marginals: subsets.probabilities() } : risk;
}
