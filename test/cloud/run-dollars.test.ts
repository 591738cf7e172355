import { expect, it } from 'vitest';
import { runDollars } from '../../cli/cloud/run-dollars.ts';
import { CLOUD_PRICES } from '../../shared/contracts/cloud-prices.ts';

const NONE = { fit: 0, synthesize: 0, augment: 0, assess: 0, aggregate: 0, report: 0, total: 0 };
const SIZE = {
  engine: 'fargate',
  mapConcurrency: 10,
  assessMemoryMiB: 2048,
  stepMemoryMiB: 1024,
  fitVcpu: 4,
  fitMemoryGiB: 8,
} as const;

it('runDollars() charges an hour of chains as an hour of the container', () => {
  const seconds = { ...NONE, fit: 1800, synthesize: 600, augment: 1200 };
  const hour = 4 * CLOUD_PRICES.fargateVcpuHour + 8 * CLOUD_PRICES.fargateGiBHour;
  expect(runDollars({ seconds, batches: 5, calls: 0 }, SIZE)).toBeCloseTo(hour, 12);
});

it('runDollars() charges chains in a function as a function', () => {
  const seconds = { ...NONE, fit: 100 };
  const dollars = runDollars({ seconds, batches: 5, calls: 0 }, { ...SIZE, engine: 'lambda' });
  expect(dollars).toBeCloseTo(100 * CLOUD_PRICES.lambdaGiBSecond, 12);
});

it.each([
  [3, 3],
  [500, 10],
])('runDollars() takes %i batches for %i at work all the time, and each for a request', (batches, atOnce) => {
  const seconds = { ...NONE, assess: 60 };
  const expected =
    60 * atOnce * 2 * CLOUD_PRICES.lambdaGiBSecond + (batches * CLOUD_PRICES.lambdaMillionRequests) / 1e6;
  expect(runDollars({ seconds, batches, calls: batches }, SIZE)).toBeCloseTo(expected, 12);
});
