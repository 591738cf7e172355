import { beforeAll, describe, expect, it } from 'vitest';
import { openScenario } from '../../../shared/contracts/run/scenarios.ts';
import { rowsWithin } from '../../../shared/pipeline/methods/listed-batches.ts';
import { sampled } from '../../../shared/pipeline/methods/sampled.ts';
import { planScenarios } from '../../../shared/pipeline/plan/plan-batches.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../../shared/pipeline/plan/planned-run.ts';
import { predictMemory } from '../../../shared/pipeline/plan/predict-memory.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

const MIB = 1024 * 1024;

describe('rowsWithin()', () => {
  it('makes as many batches as are asked for, where memory allows', () => {
    const light = { fixed: 0, perRow: 10, perRowAtFirst: 10 };
    expect(rowsWithin(light, { rows: 800, fewest: 8 })).toBe(100);
    expect(rowsWithin(light, { rows: 801, fewest: 8 })).toBe(101);
    expect(rowsWithin(light, { rows: 800, fewest: 3 })).toBe(267);
  });

  it('keeps to 64 MiB of the first round, and to five times that of all rounds', () => {
    const wanted = { rows: 10_000, fewest: 8 };
    expect(rowsWithin({ fixed: 0, perRow: MIB, perRowAtFirst: MIB }, wanted)).toBe(64);
    expect(rowsWithin({ fixed: 0, perRow: 40 * MIB, perRowAtFirst: MIB }, wanted)).toBe(8);
    expect(rowsWithin({ fixed: 0, perRow: 1000 * MIB, perRowAtFirst: MIB }, wanted)).toBe(0);
  });
});

describe('planScenarios()', () => {
  let run: PlannedRun;

  beforeAll(async () => {
    const scenarios = [
      { name: 'one', candidates: 'one-change' },
      { name: 'two', candidates: 'two-changes' },
    ];
    run = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig({ attributeRisk: { scenarios } }), table: smallTable() });
  });

  it('gives each scenario batches of its own rows, numbered through', () => {
    expect(planScenarios(run, [7, 4], { batchSize: 3 })).toEqual([
      { batch: 1, scenario: 1, from: 0, to: 3 },
      { batch: 2, scenario: 1, from: 3, to: 6 },
      { batch: 3, scenario: 1, from: 6, to: 7 },
      { batch: 4, scenario: 2, from: 0, to: 3 },
      { batch: 5, scenario: 2, from: 3, to: 4 },
    ]);
  });

  const sizesOf = (batches: ReturnType<typeof planScenarios>) =>
    [1, 2].map((scenario) => batches.filter((batch) => batch.scenario === scenario).map(({ from, to }) => to - from));

  it('gives each thread a batch, four batches at least, and eight where nobody says how many threads', () => {
    const ofThreads = (jobs: number) =>
      sizesOf(planScenarios(run, [80, 80], { memory: { jobs, limitBytes: 1e15 } })).map(({ length }) => length);
    expect(ofThreads(1)).toEqual([4, 4]);
    expect(ofThreads(5)).toEqual([5, 5]);
    expect(sizesOf(planScenarios(run, [80, 80], {})).map(({ length }) => length)).toEqual([8, 8]);
  });

  it('makes batches as small as memory asks, of one row where not even one fits', () => {
    const jobs = 2;
    const batches = [1, 2].map((batch) => ({ batch, scenario: 1, from: 0, to: 0 }));
    const { assess } = predictMemory({ ...run, plan: { ...run.plan, batches } }, jobs).phases;
    const { perRow } = sampled.batchBytes(run.plan, run.schema, openScenario(run.plan, 1));
    const limited = (limitBytes: number) =>
      planScenarios(run, [80, 0], { memory: { jobs, limitBytes } })
        .filter(({ scenario }) => scenario === 1)
        .map(({ from, to }) => to - from);
    // Room for five rows in each of two threads.
    expect(limited(assess + 5.5 * jobs * perRow)[0]).toBe(5);
    expect(new Set(limited(assess - 1))).toEqual(new Set([1]));
  });
});
