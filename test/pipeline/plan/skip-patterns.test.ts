import { describe, expect, it } from 'vitest';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig } from '../small-run.ts';

const JOBS = 30;
/** Of each job ten who work, and two hundred who do not: of 500 records the model is to give 200 · 30 / (500 / 20 + 31) a job that have none. */
const ROWS = [
  ...Array.from({ length: 10 * JOBS }, (_, i) => ['yes', `job ${i % JOBS}`, `area ${i % 7}`]),
  ...Array.from({ length: 200 }, (_, i) => ['no', 'none', `area ${i % 7}`]),
];
const jobsWithout = (jobs: number) => ['work,job', ...Array.from({ length: jobs }, (_, job) => `no,job ${job}`)].join('\n');
const utf8 = (text: string) => new TextEncoder().encode(text);

interface Asked {
  readonly rows?: readonly (readonly string[])[];
  readonly header?: string;
  readonly zeros?: string;
  readonly synthesis?: object;
  readonly model?: object;
  readonly variables?: object;
}

async function said({ header = 'work,job,area', rows = ROWS, zeros, synthesis = {}, model, variables }: Asked = {}): Promise<string[]> {
  const { plan } = await planRun({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig({
      synthesis: { ...synthesis, ...(zeros === undefined ? {} : { structuralZeros: 'zeros.csv' }) },
      ...(model === undefined ? {} : { model }),
      ...(variables === undefined ? {} : { variables }),
    }),
    table: utf8([header, ...rows.map((row) => row.join())].join('\n')),
    ...(zeros === undefined ? {} : { structuralZeros: utf8(zeros) }),
  });
  return plan.warnings.filter(({ code }) => code === 'skip-patterns').map(({ message }) => message);
}

