import { describe, expect, it } from 'vitest';
import { readSettings } from '../../infra/settings.ts';
import { environmentSizeSchema } from '../../shared/contracts/cloud/cloud-environment.ts';
import { CLOUD_LIMITS, CLOUD_PRICES } from '../../shared/contracts/cloud/cloud-prices.ts';
import { CLOUD_ASSUMPTIONS } from '../../shared/cost/cloud-assumptions.ts';
import { type CloudEstimate, dollarsOfRun, estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS, cloudOptions } from '../../shared/cost/cloud-options.ts';
import type { CloudWork } from '../../shared/cost/cloud-work.ts';
import { monthOfStack } from '../../shared/cost/month-of-stack.ts';
import { priceUsage } from '../../shared/cost/price-usage.ts';

const MIB = 1024 * 1024;

/** Work whose figures are easy to follow: two batches of 10 s in memory of one vCPU. */
const work: CloudWork = {
  phases: [
    { stage: 1, tasks: 5, secondsPerTask: 60 },
    { stage: 2, tasks: 4, secondsPerTask: 30 },
  ],
  batches: [100, 100],
  secondsPerCombination: 0.1,
  values: 0,
  valueBytes: 0,
  stepMemory: { plan: MIB, fit: { process: MIB, thread: MIB }, assess: MIB, aggregate: MIB, report: MIB },
  utilitySeconds: 0,
  // Of the draws a fifth is read by the batch alone that it belongs to.
  storedBytes: 78_125_000,
  draws: { bytes: 62_500_000, objects: 100 },
  table: { bytes: 0, objects: 0 },
  contextObjects: 10,
  part: { bytesPerCombination: 500, objects: 4 },
  fitReads: 400,
  fitObjects: 200,
};

const codes = ({ notices }: CloudEstimate) => notices.map(({ code }) => code);
const dollarsOf = ({ items }: CloudEstimate, step: string, service: string) =>
  items.find((item) => item.step === step && item.service === service)?.dollars;

