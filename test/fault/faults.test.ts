import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type Baseline, baselineOf, met } from './break-job.ts';
import { JOBS, writeInputs } from './jobs.ts';

const directory = mkdtempSync(join(tmpdir(), 'synthrisk-faults-'));
afterAll(() => rmSync(directory, { recursive: true }));

const baselines: Record<string, Baseline> = {};

// A sample of `npm run faults`; `corruption.test.ts` is of files that decay. Windows has neither signals nor limits of file sizes.
describe.skipIf(process.platform === 'win32')('a job that a fault meets', () => {
  beforeAll(async () => {
    const jobs = JOBS.filter(({ name }) => name.startsWith('synthesize'));
    await writeInputs(directory, jobs);
    for (const job of jobs) baselines[job.name] = await baselineOf(directory, job);
  });

  it.each([
    ['kill', 'synthesize'],
    ['kill', 'synthesize-trees'],
    ['small-files', 'synthesize'],
    ['two', 'synthesize-trees'],
  ])('is as whole as one that was left alone, or says why not: %s, %s', async (fault, name) => {
    const random = new RandomStream(1, `${fault}/${name}`);
    expect((await met(baselines[name]!, fault, 1, random)).mistake).toBeNull();
  });
});