describe('a variable that has one value for a whole category of another', () => {
  it('is said before a run, with what it goes by and without a value of the table', async () => {
    const [message, ...more] = await said();
    expect(more).toEqual([]);
    expect(message).toContain(': `work` given `job`, `job` given `work`.');
    expect(message).toContain('--write-zeros');
    expect(message).not.toMatch(/none|yes|\bno\b|\d/);
  });

  it('is not said of what one record contradicts, or where the others are few', async () => {
    expect(await said({ rows: [...ROWS, ['no', 'job 3', 'area 1']] })).toEqual([]);
    // 15 · 30 / 46 and 16 · 30 / 47 records (a class would have 316 / 20), on either side of ten.
    expect(await said({ rows: ROWS.slice(0, 10 * JOBS + 15) })).toEqual([]);
    expect(await said({ rows: ROWS.slice(0, 10 * JOBS + 16) })).toHaveLength(1);
    // 34 and 1 records of 2,900, 29 and 1 of 3,500: on either side of one in a hundred.
    const working = ROWS.slice(0, 10 * JOBS);
    expect(await said({ rows: [...ROWS, ...Array.from({ length: 8 }, () => working).flat()] })).toHaveLength(1);
    expect(await said({ rows: [...ROWS, ...Array.from({ length: 10 }, () => working).flat()] })).toEqual([]);
  });

  it('is not said where zeros leave few other values, and goes by values that are there', async () => {
    // A record who works has no job in 200 / 27 records; of one job left 200 / 56 as well, so that ten are passed.
    expect(await said({ zeros: jobsWithout(JOBS) })).toEqual([]);
    expect(await said({ zeros: jobsWithout(JOBS - 1) })).toHaveLength(1);
    expect(await said({ zeros: `${jobsWithout(JOBS - 1)}\nyes,none` })).toEqual([]);
    const missing = [...ROWS, ['no', '', 'area 1'], ['', 'job 3', 'area 1']];
    expect(await said({ rows: missing, synthesis: { missing: 'impute' } })).toHaveLength(1);
  });

  it('names a remedy that the run can have, and is said of what is synthesized and of models with classes alone', async () => {
    expect((await said({ synthesis: { synthesized: ['job'] } }))[0]).toContain('in a run that has the model dpmpm');
    expect(await said({ synthesis: { synthesized: ['area'] } })).toEqual([]);
    expect((await said({ model: { name: 'mixed' } }))[0]).toContain('in a run that has the model dpmpm');
    expect(await said({ model: { name: 'cart' } })).toEqual([]);
  });

  it('adds up over categories and variables, and goes by the variable that decides most records', async () => {
    // Three kinds of people out of work, of whom none is asked two questions; by their age, of some kinds alone.
    const kinds = ['ill', 'looking', 'retired'];
    const rows = [
      ...Array.from({ length: 600 }, (_, i) => [
        'works',
        `job ${i % 8}`,
        `branch ${Math.floor(i / 8) % 5}`,
        `age ${Math.floor(i / 40) % 4}`,
      ]),
      ...kinds.flatMap((kind, k) => Array.from({ length: 60 }, (_, i) => [kind, 'none', 'none', k === 2 ? 'old' : `age ${i % 4}`])),
    ];
    const [message] = await said({ header: 'work,job,branch,age', rows });
    // 3 · 60 · 8 / 69 and 3 · 60 · 5 / 66 of 780 records; none of the six patterns has ten by itself.
    expect(message).toContain('`job` given `work`, `branch` given `work`');
    expect(message).not.toMatch(/`(job|branch)` given `(age|job|branch)`/);
    // What the same people are not asked decides each other as well: nothing that is left once the rules by work are declared.
    const asked = [
      ...Array.from({ length: 8 }, (_, job) => `job ${job},`),
      ...Array.from({ length: 5 }, (_, branch) => `,branch ${branch}`),
    ];
    const zeros = ['work,job,branch', ...kinds.flatMap((kind) => asked.map((answer) => `${kind},${answer}`))].join('\n');
    expect(await said({ header: 'work,job,branch,age', rows, zeros })).toEqual([]);
    // Of one kind 15 · 8 / 24 and 15 · 5 / 21 records, or 30 · 8 / 39 and 30 · 5 / 36.
    expect(await said({ header: 'work,job,branch,age', rows: rows.slice(0, 615) })).toEqual([]);
    expect(await said({ header: 'work,job,branch,age', rows: rows.slice(0, 630) })).toHaveLength(1);
  });

  it('takes no category for decided that could have one value by chance', async () => {
    // Of 60 areas of 20 records three have nobody of eleven kinds out of work, of whom 2.5 would be expected.
    const rows = Array.from({ length: 1200 }, (_, i) => {
      const area = i % 60;
      const works = [7, 23, 41].includes(area) || Math.floor(i / 60) % 8 > 0;
      return [works ? 'yes' : `no ${i % 11}`, `job ${Math.floor(i / 7) % 10}`, `area ${area}`];
    });
    expect(await said({ rows })).toEqual([]);
  });

  it('has a variable that follows from another left out, and of two that follow from each other one', async () => {
    const schools = Array.from({ length: 600 }, (_, i) => {
      const school = i % 24;
      return [`school ${school}`, `district ${school % 6}`, `code ${school % 6}`, `grade ${Math.floor(i / 24) % 5}`];
    });
    const [message] = await said({ header: 'school,district,"code, old",grade', rows: schools });
    expect(message).toContain('`district` given `school`');
    expect(message).toContain('--drop "district,\\"code, old\\""');
    expect(message).not.toMatch(/`grade`|--drop school|\d/);
    const twins = schools.map(([, district, code, grade]) => [district!, code!, grade!]);
    const [ofTwins] = await said({ header: 'district,code,grade', rows: twins });
    expect(ofTwins).toMatch(/`district` given `code`, `code` given `district`.*--drop district\)/);
    const moved = schools.map((row, i) => (i === 5 ? ['school 5', 'district 0', 'code 0', 'grade 1'] : row));
    expect((await said({ header: 'school,district,code,grade', rows: moved }))[0]).not.toContain('--drop "district');
  });

  it('lists twenty pairs at most', async () => {
    const questions = Array.from({ length: 24 }, (_, q) => `question ${q}`);
    const rows = Array.from({ length: 400 }, (_, i) => {
      const isAsked = i % 2 === 0;
      return [isAsked ? 'yes' : 'no', ...questions.map((_, q) => (isAsked ? `answer ${(i * (q + 3)) % 11}` : 'none'))];
    });
    const [message] = await said({ header: ['asked', ...questions].join(), rows });
    expect(message!.match(/` given `/g)).toHaveLength(20);
    expect(message).toMatch(/, and \d+ more\./);
  });

  it('is said of questions of few answers where there are several', async () => {
    const habits = ['smokes', 'drinks', 'sports'];
    const answers = ['rarely', 'weekly', 'daily'];
    const rows = Array.from({ length: 1000 }, (_, i) =>
      habits.flatMap((_, h) => ((i >> h) % 2 === 1 ? ['yes', answers[(i * (h + 1)) % 3]!] : ['no', 'never'])),
    );
    // 500 · 3 / (1,000 / 20 + 4) records of each, and 500 / 52.
    const [message] = await said({ header: habits.flatMap((habit) => [habit, `${habit} how`]).join(), rows });
    expect(message!.match(/` given `/g)).toHaveLength(6);
  });
});

