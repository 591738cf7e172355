import { encodeCheckedNpy } from '../../../arrays/checked-npy.ts';
import { readDataset } from '../../../artifacts/stored-dataset.ts';
import { readDraws } from '../../../artifacts/stored-draws.ts';
import { runKeys } from '../../../contracts/keys.ts';
import type { Task } from '../../../contracts/run/plan.ts';
import { stateOfDraw } from '../../../model/chains/sample-chain.ts';
import type { Store } from '../../../storage/store.ts';
import { bindStacked } from './bind-stacked.ts';
import { type ChainRun, openChainModel } from './chain-run.ts';

/**
 * Log-likelihood of every dataset under every draw of one base chain: the log of p_j, the weights of the
 * published estimator (000 eq. 14). Stored as datasets x draws.
 */
export async function weighDatasets(
  store: Store,
  run: ChainRun,
  { runId, chain }: Extract<Task, { step: 'weigh' }>,
  onIteration: () => void,
): Promise<void> {
  const key = runKeys(runId).logWeights(chain);
  if ((await store.head(key)) !== null) return;
  const context = await openChainModel(store, run);
  const { plan, synthesized, bind } = context;
  const draws = await readDraws(store, runId, `base/${chain}`);
  const { count } = plan.datasets;
  const logWeights = new Float64Array(count * draws.draws);
  for (let l = 0; l < count; l++) {
    // P(Z | D, Theta) of values synthesized from the records' own classes is that of both over that of the table.
    const model =
      synthesized === null ? bind((await readDataset(store, runId, l + 1)).combinations) : await bindStacked(store, context, l + 1);
    for (let j = 0; j < draws.draws; j++) {
      const ofTable = synthesized === null ? 0 : draws.logLikelihood[j]!;
      logWeights[l * draws.draws + j] = model.logLikelihood(stateOfDraw(draws, j)) - ofTable;
      onIteration();
    }
  }
  await store.put(key, encodeCheckedNpy(logWeights, [count, draws.draws]), { ifAbsent: true });
}
