import { describe, expect, it } from 'vitest';
import { CLOUD_PRICES, PRICES_DATE } from '../../shared/contracts/cloud/cloud-prices.ts';
import { type UsageNote, usageNoteSchema } from '../../shared/contracts/run/usage.ts';
import { CLOUD_ASSUMPTIONS } from '../../shared/cost/cloud-assumptions.ts';
import { runUsed } from '../../shared/cost/run-used.ts';

const AT = '2026-11-21T12:00:00.000Z';
const note = (fields: Partial<UsageNote> & Pick<UsageNote, 'step'>): UsageNote =>
  usageNoteSchema.parse({ memoryMiB: 1024, calls: 1, seconds: 0, cpuSeconds: 0, peakMemoryMiB: 0, reads: 0, writes: 0, ...fields });

describe('runUsed()', () => {
  it('is nothing of a run that has noted nothing', () => {
    expect(runUsed([], AT)).toMatchObject({ pricesDate: PRICES_DATE, at: AT, dollars: 0, lambdaCalls: 0 });
  });

  it('adds functions and requests up by hand', () => {
    const notes = [
      note({
        step: 'assess-batch',
        children: 'express',
        memoryMiB: 2048,
        calls: 3,
        seconds: 30,
        cpuSeconds: 25,
        peakMemoryMiB: 90,
        reads: 50,
        writes: 9,
      }),
      note({
        step: 'assess-batch',
        children: 'express',
        memoryMiB: 2048,
        calls: 1,
        seconds: 10,
        cpuSeconds: 9,
        peakMemoryMiB: 80,
        reads: 20,
        writes: 3,
      }),
    ];
    const used = runUsed(notes, AT);
    expect(used).toMatchObject({
      containerVcpuSeconds: 0,
      containerGiBSeconds: 0,
      lambdaCalls: 4,
      lambdaGiBSeconds: 80,
      lambdaCpuSeconds: 34,
      containerCpuSeconds: 0,
      s3Reads: 70,
      s3Writes: 12,
      stateTransitions: 4,
      expressChildren: 4,
      bySteps: { assess: { seconds: 40, cpuSeconds: 34, peakMemoryMiB: 90 } },
    });
    const { keyRequestsPerRequest, logBytesPerCall } = CLOUD_ASSUMPTIONS;
    const expected =
      80 * CLOUD_PRICES.lambdaGiBSecond +
      (4 * CLOUD_PRICES.lambdaMillionRequests) / 1e6 +
      (70 * CLOUD_PRICES.s3ThousandReads + 12 * CLOUD_PRICES.s3ThousandWrites) / 1000 +
      (4 * CLOUD_PRICES.stepFunctionsMillionTransitions + 4 * CLOUD_PRICES.expressMillionRequests) / 1e6 +
      (40 / 16) * CLOUD_PRICES.expressGiBSecond +
      (82 * keyRequestsPerRequest * CLOUD_PRICES.kmsTenThousandRequests) / 1e4 +
      ((4 * logBytesPerCall) / 1024 ** 3) * CLOUD_PRICES.logsGiB;
    expect(used.dollars).toBeCloseTo(expected, 15);
    expect(used.dollarsByStep).toEqual({ assess: used.dollars });
  });

  it('charges a container by its vCPU and memory, a minute at least for each task', () => {
    const task = note({ step: 'fit-model', vcpus: 4, memoryMiB: 8192, seconds: 3600, cpuSeconds: 7000 });
    const short = note({ step: 'fit-model', vcpus: 4, memoryMiB: 8192, seconds: 6 });
    const used = runUsed([task, short], AT);
    expect(used).toMatchObject({
      containerVcpuSeconds: 4 * 3606,
      containerGiBSeconds: 8 * 3606,
      containerCpuSeconds: 7000,
      lambdaCalls: 0,
      lambdaGiBSeconds: 0,
    });
    const hour = 4 * CLOUD_PRICES.fargateVcpuHour + 8 * CLOUD_PRICES.fargateGiBHour;
    const transitions = (2 * 3 * CLOUD_PRICES.stepFunctionsMillionTransitions) / 1e6;
    expect(used.dollars).toBeCloseTo(hour * (1 + 60 / 3600) + transitions, 12);
  });

  it('counts a transition more for each Standard child', () => {
    const children = (kind: 'express' | 'standard') => runUsed([note({ step: 'assess-batch', children: kind, calls: 5 })], AT);
    expect([children('express').stateTransitions, children('standard').stateTransitions]).toEqual([5, 10]);
    expect([children('express').expressChildren, children('standard').expressChildren]).toEqual([5, 0]);
  });

  it('puts the checks of the budget with the plan, and the record of a failure with the report', () => {
    const steps = ['check-budget', 'record-failure'] as const;
    const used = runUsed(
      steps.map((step) => note({ step, seconds: 1 })),
      AT,
    );
    expect(Object.keys(used.dollarsByStep)).toEqual(['plan', 'report']);
  });
});