describe('a number that is a mass for a whole category of another variable', () => {
  const AMOUNT = { type: 'continuous', range: [0, 5000], masses: [0] };
  const amount = (i: number) => `${300 + ((i * 37) % 500)}`;
  /** As many owners, who pay no rent, as tenants, who all do. */
  const households = (records: number) =>
    Array.from({ length: records }, (_, i) => [i % 2 === 0 ? 'owner' : 'tenant', i % 2 === 0 ? '0' : amount(i), `area ${i % 7}`]);
  const saidOf = (rows: readonly (readonly string[])[], settings: Asked = {}) =>
    said({ header: 'tenure,rent,area', rows, model: { name: 'mixed' }, variables: { rent: AMOUNT }, ...settings });

  it('is said before a run, with what is left out and what the model does not take', async () => {
    const [message, ...more] = await saidOf(households(400));
    expect(more).toEqual([]);
    expect(message).toContain('(of a number: each mass, or all other values)');
    expect(message).toContain(': `tenure` given `rent`, `rent` given `tenure`.');
    expect(message).toContain('in a run that has the model dpmpm with numbers in bands (--breaks)');
    expect(message).toContain('(--drop tenure)');
    expect(message).not.toMatch(/owner|--write-zeros|\d/);
  });

  it('is said where a hundredth of the records are expected to have what no record has', async () => {
    // Owners, tenants, those who pay and those who do not: 4 · 1,970 / (3,940 / 20 + 2) records of 3,940, and 4 · 1,990 / 201 of 3,980.
    expect(await saidOf(households(3940))).toHaveLength(1);
    expect(await saidOf(households(3980))).toEqual([]);
    // Of three states each leaves two others, in which one or the other pays: 2 · 1,990 · (2 + 1) / 202.
    expect(await saidOf(households(3980), { variables: { rent: { ...AMOUNT, masses: [0, 5000] } } })).toHaveLength(1);
  });

  it('is not said of what records contradict, of numbers without a mass, and goes by values that are there', async () => {
    const others = [
      ['owner', '310', 'area 1'],
      ['tenant', '0', 'area 1'],
    ];
    expect(await saidOf([...households(400), ...others])).toEqual([]);
    expect(await saidOf(households(400), { variables: { rent: { ...AMOUNT, masses: undefined } } })).toEqual([]);
    const missing = [...households(400), ['owner', '', 'area 1'], ['', '320', 'area 1']];
    expect(await saidOf(missing, { synthesis: { missing: 'impute' } })).toHaveLength(1);
  });

  it('is said of two numbers, neither of which is left out', async () => {
    const rows = households(400).map(([, rent, area], i) => [rent === '0' ? '0' : amount(i + 9), rent!, area!]);
    const [message] = await said({ header: 'wage,hours,area', rows, model: { name: 'mixed' }, variables: { wage: AMOUNT, hours: AMOUNT } });
    expect(message).toContain(': `wage` given `hours`, `hours` given `wage`.');
    expect(message).not.toContain('--drop');
  });

  it('leaves in what a number does not decide', async () => {
    const rows = households(400).map(([tenure, ...rest], i) => [i % 4 === 0 ? 'free' : tenure!, ...rest]);
    const [message] = await saidOf(rows);
    expect(message).toContain('`rent` given `tenure`');
    expect(message).not.toContain('--drop');
  });
});
