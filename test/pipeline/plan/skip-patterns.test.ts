import { describe, expect, it } from 'vitest';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig } from '../small-run.ts';

const JOBS = 30;
/** Of each job ten who work, and two hundred who do not: the model is to give 200 · 30 / 231 of 500 records a job that have none. */
const ROWS = [
  ...Array.from({ length: 10 * JOBS }, (_, i) => ['yes', `job ${i % JOBS}`, `area ${i % 7}`]),
  ...Array.from({ length: 200 }, (_, i) => ['no', 'none', `area ${i % 7}`]),
];
const jobsWithout = (jobs: number) => ['work,job', ...Array.from({ length: jobs }, (_, job) => `no,job ${job}`)].join('\n');
const utf8 = (text: string) => new TextEncoder().encode(text);

interface Asked {
  readonly rows?: readonly (readonly string[])[];
  readonly zeros?: string;
  readonly synthesis?: object;
  readonly model?: object;
}

async function said({ rows = ROWS, zeros, synthesis = {}, model }: Asked = {}): Promise<string[]> {
  const { plan } = await planRun({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig({
      synthesis: { ...synthesis, ...(zeros === undefined ? {} : { structuralZeros: 'zeros.csv' }) },
      ...(model === undefined ? {} : { model }),
    }),
    table: utf8([['work', 'job', 'area'], ...rows].map((row) => row.join()).join('\n')),
    ...(zeros === undefined ? {} : { structuralZeros: utf8(zeros) }),
  });
  return plan.warnings.filter(({ code }) => code === 'skip-patterns').map(({ message }) => message);
}

describe('a variable that has one value for a whole category of another', () => {
  it('is said before a run, with what it goes by and without a value of the table', async () => {
    const [message, ...more] = await said();
    expect(more).toEqual([]);
    expect(message).toContain(': `job` given `work`.');
    expect(message).toContain('--write-zeros');
    expect(message).not.toMatch(/none|yes|\bno\b|\d/);
  });

  it('is not said of what one record contradicts, or where the others are few', async () => {
    expect(await said({ rows: [...ROWS, ['no', 'job 3', 'area 1']] })).toEqual([]);
    // 15 · 30 / 46 and 16 · 30 / 47 records, on either side of ten.
    expect(await said({ rows: ROWS.slice(0, 10 * JOBS + 15) })).toEqual([]);
    expect(await said({ rows: ROWS.slice(0, 10 * JOBS + 16) })).toHaveLength(1);
    // 26 records of 2,300 and of 2,900, on either side of one in a hundred.
    const working = ROWS.slice(0, 10 * JOBS);
    expect(await said({ rows: [...ROWS, ...Array.from({ length: 6 }, () => working).flat()] })).toHaveLength(1);
    expect(await said({ rows: [...ROWS, ...Array.from({ length: 8 }, () => working).flat()] })).toEqual([]);
  });

  it('is not said where zeros leave few other values, and goes by values that are there', async () => {
    expect(await said({ zeros: jobsWithout(JOBS) })).toEqual([]);
    // 200 · 11 / 231 and 200 · 12 / 231 records.
    expect(await said({ zeros: jobsWithout(JOBS - 11) })).toEqual([]);
    expect(await said({ zeros: jobsWithout(JOBS - 12) })).toHaveLength(1);
    const missing = [...ROWS, ['no', '', 'area 1'], ['', 'job 3', 'area 1']];
    expect(await said({ rows: missing, synthesis: { missing: 'impute' } })).toHaveLength(1);
  });

  it('names a remedy that the run can have, and is said of what is synthesized and of models with classes alone', async () => {
    expect((await said({ synthesis: { synthesized: ['job'] } }))[0]).toContain('in a run that has the model dpmpm');
    expect(await said({ synthesis: { synthesized: ['area'] } })).toEqual([]);
    expect((await said({ model: { name: 'mixed' } }))[0]).toContain('in a run that has the model dpmpm');
    expect(await said({ model: { name: 'cart' } })).toEqual([]);
  });
});
