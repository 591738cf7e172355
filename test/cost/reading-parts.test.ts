import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCheckedNpy } from '../../shared/arrays/checked-npy.ts';
import { readFileRows } from '../../shared/artifacts/stored-part.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import { CLOUD_ASSUMPTIONS } from '../../shared/cost/cloud-assumptions.ts';
import { estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS } from '../../shared/cost/cloud-options.ts';
import { HALF_SPLITS, WHOLE_SPLITS } from '../../shared/risk/attribute/chain-evaluations.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { ByteRange } from '../../shared/storage/store.ts';

/** Files of each part that the figures of a file are found from; the first is read for what rows are without each dataset as well. */
const FILES = ['columns', 'halfRanks', 'halfProbabilities', 'halfLosses', 'recordSums'];
const READS = FILES.length + 1;
const BATCHES = 640;

/** A store whose reads all take as long: those that have been asked for are answered together, and the turns are counted. */
class FarStore extends MemoryStore {
  turns = 0;
  #waiting: (() => void)[] = [];

  override async get(key: string, range?: ByteRange): Promise<Uint8Array> {
    await new Promise<void>((answer) => {
      this.#waiting.push(answer);
      if (this.#waiting.length === 1) setTimeout(() => this.#answer(), 2);
    });
    return super.get(key, range);
  }

  #answer(): void {
    this.turns++;
    for (const answer of this.#waiting.splice(0)) answer();
  }
}

describe('reading the parts of a round', () => {
  const runId = '0'.repeat(16);
  const store = new FarStore();
  const batches = Array.from({ length: BATCHES }, (_, b) => ({ batch: b + 1, scenario: 1, from: b, to: b + 1 }));

  beforeAll(async () => {
    const halves = encodeCheckedNpy(new Float64Array(2 * HALF_SPLITS), [1, HALF_SPLITS, 2]);
    const columns = encodeCheckedNpy(new Float64Array(45), [1, 45]);
    for (const { batch } of batches) {
      const keys = runKeys(runId).part(1, batch);
      for (const file of FILES) {
        await store.put(keys[file as keyof typeof keys], file.startsWith('half') ? halves : columns);
      }
    }
  });

  it('takes the time that the model says: as many turns as there are objects for those that are read at once', async () => {
    const rows = await readFileRows(store, { runId, batches } as unknown as Plan, 1);
    const halves = (['halfRanks', 'halfProbabilities', 'halfLosses'] as const).map((figure) => () => rows.halves(figure));
    const found: number[] = [];
    for (const columns of [rows.without, ...halves]) {
      let count = 0;
      for await (const column of columns()) count += column.length / BATCHES;
      found.push(count);
    }
    // Figures without each dataset follow those of every row, of which there are 25.
    expect(found).toEqual([20, ...halves.map(() => 2 * WHOLE_SPLITS)]);
    const work = {
      phases: [],
      values: 0,
      valueBytes: 0,
      stepMemory: { plan: 0, fit: { process: 0, thread: 0 }, assess: 0, aggregate: 0, report: 0 },
      utilitySeconds: 0,
      batches: batches.map(() => 1),
      secondsPerCombination: 0,
      storedBytes: 0,
      draws: { bytes: 0, objects: 0 },
      table: { bytes: 0, objects: 0 },
      contextObjects: 0,
      part: { bytesPerCombination: 0, objects: READS },
      fitReads: 0,
      fitObjects: 0,
    };
    const { aggregateSecondsPerCombination, s3FirstByteSeconds, stepSeconds } = CLOUD_ASSUMPTIONS;
    const aggregate = 60 * estimateCloud(work, CLOUD_DEFAULTS).minutes.aggregate;
    const predicted = aggregate - stepSeconds - BATCHES * aggregateSecondsPerCombination;
    // One turn more or less a file: each is read for all batches before the next.
    expect(Math.abs(store.turns * s3FirstByteSeconds - predicted)).toBeLessThanOrEqual(READS * s3FirstByteSeconds);
  });
});
