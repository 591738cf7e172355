import { encodeCheckedNpy } from '../../../arrays/checked-npy.ts';
import { type RunContext, type RunModel, readRunContext } from '../../../artifacts/run-context.ts';
import { readDataset, storeFullDataset, storeRecordDataset } from '../../../artifacts/stored-dataset.ts';
import { readDraws } from '../../../artifacts/stored-draws.ts';
import { readRecordDataset, readRecordTable } from '../../../artifacts/stored-table.ts';
import { integratesPhi } from '../../../contracts/config/config.ts';
import { knowledgeName } from '../../../contracts/config/knowledge.ts';
import { runKeys } from '../../../contracts/keys.ts';
import type { Plan } from '../../../contracts/run/plan.ts';
import type { ChainState } from '../../../model/chains/chain-sampler.ts';
import { stateOfDraw } from '../../../model/chains/sample-chain.ts';
import { type SynthesizedColumns, synthesizeFromOwnClass, synthesizeRecords } from '../../../model/dpmpm/dpmpm-synthesis.ts';
import type { RandomSource } from '../../../random/random-source.ts';
import type { Store } from '../../../storage/store.ts';
import { CombinationIndex } from '../../../table/combination-index.ts';
import { type CombinationsOfRecords, someCombinations } from '../../../table/combinations.ts';
import { stackCombinations, uniqueCombinations } from '../../../table/distinct-rows.ts';
import type { Support } from '../../../table/support/support.ts';
import { type Column, incompleteColumns, type Table } from '../../../table/table.ts';
import { type ChainModel, type Chains, chainModel } from '../chain-model.ts';
import type { Steps } from '../synthesizer.ts';
import { chainSteps, chainUnits, type OpenRun, type RunStep } from './run-chains.ts';

/** A run by a model whose chains are of combinations. */
interface ChainRun {
  readonly plan: Plan;
  readonly chains: Chains;
}

/** Reads what every chain of a run starts from, with its model to be bound to records. */
export async function openChainRun(store: Store, { plan, chains }: ChainRun): Promise<RunContext & ChainModel> {
  const run = await readRunContext(store, plan);
  return { ...run, ...chainModel(chains, plan.config, run.table.schema, run.support) };
}

/** The same as its steps ask for it. */
const openBound =
  (chains: Chains): OpenRun =>
  async (store, plan) => {
    const run = await openChainRun(store, { plan, chains });
    const { streams, table, support, synthesized, bind } = run;
    return {
      plan,
      streams,
      keepAllocation: integratesPhi(plan.config) ? table.combinations.count : undefined,
      alone: () => bind(table.combinations),
      stacked: (dataset) => bindStacked(store, run, dataset),
      async learned(knows, dataset) {
        const own = someCombinations(table.combinations, run.known.get(knowledgeName(knows))!);
        return bind(dataset === 0 ? own : stackCombinations(own, (await readDataset(store, plan.runId, dataset)).combinations));
      },
      async synthesize(state, made, random) {
        if (synthesized === null) {
          const rows = synthesizeDataset(state, table.sizes, plan.table.records, random, support);
          await storeFullDataset(store, plan, table.schema, { ...made, rows });
          return;
        }
        const records = await readRecordTable(store, plan);
        const rows = replaceColumns(state, records, { sizes: table.sizes, synthesized, support }, random);
        await storeRecordDataset(store, plan, records, { ...made, rows });
      },
    };
  };

/** A run's model bound to its table with a dataset (numbered from 1). */
async function bindStacked(store: Store, { plan, table, synthesized, bind, bindBeside }: RunModel & ChainModel, dataset: number) {
  if (synthesized === null) {
    const { combinations } = await readDataset(store, plan.runId, dataset);
    return bind(stackCombinations(table.combinations, combinations));
  }
  const records = await readRecordTable(store, plan);
  return bindBeside(records, await readRecordDataset(store, plan, dataset, records));
}

/**
 * Log-likelihood of every dataset under every draw of one base chain: the log of p_j, the weights of the
 * published estimator (Hu et al. 2014, eq. 14). Stored as datasets x draws.
 */
const weighDatasets =
  (chains: Chains): RunStep<'weigh'> =>
  async (store, plan, { runId, chain }, onIteration) => {
    const key = runKeys(runId).logWeights(chain);
    const context = await openChainRun(store, { plan, chains });
    const { synthesized, bind } = context;
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
  };

/** The steps of a model whose chains are of combinations. */
export const combinationSteps = (chains: Chains): Steps => ({
  ...chainSteps(openBound(chains)),
  weigh: { run: weighDatasets(chains), units: chainUnits.weigh },
});

/** Records whose codes are in memory at a time. */
const BLOCK_RECORDS = 65_536;

/** Synthesizes one dataset: its combinations, and which of them each record has. */
function synthesizeDataset(
  state: ChainState,
  sizes: readonly number[],
  records: number,
  random: RandomSource,
  support?: Support,
): CombinationsOfRecords {
  const variables = sizes.length;
  const index = new CombinationIndex(variables);
  const combinationOfRecord = new Uint32Array(records);
  for (let from = 0; from < records; from += BLOCK_RECORDS) {
    const length = Math.min(BLOCK_RECORDS, records - from);
    const codes = synthesizeRecords(state, sizes, length, random, support);
    for (let i = 0; i < length; i++) combinationOfRecord[from + i] = index.add(codes, i * variables, 1);
  }
  return { combinations: index.combinations(), combinationOfRecord };
}

/** Synthesizes some columns of a table anew, each record's values from its own class, and fills in what others lack. */
function replaceColumns(
  state: ChainState,
  table: Table,
  columns: Omit<SynthesizedColumns, 'completed'>,
  random: RandomSource,
): Map<number, Column> {
  const { synthesized } = columns;
  const completed = incompleteColumns(table).filter((k) => !synthesized.includes(k));
  const codes = synthesizeFromOwnClass(state, uniqueCombinations(table), { ...columns, completed }, random);
  return new Map([...synthesized, ...completed].map((k, j) => [k, { type: 'categorical', codes: codes[j]! }]));
}
