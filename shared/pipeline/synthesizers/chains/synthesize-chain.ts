import { storeFullDataset } from '../../../artifacts/store-full-dataset.ts';
import { storePartialDataset } from '../../../artifacts/store-partial-dataset.ts';
import { readRecordTable } from '../../../artifacts/stored-columns.ts';
import { writeDraws } from '../../../artifacts/stored-draws.ts';
import type { Config } from '../../../contracts/config/config.ts';
import { runKeys } from '../../../contracts/keys.ts';
import type { DatasetSource, Task } from '../../../contracts/run/plan.ts';
import type { ChainState } from '../../../model/chains/chain-sampler.ts';
import { type Schedule, sampleChain, stateOfDraw } from '../../../model/chains/sample-chain.ts';
import { synthesizeRecords } from '../../../model/dpmpm/dpmpm-synthesis.ts';
import { type SynthesizedColumns, synthesizeFromOwnClass } from '../../../model/dpmpm/own-class-synthesis.ts';
import type { RandomSource } from '../../../random/random-source.ts';
import type { Store } from '../../../storage/store.ts';
import { CombinationIndex } from '../../../table/combination-index.ts';
import type { CombinationsOfRecords } from '../../../table/combinations.ts';
import { uniqueCombinations } from '../../../table/distinct-rows.ts';
import type { Support } from '../../../table/support/support.ts';
import { type Column, incompleteColumns, type Table } from '../../../table/table.ts';
import { type ChainRun, openChainRun } from './chain-run.ts';

/** Records whose codes are in memory at a time. */
const BLOCK_RECORDS = 65_536;

/**
 * The draws of a synthesis chain that generate datasets. A chain of its own gives one, `thin` iterations
 * after burn-in; one chain for all gives one after each stretch as long as a base chain's draws, so that they
 * are far apart (000 section 2).
 */
export function synthesisSchedule({ mcmc, synthesis }: Config): Schedule {
  return synthesis.chains === 'own'
    ? { burnIn: mcmc.burnIn, draws: 1, thin: mcmc.thin }
    : { burnIn: mcmc.burnIn, draws: synthesis.datasets, thin: mcmc.draws * mcmc.thin };
}

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

/**
 * Runs one synthesis chain and writes the datasets that it generates (with `own` chains, the one of its
 * number): the file to release, what the pipeline reads, and which draw made it.
 */
export async function synthesizeChain(
  store: Store,
  run: ChainRun,
  { runId, chain }: Extract<Task, { step: 'synthesize' }>,
  onIteration: () => void,
): Promise<void> {
  const keys = runKeys(runId);
  const { config } = run.plan;
  const datasets = config.synthesis.chains === 'own' ? [chain] : Array.from({ length: config.synthesis.datasets }, (_, l) => l + 1);
  const sources = await Promise.all(datasets.map((l) => store.head(keys.dataset(l).source)));
  if (sources.every((source) => source !== null)) return;

  const { plan, streams, table, support, synthesized, bind } = await openChainRun(store, run);
  const name = `synthesis/${chain}`;
  const schedule = synthesisSchedule(config);
  const model = bind(table.combinations);
  const random = streams.open(`chain/${name}`);
  const { draws } = sampleChain(model, model.init(random), random, schedule, { name, onIteration });
  await writeDraws(store, runId, name, draws);
  const { records } = plan.table;
  const recordTable = synthesized && (await readRecordTable(store, plan));
  for (const [draw, dataset] of datasets.entries()) {
    const stream = streams.openReleased(`dataset/${dataset}`);
    const state = stateOfDraw(draws, draw);
    const iteration = schedule.burnIn + (draw + 1) * schedule.thin;
    const source: DatasetSource = { origin: 'synthesized', records, chain: name, draw, iteration };
    if (recordTable) {
      const columns = replaceColumns(state, recordTable, { sizes: table.sizes, synthesized, support }, stream);
      await storePartialDataset(store, plan, recordTable, { dataset, synthesized: columns, source });
      continue;
    }
    const { combinations, combinationOfRecord } = synthesizeDataset(state, table.sizes, records, stream, support);
    await storeFullDataset(store, plan, table.schema, { dataset, rows: { combinations, combinationOfRecord }, source });
  }
}
