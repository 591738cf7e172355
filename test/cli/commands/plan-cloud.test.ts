import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PRICES_DATE } from '../../../shared/contracts/cloud/cloud-prices.ts';
import { estimateRounds } from '../../../shared/estimate/estimate-rounds.ts';
import type { RunEstimate } from '../../../shared/estimate/estimate-run.ts';
import { measuredWork } from '../../../shared/estimate/measured-work.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { smallConfig, smallTable } from '../../pipeline/small-run.ts';
import { SMALL_FLAGS, synthrisk, temporaryFolder } from '../../run-command.ts';
import { TEST_KEYS } from '../../test-keys.ts';

const directory = temporaryFolder();

beforeAll(() => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
});

const plan = (...flags: string[]) => synthrisk(directory, ['plan', 'table.csv', ...SMALL_FLAGS, ...flags]);

describe('plan --cloud', () => {
  it('gives minutes and dollars by step and service in JSON', async () => {
    const { code, stdout, stderr } = await plan('--cloud', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { cloud } = JSON.parse(stdout);
    expect(cloud).toMatchObject({
      vcpus: 4,
      concurrency: 400,
      child: 'express',
      pricesDate: PRICES_DATE,
      region: 'us-east-1',
      batches: 8,
      notices: [],
    });
    expect(Object.keys(cloud.minutes)).toEqual(['plan', 'fit', 'assess', 'aggregate', 'report', 'total']);
    expect(cloud.minutes.total).toBeGreaterThan(cloud.minutes.fit);
    expect(cloud.dollars).toBeGreaterThan(0);
    const services = new Set(cloud.items.map(({ service }: { service: string }) => service));
    expect([...services].sort()).toEqual(
      [...['CloudWatch Logs', 'Fargate', 'KMS', 'Lambda'], ...['S3 requests', 'S3 storage, a month', 'Step Functions']].sort(),
    );
  });

  it.each(['1', '6'])('has the batches of an environment, whatever this machine does: --jobs %s', async (jobs) => {
    const { stdout } = await plan('--cloud', '--json', '--jobs', jobs);
    const { batches, cloud } = JSON.parse(stdout);
    expect({ batches, ofCloud: cloud.batches }).toEqual({ batches: jobs === '1' ? 4 : 6, ofCloud: 8 });
    const sized = await plan('--cloud', '--json', '--jobs', jobs, '--batch-size', '1000');
    expect(JSON.parse(sized.stdout).cloud.batches).toBe(1);
  });

  it('takes the size of the task, the batches at once and the type of children', async () => {
    const { stdout } = await plan(...['--cloud', '--cloud-vcpus', '8', '--concurrency', '2000', '--child', 'standard', '--json']);
    const { cloud } = JSON.parse(stdout);
    expect(cloud).toMatchObject({ vcpus: 8, concurrency: 2000, child: 'standard' });
    expect(cloud.notices.map(({ code }: { code: string }) => code)).toEqual(['fargate-quota', 'lambda-quota']);
  });

  it('says the same to a person', async () => {
    const { code, stdout, stderr } = await plan('--cloud', '--cloud-vcpus', '16');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^in AWS about [\\d.]+ (s|min)( \\d+ s)? and \\$\\d+\\.\\d+ .*${PRICES_DATE}`, 'm'));
    expect(stdout).toMatch(/^ {2}the deployed environment costs \$\d+\.\d\d a month besides/m);
    expect(stdout).toMatch(/^ {2}Notice: A new account has 6 vCPU/m);
  });

  it.each([
    ['20', true, /^ {2}fits a budget of \$20\.00: \$/m],
    ['0.000001', false, /^ {2}does not fit a budget of \$0\.0000010: \$/m],
  ])('says whether the run fits a budget of %s dollars', async (budget, fits, line) => {
    expect((await plan('--cloud', '--budget', budget)).stdout).toMatch(line);
    const { cloud } = JSON.parse((await plan('--cloud', '--budget', budget, '--json')).stdout);
    expect(cloud.budget).toEqual({ dollars: Number(budget), fits });
  });

  it.each([
    [['--budget', '20'], 'add --cloud'],
    [['--cloud', '--budget', '0'], 'expected dollars, more than 0'],
    [['--child', 'standard'], 'add --cloud'],
    [['--cloud', '--cloud-vcpus', '3'], 'expected one of 1, 2, 4, 8, 16'],
    [['--cloud', '--concurrency', '0'], 'expected a whole number from 1'],
    [['--cloud', '--child', 'inline'], 'allowed choices are express, standard'],
  ])('refuses %j', async (flags, message) => {
    const { code, stdout, stderr } = await plan(...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('measuredWork()', () => {
  const stepMemory = { plan: 0, fit: { process: 0, thread: 0 }, assess: 0, aggregate: 0, report: 0 };

  it('counts what a run does and moves', async () => {
    const { plan } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table: smallTable(), batchSize: 10 });
    const secondsPer = { iteration: 1, stackedIteration: 3, combination: 22, utility: 30 };
    const work = measuredWork(plan, { diskMiB: 2, secondsPer, stepMemory });
    // 3 base chains of 10 + 4 x 2 iterations, 2 of synthesis of 10 + 2, and 2 pairs for each of 2 datasets, of 4
    // iterations on either side.
    expect(work.phases).toEqual([
      { stage: 1, tasks: 3, secondsPerTask: 18 },
      { stage: 1, tasks: 2, secondsPerTask: 12 },
      { stage: 2, tasks: 4, secondsPerTask: 4 + 3 * 4 },
    ]);
    expect(work.batches.reduce((sum, size) => sum + size, 0)).toBe(plan.table.combinations);
    expect(work.batches[0]).toBe(10);
    expect(work.secondsPerCombination).toBe(22);
    expect(work.utilitySeconds).toBe(30);
    // A chain has two files, and a base chain two of its draws half-way; a batch reads its own part of the classes, a byte for each
    // combination and draw.
    const classes = (3 * 4 + 2 * 4 * 4) * plan.table.combinations;
    expect(work.storedBytes).toBe(2 * 1024 * 1024);
    expect(work.draws).toEqual({ bytes: 2 * 1024 * 1024 - classes, objects: 2 * (2 * 3 + 2 * 4) });
    expect(work.fitReads).toBe((3 + 2) * 6 + 4 * 11);
    expect(work.fitObjects).toBe(2 * (2 * 3 + 2 * 4) + 2 + 2 * 4);
  });

  it('has no chains beside the base chains for importance, but weighs their draws', async () => {
    const { plan } = await planRun({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: smallConfig({ attributeRisk: { estimator: 'importance' } }),
      table: smallTable(),
    });
    const secondsPer = { iteration: 1, stackedIteration: 3, combination: 22, utility: 30 };
    const { draws, phases } = measuredWork(plan, { diskMiB: 1, secondsPer, stepMemory });
    expect(draws.objects).toBe(3);
    expect(phases.map(({ tasks }) => tasks)).toEqual([3, 2, 3]);
  });
});

describe('estimateRounds()', () => {
  it('adds the chains that cost most up to the limit, whose draws are stored and scored once more', async () => {
    const { plan } = await planRun({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: smallConfig({ mcmc: { reproducibility: { of: 'rank', target: 0.97 }, maxChains: 20 } }),
      table: smallTable(),
    });
    const secondsPer = { iteration: 1, stackedIteration: 3, combination: 22, utility: 30 };
    // Two jobs share the 30 s of utility.
    const first = { minutes: 10, utilityMinutes: 0.25, diskMiB: 2, secondsPer } as RunEstimate;
    // Of the 13 chains that the limit leaves, 6 pairs for each of 2 datasets, of the 16 s of `measuredWork()`.
    const scored = plan.table.combinations * 22;
    const growth = (3 * 4 + 2 * 8 * 2 * 4) / (3 * 4 + 2 * 2 * 2 * 4);
    const secondsOfFirst = 3 * 18 + 2 * 12 + 4 * 16 + scored;
    const rounds = estimateRounds(plan, first)!;
    expect(rounds).toMatchObject({ of: 'rank', target: 0.97, firstChains: 7, mostChains: 20 });
    expect(rounds.minutes).toBeCloseTo(0.25 + 9.75 * (1 + (12 * 16 + scored * growth) / secondsOfFirst), 10);
    expect(rounds.diskMiB).toBeCloseTo(2 * growth, 10);
    // Utility is measured once, whatever the rounds.
    const none = estimateRounds(plan, { ...first, utilityMinutes: 0, secondsPer: { ...secondsPer, utility: 0 } })!;
    expect(rounds.minutes - 0.25).toBeCloseTo((none.minutes * (10 - 0.25)) / 10, 10);
  });
});