describe('estimateCloud()', () => {
  it('measures utility where results are put together, in one call', () => {
    const [without, measured] = [0, 120].map((utilitySeconds) => estimateCloud({ ...work, utilitySeconds }, CLOUD_DEFAULTS));
    expect(measured!.minutes.aggregate - without!.minutes.aggregate).toBeCloseTo(2 / CLOUD_ASSUMPTIONS.vcpuSpeed, 12);
    expect({ ...measured!.minutes, aggregate: 0, total: 0 }).toEqual({ ...without!.minutes, ...{ aggregate: 0, total: 0 } });
    expect(estimateCloud({ ...work, utilitySeconds: 3600 }, CLOUD_DEFAULTS).closesInTask).toBe(true);
    expect(codes(estimateCloud({ ...work, utilitySeconds: 3600 }, { ...CLOUD_DEFAULTS, engine: 'lambda' }))).toEqual(['step-too-long']);
  });

  it('adds the steps up by hand', () => {
    const estimate = estimateCloud(work, CLOUD_DEFAULTS);
    // Five chains on four vCPU take two turns.
    const fit = CLOUD_ASSUMPTIONS.containerStartSeconds + 2 * 60 + 30;
    expect(estimate.minutes.fit).toBeCloseTo(fit / 60, 12);
    // 0.5 s to start, 110 objects of 30 ms and a second of bytes, 10 s of scoring, four objects to write; the second
    // child starts a thousandth later.
    const call = 0.5 + 110 * 0.03 + 1 + 10 + 4 * 0.03;
    expect(estimate.minutes.assess).toBeCloseTo((call + 0.001) / 60, 12);
    expect(estimate.longestCallSeconds).toBeCloseTo(call, 12);
    expect(estimate.secondsPerBatch).toBeCloseTo(call, 12);
    expect([estimate.batches, estimate.environments]).toEqual([2, 2]);

    expect(dollarsOf(estimate, 'fit', 'Fargate')).toBeCloseTo((fit / 3600) * (4 * 0.03238 + 8 * 0.00356), 12);
    const lambda = 2 * call * (1769 / 1024) * 0.0000133334 + 2 * 0.2e-6;
    expect(dollarsOf(estimate, 'assess', 'Lambda')).toBeCloseTo(lambda, 12);
    expect(dollarsOf(estimate, 'assess', 'Step Functions')).toBeCloseTo(2 * 26e-6 + (2 * call * 0.00001667) / 16, 12);
    expect(dollarsOf(estimate, 'assess', 'S3 requests')).toBeCloseTo(220 * 0.4e-6 + 8 * 5e-6, 12);
    expect(dollarsOf(estimate, 'fit', 'S3 storage, a month')).toBeCloseTo((78.125e6 / 1024 / MIB) * 0.023, 12);
  });

  it('has a total that is the sum of its steps and items', () => {
    const { dollars, items, minutes } = estimateCloud(work, CLOUD_DEFAULTS);
    expect(dollars).toBeCloseTo(
      items.reduce((sum, item) => sum + item.dollars, 0),
      12,
    );
    const { total, ...steps } = minutes;
    expect(total).toBeCloseTo(
      Object.values(steps).reduce((sum, value) => sum + value, 0),
      12,
    );
  });

  it('charges Standard children two transitions each', () => {
    const estimate = estimateCloud(work, { ...CLOUD_DEFAULTS, child: 'standard' });
    expect(dollarsOf(estimate, 'assess', 'Step Functions')).toBeCloseTo(2 * 50e-6, 12);
  });

  it('reads again with every batch what memory does not keep', () => {
    const alone = { ...CLOUD_DEFAULTS, concurrency: 1 };
    const kept = estimateCloud(work, alone);
    const memory = Math.ceil(1.6 * (62_500_000 / MIB));
    const small = estimateCloud({ ...work, secondsPerCombination: 0 }, { ...alone, assessMemoryMiB: memory });
    expect(codes(kept)).not.toContain('draws-exceed-memory');
    expect(codes(small)).toContain('draws-exceed-memory');
    const again = 1 - (memory * MIB) / 2 / 62_500_000;
    const requests = 110 + 10 + again * 100;
    expect(dollarsOf(small, 'assess', 'S3 requests')).toBeCloseTo(requests * 0.4e-6 + 8 * 5e-6, 12);
  });

  it('reads the table once in each environment, unless that cannot keep it', () => {
    const alone = { ...CLOUD_DEFAULTS, concurrency: 1 };
    const secondsOf = (bytes: number, assessMemoryMiB: number) => {
      const draws = { bytes: 0, objects: 0 };
      const some = { ...work, draws, table: { bytes, objects: 3 }, secondsPerCombination: 0, batches: [1, 1] };
      return 60 * estimateCloud(some, { ...alone, assessMemoryMiB }).minutes.assess;
    };
    const table = 125_000_000;
    const cold = secondsOf(0, 1769);
    expect(secondsOf(table, 1769) - cold).toBeCloseTo(2, 9);
    const tooLittle = 1.9 * (table / MIB);
    expect(secondsOf(table, tooLittle) - secondsOf(0, tooLittle)).toBeCloseTo(2 + 2 + 0.03 * 3, 9);
  });

  it('gives a function with less memory less of a processor', () => {
    const half = estimateCloud(work, { ...CLOUD_DEFAULTS, assessMemoryMiB: CLOUD_LIMITS.lambdaVcpuMiB / 2 });
    expect(half.longestCallSeconds).toBeCloseTo(estimateCloud(work, CLOUD_DEFAULTS).longestCallSeconds + 10, 9);
  });

  it('tells what passes a limit, and nothing else', () => {
    expect(codes(estimateCloud(work, CLOUD_DEFAULTS))).toEqual([]);
    expect(codes(estimateCloud(work, { ...CLOUD_DEFAULTS, vcpus: 8 }))).toEqual(['fargate-quota']);
    expect(codes(estimateCloud(work, { ...CLOUD_DEFAULTS, concurrency: 1001 }))).toEqual(['lambda-quota']);
    expect(codes(estimateCloud({ ...work, batches: [1000] }, CLOUD_DEFAULTS))).toEqual(['batch-too-long']);
    const slow = { ...work, phases: [{ stage: 1 as const, tasks: 1, secondsPerTask: 13 * 3600 }] };
    expect(codes(estimateCloud(slow, CLOUD_DEFAULTS))).toEqual(['fit-too-long']);
    const many = { ...work, batches: Array.from({ length: 800 }, () => 100) };
    expect(codes(estimateCloud(many, { ...CLOUD_DEFAULTS, concurrency: 800 }))).toEqual(['waiting-for-s3']);
    const huge = { ...work, secondsPerCombination: 0, batches: [2e8] };
    expect(codes(estimateCloud(huge, CLOUD_DEFAULTS))).toEqual(['step-too-long']);
    const inFunctions = { ...CLOUD_DEFAULTS, engine: 'lambda' } as const;
    expect(codes(estimateCloud({ ...work, values: 1.6e8 }, inFunctions))).toEqual(['step-too-long']);
  });

  it.each([
    ['plan-exceeds-memory', { plan: 3009 * MIB }, 'fargate'],
    ['parts-exceed-memory', { aggregate: 3009 * MIB }, 'lambda'],
    ['report-exceeds-memory', { report: 3009 * MIB }, 'lambda'],
    ['parts-exceed-memory', { aggregate: 31 * 1024 * MIB }, 'fargate'],
    ['fit-exceeds-memory', { fit: { process: MIB, thread: 2048 * MIB } }, 'fargate'],
  ] as const)('tells by %s which step has too little memory', (code, more, engine) => {
    const tight = { ...work, stepMemory: { ...work.stepMemory, ...more } };
    expect(codes(estimateCloud(tight, { ...CLOUD_DEFAULTS, engine }))).toEqual([code]);
    expect(codes(estimateCloud(tight, { ...CLOUD_DEFAULTS, engine, stepMemoryMiB: 31 * 1024, fitMemoryGiB: 9 }))).toEqual([]);
  });

  it('closes a run in a task where functions might lack time, or have too little memory, and prices that', () => {
    const estimate = estimateCloud(work, CLOUD_DEFAULTS);
    expect(estimate.closesInTask).toBe(false);
    // Half of the 900 s that a function has.
    const values = 460 / (CLOUD_ASSUMPTIONS.aggregateSecondsPerValue / CLOUD_ASSUMPTIONS.vcpuSpeed);
    const roomy = { ...work.stepMemory, report: 3009 * MIB };
    for (const large of [
      { ...work, values },
      { ...work, stepMemory: roomy },
    ]) {
      const inFunctions = estimateCloud(large, { ...CLOUD_DEFAULTS, engine: 'lambda' });
      const inTask = estimateCloud(large, CLOUD_DEFAULTS);
      expect([inFunctions.closesInTask, inTask.closesInTask]).toEqual([false, true]);
      expect(codes(inTask)).toEqual([]);
      const minutes = inFunctions.minutes.aggregate + inFunctions.minutes.report + CLOUD_ASSUMPTIONS.containerStartSeconds / 60;
      expect(inTask.minutes.aggregate).toBeCloseTo(minutes, 9);
      expect(inTask.minutes.report).toBeCloseTo(CLOUD_ASSUMPTIONS.stepSeconds / 60, 9);
      const perHour = 4 * CLOUD_PRICES.fargateVcpuHour + 30 * CLOUD_PRICES.fargateGiBHour;
      expect(dollarsOf(inTask, 'aggregate', 'Fargate')).toBeCloseTo((perHour * minutes) / 60, 9);
      const { aggregate, report } = inFunctions.steps;
      expect(inTask.steps.aggregate.cpuSeconds).toBeCloseTo(aggregate.cpuSeconds + report.cpuSeconds, 9);
      expect(inTask.steps.aggregate.memoryMiB).toBe(Math.max(aggregate.memoryMiB, report.memoryMiB));
    }
  });
});

