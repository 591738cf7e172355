import { expect, it } from 'vitest';
import { phaseDollars } from '../../../cli/cloud/run-dollars.ts';
import { CLOUD_PRICES } from '../../../shared/contracts/cloud/cloud-prices.ts';

const SIZE = {
  engine: 'fargate',
  mapType: 'EXPRESS',
  mapConcurrency: 10,
  assessMemoryMiB: 2048,
  assessTimeoutSeconds: 90,
  stepMemoryMiB: 1024,
  fitVcpu: 4,
  fitMemoryGiB: 8,
  fitTimeoutHours: 12,
  fitTasks: 1,
  fargateVcpu: 6,
  lookAhead: 'refuse',
} as const;

it('phaseDollars() charges an hour of chains as an hour of the container', () => {
  const hour = 4 * CLOUD_PRICES.fargateVcpuHour + 8 * CLOUD_PRICES.fargateGiBHour;
  expect(phaseDollars({ phase: 'chains', seconds: 3600, batches: 5, fitTasks: 1, closesInTask: false }, SIZE)).toBeCloseTo(hour, 12);
});

it('phaseDollars() charges as many containers as may share the chains at once', () => {
  const phase = { phase: 'chains', seconds: 3600, batches: 5, closesInTask: false } as const;
  const one = phaseDollars({ ...phase, fitTasks: 1 }, SIZE);
  const roomy = { ...SIZE, fargateVcpu: 14 };
  expect(phaseDollars({ ...phase, fitTasks: 2 }, roomy)).toBeCloseTo(2 * one, 12);
  expect(phaseDollars({ ...phase, fitTasks: 9 }, roomy)).toBeCloseTo(3 * one, 12);
});

it('phaseDollars() charges chains in a function as a function', () => {
  const dollars = phaseDollars(
    { phase: 'chains', seconds: 100, batches: 5, fitTasks: 1, closesInTask: false },
    { ...SIZE, engine: 'lambda' },
  );
  expect(dollars).toBeCloseTo(100 * CLOUD_PRICES.lambdaGiBSecond, 12);
});

it.each([
  [3, 3],
  [500, 10],
])('phaseDollars() takes %i batches for %i at work all the time, and each for a request', (batches, atOnce) => {
  const expected = 60 * atOnce * 2 * CLOUD_PRICES.lambdaGiBSecond + (batches * CLOUD_PRICES.lambdaMillionRequests) / 1e6;
  expect(phaseDollars({ phase: 'batches', seconds: 60, batches, fitTasks: 1, closesInTask: false }, SIZE)).toBeCloseTo(expected, 12);
});

it('phaseDollars() charges an hour of closing as an hour of the function, or of the task that does it', () => {
  const closing = { phase: 'closing', seconds: 3600, batches: 5, fitTasks: 9 } as const;
  expect(phaseDollars({ ...closing, closesInTask: false }, SIZE)).toBeCloseTo(
    (3600 * SIZE.stepMemoryMiB * CLOUD_PRICES.lambdaGiBSecond) / 1024,
    12,
  );
  const task = 4 * CLOUD_PRICES.fargateVcpuHour + 30 * CLOUD_PRICES.fargateGiBHour;
  expect(phaseDollars({ ...closing, closesInTask: true }, SIZE)).toBeCloseTo(task, 12);
});
