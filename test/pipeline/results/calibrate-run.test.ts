import { beforeAll, describe, expect, it } from 'vitest';
import { encodeCheckedNpy } from '../../../shared/arrays/checked-npy.ts';
import { decodeNpy } from '../../../shared/arrays/npy.ts';
import { readDataset } from '../../../shared/artifacts/stored-dataset.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readCentres, readStoredTable, readTargets } from '../../../shared/artifacts/stored-table.ts';
import type { Config } from '../../../shared/contracts/config/config.ts';
import { InterruptedError, InvalidConfigError, UnsupportedOptionError } from '../../../shared/contracts/errors.ts';
import { replicateRunId, runKeys } from '../../../shared/contracts/keys.ts';
import { calibrationSchema } from '../../../shared/contracts/results/calibration.ts';
import { planSchema, type Task } from '../../../shared/contracts/run/plan.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../../shared/pipeline/plan/store-planned-run.ts';
import { calibrateRun } from '../../../shared/pipeline/results/calibrate-run.ts';
import { candidateChanges, candidateSpace } from '../../../shared/risk/intruder/candidate-space.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import type { Combinations } from '../../../shared/table/combinations.ts';
import { exactLogLikelihoods } from '../../exact-posterior.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { hashesBelow, runInMemory, smallConfig, smallTable } from '../small-run.ts';

const table = smallTable();
const request = (config: Config, batchSize?: number) => ({
  ...TEST_KEYS,
  purpose: 'calibrate' as const,
  config,
  table,
  ...(batchSize ? { batchSize } : {}),
});
const small = (sections: object = {}) => smallConfig({ calibration: { targets: 12, replicates: 2 }, ...sections });
const resultOf = ({ store, keys }: Awaited<ReturnType<typeof runInMemory>>) =>
  readJson(store, keys.confidential.calibration, calibrationSchema);

/** Scores of a replicate, targets x candidates. */
async function scoresOf(store: MemoryStore, runId: string): Promise<Float64Array[]> {
  const plan = await readJson(store, runKeys(runId).plan, planSchema);
  const rows: Float64Array[] = [];
  for (const { batch } of plan.batches) {
    const { data, shape } = decodeNpy(await store.get(runKeys(runId).scores(batch)));
    for (let t = 0; t < shape[0]!; t++) {
      rows.push((data as Float64Array).slice(t * shape[1]!, (t + 1) * shape[1]!));
    }
  }
  return rows;
}

/** Rows of codes of a set of combinations, in any order. */
function recordsOf({ codes, counts, variables }: Combinations): number[][] {
  return Array.from(counts, (count, c) =>
    Array.from({ length: count }, () => [...codes.subarray(c * variables, (c + 1) * variables)]),
  ).flat();
}

it('is not planned to the last of its replicates where somebody ends it', async () => {
  const planned = await planRun(request(small()));
  const { runId } = planned.plan;
  const store = new MemoryStore();
  const end = new AbortController();
  const put = store.put.bind(store);
  store.put = (key, bytes, options) => {
    if (key === runKeys(replicateRunId(runId, 1)).plan) end.abort(new InterruptedError('interrupted', 'enough'));
    return put(key, bytes, options);
  };
  await expect(storePlannedRun(store, planned, end.signal)).rejects.toThrow('enough');
  expect(await store.list(runKeys(replicateRunId(runId, 2)).root)).toEqual([]);
  // The plan comes last: what goes on finds none, and writes what is missing.
  expect(await store.head(runKeys(runId).plan)).toBeNull();
});

