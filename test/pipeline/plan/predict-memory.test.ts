import { beforeAll, describe, expect, it } from 'vitest';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../../shared/pipeline/plan/planned-run.ts';
import { predictMemory } from '../../../shared/pipeline/plan/predict-memory.ts';
import { expectedNewCombinations } from '../../../shared/pipeline/synthesizers/run-sizes.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

const MIB = 1024 * 1024;
const JOBS = 4;

/** So many chains that the default batches would take gigabytes. */
const config = smallConfig({ mcmc: { chains: 40_000, pairedChains: 2 } });
const planned = (memory?: { limitBytes: number; jobs: number }, batchSize?: number) =>
  planRun({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config,
    table: smallTable({ records: 3000 }),
    ...(memory ? { memory } : {}),
    ...(batchSize ? { batchSize } : {}),
  });
type Phases = ReturnType<typeof predictMemory>['phases'];
const largest = ({ plan }: PlannedRun) => Math.max(...plan.batches.map(({ from, to }) => to - from));

describe('expectedNewCombinations()', () => {
  const of = (...counts: number[]) =>
    expectedNewCombinations({
      variables: 1,
      count: counts.length,
      codes: Uint16Array.from(counts.keys()),
      counts: Uint32Array.from(counts),
    });

  it('is the alternating sum over the counts of combinations of one record, two, three, ...', () => {
    expect(of(1, 1, 1, 1, 2, 3, 4, 4)).toBe(4 - 1 + 1 - 2);
  });

  it('is neither negative nor more than there are', () => {
    expect(of(2, 2, 1)).toBe(0);
    expect(of(1, 1, 1)).toBe(3);
  });
});

describe('predictMemory()', () => {
  let run: PlannedRun;

  beforeAll(async () => {
    run = await planned();
  });

  it('takes the largest phase for the peak', () => {
    const { peak, phases } = predictMemory(run, JOBS);
    expect(peak).toBe(Math.max(...Object.values(phases)));
  });

  it('grows by as much with each thread that has a batch, and not with threads that have none', () => {
    const assess = (jobs: number) => predictMemory(run, jobs).phases.assess;
    expect(assess(3) - assess(2)).toBeCloseTo(assess(2) - assess(1), 0);
    const { batches } = run.plan;
    const idle = assess(batches.length + 1) - assess(batches.length);
    expect(idle).toBeLessThan(assess(2) - assess(1));
  });

  it('counts the records, and not the combinations, where variables are kept', async () => {
    const synthesis = { synthesized: ['education'] };
    const plans = await Promise.all(
      [60, 600].map((records) =>
        planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig({ synthesis }), table: smallTable({ records }) }),
      ),
    );
    expect(plans.map(({ plan }) => plan.batches.at(-1)!.to)).toEqual([60, 600]);
    const figures = (planned: PlannedRun) => {
      // One batch, so that what is held of every row counts in full.
      const batches = [{ batch: 1, scenario: 1, from: 0, to: planned.plan.table.records }];
      return predictMemory({ ...planned, plan: { ...planned.plan, batches } }, 1).phases.assess;
    };
    const [few, many] = plans.map(figures) as [number, number];
    const chains = 3 + 2 * 2 * 2;
    expect(many - few).toBeGreaterThan(540 * 2 * chains * plans[0]!.plan.candidatesPerCombination * 8);
  });

  it('counts the files that the manifest lists', async () => {
    const { plan } = run;
    const batches = Array.from({ length: 10_000 }, (_, at) => ({ ...plan.batches[0]!, batch: at + 1 }));
    const report = (of: PlannedRun) => predictMemory(of, JOBS).phases.report;
    // Of ten thousand batches more than 100 MiB were taken, and half of that was predicted.
    expect(report({ ...run, plan: { ...plan, batches } }) - report(run)).toBeGreaterThan(100 * MIB);
  });

  it('counts the associations of many variables, and no pairs of them that are not fitted', () => {
    const wide = (variables: number): PlannedRun => ({
      ...run,
      plan: { ...run.plan, table: { ...run.plan.table, variables } },
      schema: { ...run.schema, variables: Array.from({ length: variables }, (_, v) => ({ ...run.schema.variables[0]!, name: `V${v}` })) },
    });
    const [few, many] = [10, 200].map((variables) => predictMemory(wide(variables), JOBS).phases) as [Phases, Phases];
    expect(many.report - few.report).toBeGreaterThan(150 * MIB);
    // 19,900 pairs of all records would be hundreds.
    expect(many.assess - few.assess).toBeLessThan(100 * MIB);
  });

  it('leaves out what a synthesis does not do', async () => {
    const { plan } = await planRun({ ...TEST_KEYS, purpose: 'synthesize', config, table: smallTable() });
    const { phases } = predictMemory({ ...run, plan }, JOBS);
    expect(phases.assess).toBe(phases.plan);
    expect(phases.synthesize).toBeGreaterThan(phases.plan);
  });
});

describe('planBatches()', () => {
  it('makes batches small enough for the memory there is, and covers every combination', async () => {
    const free = await planned();
    const limitBytes = predictMemory(free, JOBS).peak - 60 * MIB;
    const bounded = await planned({ limitBytes, jobs: JOBS });
    expect(predictMemory(bounded, JOBS).peak).toBeLessThanOrEqual(limitBytes);
    expect(largest(bounded)).toBeLessThan(largest(free));
    expect(bounded.plan.batches[0]!.from).toBe(0);
    expect(bounded.plan.batches.at(-1)!.to).toBe(bounded.combinations!.count);
  });

  it('makes batches of one combination where not even these fit, which the prediction tells', async () => {
    const bounded = await planned({ limitBytes: MIB, jobs: JOBS });
    expect(largest(bounded)).toBe(1);
    expect(predictMemory(bounded, JOBS).peak).toBeGreaterThan(MIB);
  });

  it('keeps a size that was asked for', async () => {
    expect(largest(await planned({ limitBytes: MIB, jobs: JOBS }, 9))).toBe(9);
  });
});
