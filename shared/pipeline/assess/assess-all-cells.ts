import type { RunContext, RunModel } from '../../artifacts/run-context.ts';
import { readDatasetSource, readGeneratingState } from '../../artifacts/stored-dataset.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { ArtifactError } from '../../contracts/errors.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import {
  augmentedTerms,
  type PairedChains,
  parametersTerms,
  type ScoredChains,
} from '../../risk/attribute/attribute-estimators.ts';
import { BASE_CHAINS } from '../../risk/attribute/chain-evaluations.ts';
import type { ExpectationTerm } from '../../risk/attribute/expectation.ts';
import type { CellSet } from '../../risk/cells/cell-evaluations.ts';
import { type CellRisk, cellRisk } from '../../risk/cells/cell-risk.ts';
import { createCellScorer } from '../../risk/cells/cell-scorer.ts';
import type { CellDraws } from '../../risk/cells/cell-sums.ts';
import type { Store } from '../../storage/store.ts';

/** A set of chains whose draws are read one chain at a time. */
interface StoredSet {
  readonly set: CellSet;
  readonly read: (chain: number) => Promise<CellDraws>;
}

/**
 * Chains that have not been scored: from their number alone the estimator says how they count.
 *
 * @param folder of their draws, which `term.chains` then names
 */
function unscored(folder: string, chains: number, drawsPerChain: number): ScoredChains {
  const none = { mean: new Float64Array(0), meanSquare: new Float64Array(0) };
  return { name: folder, drawsPerChain, chains: new Array(chains).fill(none) };
}

/** The sets of chains of a run's estimator in one round, and where their draws are. */
async function storedSets(
  store: Store,
  { plan }: RunModel,
  { chains, pairedChains }: RoundChains,
): Promise<StoredSet[]> {
  const { runId } = plan;
  const { mcmc, attributeRisk } = plan.config;
  const base = unscored(BASE_CHAINS, chains, mcmc.draws);
  const side = (name: string, l: number) => unscored(`${name}/${l}`, pairedChains, mcmc.pairedDraws);
  const datasets = Array.from({ length: plan.datasets.count }, (_, l) => l + 1);
  const stored = ({ coefficient, pool, means, draws, chains: folder }: ExpectationTerm, name: string) => ({
    set: { name, coefficient, pool, chains: means.length, drawsPerChain: draws / means.length },
    read: (chain: number) => readDraws(store, runId, `${folder}/${chain}`),
  });
  if (attributeRisk.estimator === 'augmented') {
    const pairs: PairedChains[] = [];
    for (const l of datasets) {
      const source = await readDatasetSource(store, runId, l);
      const chainByChain = source.origin === 'elsewhere';
      pairs.push({ stacked: side('stacked', l), table: side('alone', l), chainByChain });
    }
    return augmentedTerms(base, pairs).map((term) =>
      // Chains that are compared one by one share a name, so that they are split together.
      stored(term, term.pool === 'geometric' ? term.chains.replace(/^\w+/, 'pair') : term.chains),
    );
  }
  const generating = datasets.map(() => new Float64Array(0));
  const tables = datasets.map((l) => side('alone', l));
  return parametersTerms(base, generating, tables).map((term, t) => {
    const found = stored(term, term.chains);
    if (t >= generating.length) return found;
    return { ...found, read: () => readGeneratingDraw(store, runId, t + 1) };
  });
}

async function readGeneratingDraw(store: Store, runId: string, dataset: number): Promise<CellDraws> {
  const source = await readDatasetSource(store, runId, dataset);
  const state = await readGeneratingState(store, runId, source);
  if (state === null) {
    throw new ArtifactError('no-generating-draw', `Dataset ${dataset} has no generating draw.`);
  }
  return { draws: 1, weights: state.weights, probabilities: state.probabilities };
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
  const sets = await storedSets(store, context, round);
  const scorer = createCellScorer({
    sizes: table.sizes,
    codes: own,
    classes: plan.classes,
    sets: sets.map(({ set }) => set),
    streams,
    slope: attributeRisk.slope,
  });
  let loaded = 0;
  for (const { set, read } of sets) {
    for (let chain = 1; chain <= set.chains; chain++) {
      scorer.load(loaded++, await read(chain));
      // A generating draw alone is no chain.
      if (set.drawsPerChain > 1) onUnit();
    }
  }
  for (let block = 0; block < scorer.blocks; block++) {
    scorer.addBlock(block);
    onUnit();
  }
  return cellRisk(scorer.sums(), scorer.order, own, counts.subarray(from, to), scorer.effectiveDraws());
}