describe('a calibration in memory', () => {
  let run: Awaited<ReturnType<typeof runInMemory>>;

  beforeAll(async () => {
    run = await runInMemory(request(small()));
  });

  it('gives its figures, of every replicate and of all', async () => {
    const result = await resultOf(run);
    expect(result).toMatchObject({
      runId: run.plan.runId,
      seed: 1,
      table: { records: 60, variables: 4 },
      estimator: 'augmented',
      candidates: 'one-change',
      datasets: 2,
      targets: 12,
      replicates: 2,
    });
    expect(result.byReplicate.map(({ replicate }) => replicate)).toEqual([1, 2]);
    const mean = (pick: (figures: (typeof result.byReplicate)[number]) => number) =>
      result.byReplicate.reduce((sum, figures) => sum + pick(figures), 0) / 2;
    expect(result.achievedBits).toBeCloseTo(
      mean(({ achievedBits }) => achievedBits),
      12,
    );
    expect(result.claimedBits).toBeCloseTo(
      mean(({ claimedBits }) => claimedBits),
      12,
    );
    expect(result.excessBits).toBeCloseTo(result.claimedBits - result.achievedBits, 12);
    expect(result.reliability.reduce((sum, bin) => sum + bin.truths, 0)).toBe(24);
    expect(result.verdict.message).not.toBe('');
  });

  it('judges by themselves what is claimed most for, and records that were unique', async () => {
    const found = await resultOf(run);
    expect(found.byClaim).toHaveLength(1);
    const { group, ...all } = found.byClaim[0]!;
    expect(group).toBe(1);
    expect(all.targets).toBe(24);
    expect(all.claimedBits).toBeCloseTo(found.claimedBits, 12);
    expect(all.achievedBits).toBeCloseTo(found.achievedBits, 12);
    expect(found.riskiest).toBeNull();
    expect(found.groupsReason).toContain('fewer than 20');
    // With every record a target in each replicate, unique ones are those of the table, and its groups add up.
    const whole = await runInMemory(request(small({ calibration: { targets: 60, replicates: 2 } })));
    const { combinations } = await readStoredTable(whole.store, whole.plan.runId);
    const unique = combinations.counts.filter((count) => count === 1).length;
    const { uniqueRecords, otherRecords, claimedBits, byClaim } = await resultOf(whole);
    expect(unique).toBeGreaterThanOrEqual(10);
    expect(uniqueRecords!.targets).toBe(2 * unique);
    expect(otherRecords!.targets).toBe(120 - 2 * unique);
    const sum = (groups: readonly { targets: number; claimedBits: number }[]) =>
      groups.reduce((total, each) => total + each.targets * each.claimedBits, 0);
    expect(sum([uniqueRecords!, otherRecords!])).toBeCloseTo(120 * claimedBits, 9);
    expect(byClaim).toHaveLength(6);
    expect(sum(byClaim)).toBeCloseTo(120 * claimedBits, 9);
    const claims = byClaim.map((each) => each.claimedBits);
    expect(claims.toSorted((a, b) => a - b)).toEqual(claims);
  });

  it('warns when the riskiest are too sure although the estimate as a whole is not', async () => {
    const { store, plan } = await runInMemory(request(small({ calibration: { targets: 60, replicates: 7 } })));
    const candidates = plan.candidatesPerCombination;
    const plant = async (sureIsRight: boolean) => {
      for (let r = 1; r <= 7; r++) {
        const runId = replicateRunId(plan.runId, r);
        const { truths } = await readTargets(store, runId);
        const { batches } = await readJson(store, runKeys(runId).plan, planSchema);
        for (const { batch, from, to } of batches) {
          // Of each replicate's targets three are nearly sure of a candidate, the others lean a little to the truth.
          const scores = new Float64Array((to - from) * candidates);
          for (let t = from; t < to; t++) {
            const sure = t < 3;
            const favoured = sure && !sureIsRight ? (truths[t]! + 1) % candidates : truths[t]!;
            scores[(t - from) * candidates + favoured] = sure ? 5 : 0.2;
          }
          await store.put(runKeys(runId).scores(batch), encodeCheckedNpy(scores, [to - from, candidates]));
        }
      }
      await calibrateRun(store, plan);
      return readJson(store, runKeys(plan.runId).confidential.calibration, calibrationSchema);
    };
    const wrong = await plant(false);
    expect(wrong.verdict.code).not.toBe('overclaims');
    expect(wrong.riskiest).toMatchObject({ targets: 21, firstGuessRight: 0 });
    const own = wrong.warnings.filter(({ code }) => code.startsWith('riskiest'));
    expect(own.map(({ code }) => code)).toEqual(['riskiest-overclaimed']);
    // Every target of the group is alike, so that nothing varies; that none of some guesses is right may be chance.
    expect(own[0]!.message.replaceAll('\u00a0', ' ')).toContain(
      'claims 3.11 ± 0 bits a record and achieves −3.53 ± 0; their first guesses have a probability of 91.9 ± 0 % and are right for 0.0 ± 3.9 %',
    );
    expect(wrong.verdict.message).toContain('for the 5 % of targets for which it claims most, where it overclaims');
    const right = await plant(true);
    expect(right.riskiest).toMatchObject({ targets: 21, firstGuessRight: 1 });
    expect(right.warnings.map(({ code }) => code)).not.toContain('riskiest-overclaimed');
    expect(right.verdict.message).not.toContain('where it overclaims');
  });

  it('advises the power that would repair an estimate that is too sure', async () => {
    const { store, plan } = await runInMemory(request(small({ calibration: { targets: 60, replicates: 2 } })));
    const candidates = plan.candidatesPerCombination;
    for (const replicate of [1, 2]) {
      const runId = replicateRunId(plan.runId, replicate);
      const { truths } = await readTargets(store, runId);
      const { batches } = await readJson(store, runKeys(runId).plan, planSchema);
      for (const { batch, from, to } of batches) {
        const scores = new Float64Array((to - from) * candidates);
        for (let t = from; t < to; t++) {
          // It is right of six in ten.
          const favoured = (truths[t]! + (t % 10 < 6 ? 0 : 1)) % candidates;
          scores[(t - from) * candidates + favoured] = 8;
        }
        await store.put(runKeys(runId).scores(batch), encodeCheckedNpy(scores, [to - from, candidates]));
      }
    }
    await calibrateRun(store, plan);
    const { verdict } = await readJson(store, runKeys(plan.runId).confidential.calibration, calibrationSchema);
    expect(verdict.code).toBe('overclaims');
    // The power at which it gives its favourite a probability of 0.6: exp(8 power) = 1.5 times the number of the others.
    expect(verdict.suggestedSlope).toBeCloseTo(Math.log(1.5 * (candidates - 1)) / 8, 1);
    expect(verdict.suggestedSlope! * 100).toBeCloseTo(Math.round(verdict.suggestedSlope! * 100), 9);
    expect(verdict.message).toContain(`The power ${verdict.suggestedSlope} of the likelihood would repair it`);
  });

  it('warns when it claims too little for records that were unique, although too much for all together', async () => {
    const { store, plan } = await runInMemory(request(small({ calibration: { targets: 60, replicates: 4 } })));
    const candidates = plan.candidatesPerCombination;
    const { combinations } = await readStoredTable(store, plan.runId);
    const rows = Array.from(combinations.counts, (count, c) => ({ key: combinations.codes.subarray(4 * c, 4 * c + 4).join(), count }));
    const isUnique = new Map(rows.map(({ key, count }) => [key, count === 1]));
    for (let r = 1; r <= 4; r++) {
      const runId = replicateRunId(plan.runId, r);
      const { truths } = await readTargets(store, runId);
      const centres = await readCentres(store, runId);
      const { batches } = await readJson(store, runKeys(runId).plan, planSchema);
      for (const { batch, from, to } of batches) {
        const scores = new Float64Array((to - from) * candidates);
        for (let t = from; t < to; t++) {
          // Unique records lean a little to the truth each time; of others a wrong candidate is all but sure.
          const unique = isUnique.get(centres.subarray(4 * t, 4 * t + 4).join())!;
          const favoured = unique ? truths[t]! : (truths[t]! + 1) % candidates;
          scores[(t - from) * candidates + favoured] = unique ? 1 + t / 1000 : 12;
        }
        await store.put(runKeys(runId).scores(batch), encodeCheckedNpy(scores, [to - from, candidates]));
      }
    }
    await calibrateRun(store, plan);
    const found = await readJson(store, runKeys(plan.runId).confidential.calibration, calibrationSchema);
    expect(found.uniqueRecords!.targets).toBe(4 * rows.filter(({ count }) => count === 1).length);
    expect(found.uniqueRecords!.firstGuessRight).toBe(1);
    expect(found.otherRecords!.firstGuessRight).toBe(0);
    expect(found.verdict.code).toBe('overclaims');
    const own = found.warnings.filter(({ code }) => code.startsWith('unique-records'));
    expect(own.map(({ code }) => code)).toEqual(['unique-records-underclaimed']);
    expect(own[0]!.message).toMatch(/^For targets that alone had their combination .* the release reveals more/);
    expect(found.verdict.message).toContain('targets that alone had their combination, where it underclaims');
  });

  it('releases nothing, and assesses no combination', async () => {
    const keys = await run.store.list(run.keys.root);
    expect(keys.filter((key) => key.includes('/release/') || key.includes('/parts/'))).toEqual([]);
    // What anybody may know of it is told once.
    const open = [1, 2].map((replicate) => runKeys(replicateRunId(run.plan.runId, replicate)).openPlan);
    expect(keys.filter((key) => open.includes(key))).toEqual([]);
    expect(keys).toContain(run.keys.openPlan);
    expect(keys).toContain(run.keys.confidential.calibrationReport);
  });

  it('has the same bytes whatever the order of tasks and the batches', async () => {
    const reversed = (tasks: Task[]) => tasks.toReversed();
    const other = await runInMemory(request(small(), 5), { inOrder: reversed });
    expect(other.plan.runId).toBe(run.plan.runId);
    const results = (of: typeof run) => hashesBelow(of.store, of.plan, 'confidential/', 'replicates/1/draws/', 'replicates/2/targets/');
    expect(await results(other)).toEqual(await results(run));
  });

  it('has replicates that differ, and that do not depend on their number', async () => {
    const three = await runInMemory(request(small({ calibration: { targets: 12, replicates: 3 } })));
    expect(three.plan.runId).not.toBe(run.plan.runId);
    const { byReplicate } = await resultOf(three);
    expect(byReplicate.slice(0, 2)).toEqual((await resultOf(run)).byReplicate);
    expect(new Set(byReplicate.map(({ seed }) => seed)).size).toBe(3);
    expect(new Set(byReplicate.map(({ achievedBits }) => achievedBits)).size).toBe(3);
  });

  it('replaces the targets in the table of each replicate', async () => {
    const original = await readStoredTable(run.store, run.plan.runId);
    const count = (rows: number[][]) => {
      const counts = new Map<string, number>();
      for (const row of rows) counts.set(row.join(), (counts.get(row.join()) ?? 0) + 1);
      return counts;
    };
    const space = candidateSpace('one-change', ['a', 'b', 'c', 'd'], original.sizes);
    for (const replicate of [1, 2]) {
      const runId = replicateRunId(run.plan.runId, replicate);
      const { truths } = await readTargets(run.store, runId);
      const centres = await readCentres(run.store, runId);
      const rows = recordsOf(original.combinations);
      for (const [t, truth] of truths.entries()) {
        const centre = [...centres.subarray(4 * t, 4 * t + 4)];
        rows.splice(
          rows.findIndex((row) => row.join() === centre.join()),
          1,
        );
        for (const { variable, code } of candidateChanges(space, [...centre], truth)) centre[variable] = code;
        rows.push(centre);
      }
      const altered = recordsOf((await readStoredTable(run.store, runId)).combinations);
      expect(count(altered)).toEqual(count(rows));
      const { table: figures, warnings } = await readJson(run.store, runKeys(runId).plan, planSchema);
      const sampleUniques = [...count(rows).values()].filter((records) => records === 1).length;
      expect(figures).toEqual({ ...run.plan.table, combinations: count(rows).size, sampleUniques });
      expect(warnings).toEqual([]);
    }
  });

  it('scores the likelihood at the power that the config asks for', async () => {
    const halved = await runInMemory(request(small({ attributeRisk: { slope: 0.5 } })));
    const [whole, half] = [await resultOf(run), await resultOf(halved)];
    expect(half.slopeApplied).toBe(0.5);
    expect(half.slope).toBeCloseTo(2 * whole.slope!, 6);
  });

  it.each([{ estimator: 'parameters' }, { estimator: 'importance' }, { candidates: { unknown: ['region', 'education'] } }])(
    'works with %j',
    async (attributeRisk) => {
      const result = await resultOf(await runInMemory(request(small({ attributeRisk }))));
      expect(Number.isFinite(result.achievedBits)).toBe(true);
      expect(result.warnings.map(({ code }) => code)).toEqual(attributeRisk.estimator === 'importance' ? ['draws-know-the-truth'] : []);
    },
  );
});

