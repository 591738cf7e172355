import { describe, expect, it } from 'vitest';
import { studiedWork } from '../../bench/cost/cost-study.ts';
import { CLOUD_ASSUMPTIONS } from '../../shared/cost/cloud-assumptions.ts';
import { estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS } from '../../shared/cost/cloud-options.ts';
import type { CloudWork } from '../../shared/cost/cloud-work.ts';
import { fitOutcome } from '../../shared/cost/fit-outcome.ts';

const START = CLOUD_ASSUMPTIONS.containerStartSeconds;

/** 32 base chains and five that synthesize, of a minute each; then 40 pairs of two. */
const phases: CloudWork['phases'] = [
  { stage: 1, tasks: 32, secondsPerTask: 60 },
  { stage: 1, tasks: 5, secondsPerTask: 60 },
  { stage: 2, tasks: 40, secondsPerTask: 120 },
];

describe('fitOutcome()', () => {
  it('of one task takes its chains phase after phase, started once', () => {
    const seconds = START + 8 * 60 + 2 * 60 + 10 * 120;
    expect(fitOutcome({ phases }, CLOUD_DEFAULTS)).toEqual({
      wallSeconds: seconds,
      tasks: 1,
      taskSeconds: seconds,
      longestTaskSeconds: seconds,
    });
  });

  it('of several takes the stages one after the other, each started anew', () => {
    const options = { ...CLOUD_DEFAULTS, fitTasks: 4, vcpusAtOnce: 16 };
    // Eight base chains and up to two others in each task of four vCPU, then ten pairs.
    const [first, second] = [START + 2 * 60 + 60, START + 3 * 120];
    expect(fitOutcome({ phases }, options)).toEqual({
      wallSeconds: first + second,
      tasks: 8,
      taskSeconds: 4 * (first + second),
      longestTaskSeconds: second,
    });
  });

  it('lets tasks take turns where not all may have their vCPU at once', () => {
    const shared = { ...CLOUD_DEFAULTS, fitTasks: 4 };
    const together = fitOutcome({ phases }, { ...shared, vcpusAtOnce: 16 });
    const inTurn = fitOutcome({ phases }, { ...shared, vcpusAtOnce: 6 });
    expect(inTurn.wallSeconds).toBe(4 * together.wallSeconds);
    expect(inTurn.taskSeconds).toBe(together.taskSeconds);
  });

  it('starts no task without a chain for each of its vCPU, and no stage without chains', () => {
    const options = { ...CLOUD_DEFAULTS, fitTasks: 40, vcpusAtOnce: 4000 };
    expect(fitOutcome({ phases }, options).tasks).toBe(Math.ceil(37 / 4) + 10);
    expect(fitOutcome({ phases: phases.slice(0, 1) }, options).tasks).toBe(8);
    expect(fitOutcome({ phases: [] }, options)).toMatchObject({ tasks: 1, wallSeconds: START });
  });

  it('counts functions one chain at a time', () => {
    const options = { ...CLOUD_DEFAULTS, engine: 'lambda' as const, fitTasks: 5 };
    const stages = [8 * 60, 16 * 120].map((seconds) => seconds);
    const { longestTaskSeconds, tasks } = fitOutcome({ phases }, options);
    expect(tasks).toBe(10);
    expect(longestTaskSeconds).toBeGreaterThan(Math.max(...stages) / 2);
  });
});

describe('estimateCloud()', () => {
  const work = studiedWork(1e6);

  it('pays for every task, and has the chains sooner', () => {
    const [one, four] = [1, 4].map((fitTasks) => estimateCloud(work, { ...CLOUD_DEFAULTS, fitTasks, vcpusAtOnce: 16 }));
    expect(four!.minutes.fit).toBeLessThan(one!.minutes.fit / 2.5);
    const fargate = ({ items }: typeof one & object) => items.find(({ service, step }) => service === 'Fargate' && step === 'fit')!.dollars;
    // The same chains, and seven starts more.
    const start = (4 * 0.03238 + 8 * 0.00356) / 60;
    expect(fargate(four!) - fargate(one!)).toBeGreaterThan(5 * start);
    expect(fargate(four!) - fargate(one!)).toBeLessThan(25 * start);
    expect(four!.notices.map(({ code }) => code)).toContain('fargate-quota');
  });

  it('shares functions and what S3 answers between runs at once', () => {
    const [one, two, four] = [1, 2, 4].map((runsAtOnce) => estimateCloud(work, { ...CLOUD_DEFAULTS, runsAtOnce }));
    expect([one!.environments, two!.environments, four!.environments]).toEqual([400, 400, 250]);
    expect(two!.minutes.assess).toBeGreaterThan(one!.minutes.assess);
    expect(four!.minutes.assess).toBeGreaterThan(two!.minutes.assess);
    const capped = estimateCloud(work, { ...CLOUD_DEFAULTS, concurrencyOfAll: 100 });
    expect(capped.environments).toBe(100);
  });
});