it('CLOUD_DEFAULTS are those of a deployment', () => {
  const settings = readSettings({});
  expect(CLOUD_DEFAULTS).toEqual(cloudOptions(environmentSizeSchema.parse(settings)));
  expect(CLOUD_DEFAULTS.fitTasks).toBe(settings.fitTasks);
  expect(settings.fitMemoryGiB).toBe(settings.fitVcpu * CLOUD_LIMITS.fargateGiBPerVcpu);
});

describe('priceUsage()', () => {
  it('breaks Express and Standard children even near 23 s', () => {
    const children = 1e6;
    const cost = (seconds: number) =>
      priceUsage('assess', { transitions: children, express: { children, seconds: seconds * children } })[0]!.dollars;
    const [standard] = priceUsage('assess', { transitions: 2 * children });
    expect(cost(23)).toBeLessThan(standard!.dollars);
    expect(cost(23.1)).toBeGreaterThan(standard!.dollars);
  });

  it('charges a container for a minute at least', () => {
    const fargate = (seconds: number) => priceUsage('fit', { fargate: { vcpus: 1, gib: 2, seconds } })[0]!.dollars;
    expect(fargate(1)).toBe(fargate(60));
    expect(fargate(120)).toBeCloseTo(2 * fargate(60), 12);
  });

  it('leaves out what costs nothing', () => {
    expect(priceUsage('plan', {})).toEqual([]);
    expect(priceUsage('plan', { logBytes: 1024 * MIB })).toEqual([
      { step: 'plan', service: 'CloudWatch Logs', dollars: CLOUD_PRICES.logsGiB },
    ]);
  });
});

