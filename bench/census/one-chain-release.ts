import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRunModel } from '../../shared/artifacts/run-context.ts';
import { readDataset, readGeneratingDraw } from '../../shared/artifacts/stored-dataset.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { FileStore } from '../../shared/storage/file-store.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { BURN_IN, CLASSES, DATASETS, PROPOSALS } from './setting.ts';

/** Settings of the DPMPM as Hu et al. (2014) have them (section 2), with or without moves between labels, of which they have none. */
const settings = (labelMoves: number) => ({ classes: CLASSES, concentration: { shape: 0.25, rate: 0.25 }, labelMoves });

/** A release whose datasets come from draws of one chain (Hu et al. 2014, section 2), as the published estimator sees it. */
export interface OneChainRelease {
  readonly table: Combinations;
  readonly sizes: readonly number[];
  readonly model: ChainSampler;
  /** The draws that generated the datasets, in their order. */
  readonly generating: readonly ChainState[];
  /** Likelihoods of the datasets. */
  readonly datasets: readonly ChainSampler[];
}

/** The release of a run in its folder. */
export async function releaseOfRun(folder: string): Promise<OneChainRelease> {
  const { runId } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const store = new FileStore(folder, runKeys(runId).root);
  const { plan, table } = await readRunModel(store, runId);
  const { combinations, sizes } = table;
  const numbers = Array.from({ length: plan.datasets.count }, (_, l) => l + 1);
  const generating = await Promise.all(numbers.map((l) => readGeneratingDraw(store, plan, l)));
  const datasets = await Promise.all(numbers.map((l) => readDataset(store, runId, l)));
  return {
    table: combinations,
    sizes,
    model: createDpmpm(combinations, sizes, settings(CLASSES)),
    generating,
    datasets: datasets.map((dataset) => createDpmpm(dataset.combinations, sizes, settings(CLASSES))),
  };
}

/** A release of a table from one chain without moves between labels, the datasets as far apart as all proposals go. */
export function releaseOfTable(table: Combinations, sizes: readonly number[], seed: number): OneChainRelease {
  const model = createDpmpm(table, sizes, settings(0));
  const random = new RandomStream(seed, 'census/simulated/chain');
  const records = table.counts.reduce((sum, count) => sum + count, 0);
  let state = model.step(model.init(random), random, BURN_IN);
  const generating = Array.from({ length: DATASETS }, () => {
    state = model.step(state, random, (PROPOSALS.draws * PROPOSALS.thin) / DATASETS);
    return state;
  });
  const datasets = generating.map((draw, l) => {
    const stream = new RandomStream(seed, `census/simulated/dataset/${l + 1}`);
    const codes = synthesizeRecords(draw, sizes, records, stream);
    return createDpmpm(combinationsFromCodes(codes, records, sizes.length).combinations, sizes, settings(0));
  });
  return { table, sizes, model, generating, datasets };
}