it('a calibration adds no chains for a reproducibility, and says so', async () => {
  const asked = await runInMemory(request(small({ mcmc: { reproducibility: 0.999 } })));
  expect((await resultOf(asked)).warnings).toMatchObject([
    { code: 'no-rounds', message: expect.stringContaining('3 base chains and 2 paired chains') },
  ]);
  const draws = await asked.store.list(`${asked.keys.root}replicates/1/draws/base/`);
  expect(draws.some((key) => key.includes('/base/4/'))).toBe(false);
});

describe('the scores of a replicate', () => {
  const model = { classes: 1, concentration: { value: 1 } };
  const mcmc = { chains: 40, burnIn: 0, draws: 40, thin: 1, pairedChains: 30, pairedDraws: 40, pairedThin: 1 };

  it('are the exact log-likelihoods around what the targets were, with one class', async () => {
    const config = small({ model, mcmc, calibration: { targets: 25, replicates: 1 } });
    const { store, plan } = await runInMemory(request(config));
    const runId = replicateRunId(plan.runId, 1);
    const { combinations, sizes } = await readStoredTable(store, runId);
    const space = candidateSpace('one-change', ['a', 'b', 'c', 'd'], sizes);
    const datasets = await Promise.all(
      [1, 2].map(async (l) => {
        const dataset = await readDataset(store, runId, l);
        return Uint16Array.from(recordsOf(dataset.combinations).flat());
      }),
    );
    const { truths } = await readTargets(store, runId);
    const centres = await readCentres(store, runId);
    const scores = await scoresOf(store, runId);
    let squares = 0;
    let spread = 0;
    for (const [t, found] of scores.entries()) {
      // The record goes back to what it was; the sets of candidates are around that.
      const centre = [...centres.subarray(4 * t, 4 * t + 4)];
      const truth = [...centre];
      for (const { variable, code } of candidateChanges(space, centre, truths[t]!)) truth[variable] = code;
      const rows = recordsOf(combinations);
      const record = rows.findIndex((row) => row.join() === truth.join());
      rows[record] = centre;
      const codes = Uint16Array.from(rows.flat());
      const exact = exactLogLikelihoods({ codes, datasets, space }, record, 1, 1);
      for (let x = 0; x < found.length; x++) {
        const expected = exact[x]! - exact[truths[t]!]!;
        const difference = found[x]! - found[truths[t]!]! - expected;
        expect(Math.abs(difference), `target ${t}, candidate ${x}`).toBeLessThan(0.25);
        squares += difference * difference;
        spread += expected * expected;
      }
    }
    // The error is small beside what there is to find.
    expect(squares).toBeLessThan(spread / 50);
  });
});

