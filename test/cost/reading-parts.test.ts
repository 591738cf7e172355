import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCheckedNpy } from '../../shared/arrays/checked-npy.ts';
import { readRisk } from '../../shared/artifacts/stored-part.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import { CLOUD_ASSUMPTIONS } from '../../shared/cost/cloud-assumptions.ts';
import { estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS } from '../../shared/cost/cloud-options.ts';
import { HALF_SPLITS } from '../../shared/risk/attribute/chain-evaluations.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { ByteRange } from '../../shared/storage/store.ts';

/** Files that putting a round together reads of each part. */
const FILES = ['columns', 'halfRanks', 'halfProbabilities', 'halfInformationBits', 'halfLosses', 'recordSums'];
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
    const columns = encodeCheckedNpy(new Float64Array(20), [1, 20]);
    for (const { batch } of batches) {
      const keys = runKeys(runId).part(1, batch);
      for (const file of FILES) {
        await store.put(keys[file as keyof typeof keys], file.startsWith('half') ? halves : columns);
      }
    }
  });

  it('takes the time that the model says: as many turns as there are objects for those that are read at once', async () => {
    await readRisk(store, { runId, batches } as unknown as Plan, 1);
    const work = {
      phases: [],
      values: 0,
      valueBytes: 0,
      stepMemory: { plan: 0, fit: { process: 0, thread: 0 }, aggregate: 0, report: 0 },
      utilitySeconds: 0,
      batches: batches.map(() => 1),
      secondsPerCombination: 0,
      storedBytes: 0,
      draws: { bytes: 0, objects: 0 },
      context: { bytes: 0, objects: 0 },
      part: { bytesPerCombination: 0, objects: FILES.length },
      fitReads: 0,
      fitObjects: 0,
    };
    const { aggregateSecondsPerCombination, s3FirstByteSeconds, stepSeconds } = CLOUD_ASSUMPTIONS;
    const aggregate = 60 * estimateCloud(work, CLOUD_DEFAULTS).minutes.aggregate;
    const predicted = aggregate - stepSeconds - BATCHES * aggregateSecondsPerCombination;
    // One turn more or less a file: each is read for all batches before the next.
    expect(Math.abs(store.turns * s3FirstByteSeconds - predicted)).toBeLessThanOrEqual(FILES.length * s3FirstByteSeconds);
  });
});
