import type { Config } from '../contracts/config.ts';
import { runKeys } from '../contracts/keys.ts';
import type { DatasetSource, Task } from '../contracts/plan.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { synthesizeRecords } from '../model/dpmpm-synthesis.ts';
import { RandomStream } from '../random/random-stream.ts';
import type { Store } from '../storage/store.ts';
import { combinationsFromCodes } from '../table/combinations.ts';
import { encodeCsv } from '../table/write-csv.ts';
import { categoryText } from './category-text.ts';
import { readRunContext } from './run-context.ts';
import { type Schedule, sampleChain, stateOfDraw } from './sample-chain.ts';
import { writeDraws } from './stored-draws.ts';
import { encodeJson } from './stored-json.ts';
import { encodeCombinations } from './stored-table.ts';

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

/** Records of codes (records x variables) as text, one at a time. */
function* recordTexts(schema: TableSchema, codes: Uint16Array): Generator<(string | null)[]> {
  const variables = schema.variables.length;
  for (let from = 0; from < codes.length; from += variables) {
    yield schema.variables.map((_, k) => categoryText(schema, k, codes[from + k]!));
  }
}

/**
 * Runs one synthesis chain and writes the datasets that it generates (with `own` chains, the one of its
 * number): the file to release, what the pipeline reads, and which draw made it.
 */
export async function synthesizeChain(
  store: Store,
  { runId, chain }: Extract<Task, { step: 'synthesize' }>,
  onIteration: () => void,
): Promise<void> {
  const keys = runKeys(runId);
  const { plan, table, bind } = await readRunContext(store, runId);
  const { config } = plan;
  const datasets =
    config.synthesis.chains === 'own'
      ? [chain]
      : Array.from({ length: config.synthesis.datasets }, (_, l) => l + 1);
  const sources = await Promise.all(datasets.map((l) => store.head(keys.dataset(l).source)));
  if (sources.every((source) => source !== null)) return;

  const name = `synthesis/${chain}`;
  const schedule = synthesisSchedule(config);
  const model = bind(table.combinations);
  const random = new RandomStream(config.seed, `chain/${name}`);
  const { draws } = sampleChain(model, model.init(random), random, schedule, name, onIteration);
  await writeDraws(store, runId, name, draws);
  const { records, variables } = plan.table;
  const header = table.schema.variables.map((variable) => variable.name);
  for (const [draw, dataset] of datasets.entries()) {
    const stream = new RandomStream(config.seed, `dataset/${dataset}`);
    const codes = synthesizeRecords(stateOfDraw(draws, draw), table.sizes, records, stream);
    // What a replicate synthesizes comes from an altered table: it is nothing to release.
    if (plan.purpose !== 'replicate') {
      const csv = encodeCsv(header, recordTexts(table.schema, codes));
      await store.put(keys.release.dataset(dataset), csv, { ifAbsent: true });
    }
    const { combinations } = combinationsFromCodes(codes, records, variables);
    for (const [key, bytes] of encodeCombinations(keys.dataset(dataset), combinations)) {
      await store.put(key, bytes, { ifAbsent: true });
    }
    const iteration = schedule.burnIn + (draw + 1) * schedule.thin;
    const source: DatasetSource = { origin: 'synthesized', records, chain: name, draw, iteration };
    await store.put(keys.dataset(dataset).source, encodeJson(source), { ifAbsent: true });
  }
}