describe('planRun() of a calibration', () => {
  it('makes another run of other targets or replicates, which no other purpose heeds', async () => {
    const idOf = async (purpose: 'calibrate' | 'evaluate', calibration?: object) =>
      (await planRun({ ...TEST_KEYS, purpose, config: smallConfig(calibration ? { calibration } : {}), table })).plan.runId;
    const ids = await Promise.all([
      idOf('calibrate', { targets: 12, replicates: 2 }),
      idOf('calibrate', { targets: 13, replicates: 2 }),
      idOf('calibrate', { targets: 12, replicates: 3 }),
      idOf('evaluate'),
    ]);
    expect(new Set(ids).size).toBe(4);
    expect(await idOf('evaluate', { targets: 12 })).toBe(ids[3]);
  });

  it('refuses more targets than the table has records, and more scores than memory holds', async () => {
    const planOf = (calibration: object, attributeRisk: object = {}) => planRun(request(small({ calibration, attributeRisk })));
    await expect(planOf({ targets: 61 })).rejects.toThrow(InvalidConfigError);
    await expect(planOf({ targets: 61 })).rejects.toMatchObject({ code: 'too-many-targets' });
    // And not cut into batches, of which there would be more than memory holds.
    await expect(planOf({ targets: 100_000_000_000 })).rejects.toMatchObject({ code: 'too-many-targets' });
    await expect(planOf({ targets: 60, replicates: 1_000_000 })).rejects.toThrow(UnsupportedOptionError);
    await expect(planOf({ targets: 60, replicates: 1_000_000 })).rejects.toMatchObject({ code: 'too-many-scores' });
    expect((await planOf({ targets: 60, replicates: 1 })).replicates).toHaveLength(1);
  });
});