it('monthOfStack() is mostly endpoints', () => {
  expect(monthOfStack().map(({ service, dollars }) => [service, Math.round(100 * dollars)])).toEqual([
    ['VPC endpoints', 5840],
    ['KMS keys', 300],
    ['CloudWatch dashboard and alarms', 440],
  ]);
});

describe('dollarsOfRun()', () => {
  const estimate = estimateCloud(work, CLOUD_DEFAULTS);

  it('is the estimate without what a month of storage costs', () => {
    const storage = estimate.items.filter(({ service }) => service === 'S3 storage, a month');
    expect(storage.length).toBeGreaterThan(0);
    const stored = storage.reduce((sum, { dollars }) => sum + dollars, 0);
    expect(dollarsOfRun(estimate)).toBeCloseTo(estimate.dollars - stored, 12);
  });

  it('leaves out the steps that are over', () => {
    const left = dollarsOfRun(estimate, ['plan', 'fit']);
    const of = (step: string) => dollarsOfRun({ items: estimate.items.filter((item) => item.step === step) });
    expect(left).toBeCloseTo(of('assess') + of('aggregate') + of('report'), 12);
  });
});

it('estimateCloud() charges chains in one function one after the other, and no container', () => {
  const estimate = estimateCloud(work, { ...CLOUD_DEFAULTS, engine: 'lambda' });
  const seconds = CLOUD_ASSUMPTIONS.stepSeconds + 5 * 60 + 4 * 30;
  expect(estimate.minutes.fit).toBeCloseTo(seconds / 60, 12);
  expect(dollarsOf(estimate, 'fit', 'Fargate')).toBeUndefined();
  const expected = seconds * (3008 / 1024) * CLOUD_PRICES.lambdaGiBSecond + CLOUD_PRICES.lambdaMillionRequests / 1e6;
  expect(dollarsOf(estimate, 'fit', 'Lambda')).toBeCloseTo(expected, 12);
});
