import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { errorOf, SMALL_FLAGS, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const put = (name: string, content: string) => writeFileSync(join(directory, name), content);
const run = (...args: string[]) => synthrisk(directory, args);

/** What a command is refused with: its exit code, the code for programs, and the words for a person. */
async function refusalOf(...args: string[]) {
  const outcome = await run(...args, '--json');
  return { code: outcome.code, error: errorOf(outcome).code, stderr: outcome.stderr };
}

/** A raw survey: an identifier, a weight, an age in years with a missing code, codes with zeros, an income with a mark. */
const RECORDS = 240;
const cells = Array.from({ length: RECORDS }, (_, i) => ({
  id: `R-${1000 + i}`,
  weight: (0.5 + ((i * 37) % 101) / 100).toFixed(3),
  age: i % 20 === 7 ? '-9' : String(18 + ((i * 31) % 71)),
  sex: i % 40 === 3 ? 'female' : i % 2 ? 'Female' : 'Male',
  region: `0${1 + (i % 4)}`,
  income: i % 30 === 4 ? '.' : String(900 + ((i * 7919) % 30011)),
}));
const header = Object.keys(cells[0]!).join(',');
const raw = `${header}\n${cells.map((row) => Object.values(row).join(',')).join('\n')}\n`;

beforeAll(() => put('raw.csv', raw));

interface Described {
  readonly records: number;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly distinct: number | null;
    readonly missing: number | null;
    readonly commonest: readonly { readonly value: string; readonly count: number }[];
    readonly notices: readonly { readonly code: string; readonly refused: boolean; readonly write: string[] }[];
  }[];
  readonly refused: { readonly code: string } | null;
}

async function described(...args: string[]): Promise<Described> {
  const { code, stdout, stderr } = await run('plan', ...args, '--describe', '--json');
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Described;
}

describe('plan --describe', () => {
  it('shows each column of a table that a run would refuse, and ends with 0', async () => {
    const { records, columns, refused } = await described('raw.csv');
    expect(records).toBe(RECORDS);
    expect(refused?.code).toBe('identifier');
    const shown = columns.map(({ name, type, distinct, notices }) => [
      name,
      type,
      distinct,
      notices.map(({ code, refused: isRefused }) => `${code}${isRefused ? '!' : ''}`),
    ]);
    expect(shown).toEqual([
      ['id', 'categorical', RECORDS, ['identifier!']],
      ['weight', 'continuous', 101, ['survey-weight']],
      ['age', 'continuous', 72, ['missing-codes', 'continuous-variable!']],
      ['sex', 'categorical', 3, ['spelling-variants']],
      ['region', 'categorical', 4, []],
      ['income', 'categorical', 233, ['marked-numbers!']],
    ]);
    expect(columns[2]!.commonest[0]).toEqual({ value: '-9', count: 12 });
    expect(columns[2]!.notices[0]!.write).toEqual(['--missing-codes age=-9']);
    expect(columns[5]!.notices[0]!.write[0]).toBe('--missing-codes income=.');
  });

  it('shows them to a reader as well', async () => {
    const { code, stdout } = await run('plan', 'raw.csv', '--describe');
    expect(code).toBe(0);
    expect(stdout).toContain('region: categorical (codes: numbers that begin with zeros)');
    expect(stdout).toContain('write --drop id');
    expect(stdout).toMatch(/A run would be refused: Column `id`/);
  });
});

describe('plan --write-config', () => {
  it('writes a config with which the table is evaluated as it is: two commands from a raw file', async () => {
    const written = await run('plan', 'raw.csv', '--write-config', 'run.yaml');
    expect(written.code, written.stderr).toBe(0);
    const config = parse(readFileSync(join(directory, 'run.yaml'), 'utf8')) as Record<string, unknown>;
    expect(config).toMatchObject({
      table: 'raw.csv',
      synthesis: { missing: 'category' },
      variables: {
        id: { drop: true },
        weight: { drop: true },
        age: { missingCodes: ['-9'], breaks: expect.arrayContaining([0]) },
        income: { missingCodes: ['.'], breaks: expect.arrayContaining([0]) },
      },
    });
    // The file tells where to fill in a declared range, which errors of coding are then held to.
    const text = readFileSync(join(directory, 'run.yaml'), 'utf8');
    expect(text.match(/# .*questionnaire.*: range: \[0, 120\]/g)).toHaveLength(2);
    for (const [range, code] of [
      ['[0, 120]', 0],
      ['[0, 40]', 2],
    ] as const) {
      put('ranged.yaml', text.replace(/age: \{ /, `age: { range: ${range}, `));
      const planned = await run('plan', '--config', 'ranged.yaml');
      expect(planned.code, planned.stderr).toBe(code);
      if (code !== 0) expect(planned.stderr).toMatch(/row \d+, column `age`: expected a number from 0 to 40/);
    }
    const evaluated = await run('evaluate', '--config', 'run.yaml', '--out', 'out', '--json', ...SMALL_FLAGS);
    expect(evaluated.code, evaluated.stderr).toBe(0);
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ table: { records: RECORDS, variables: 4 } });
    const release = readFileSync(join(directory, 'out/release/synthetic-1.csv'), 'utf8');
    expect(release.split('\n')[0]).toBe('age,sex,region,income');
    // A release without the dropped columns, and a file with them, go through the same door.
    const synthetic = release.trimEnd().split('\n');
    put(
      'with-id.csv',
      `id,${synthetic[0]}\n${synthetic
        .slice(1)
        .map((row, i) => `S${i},${row}`)
        .join('\n')}\n`,
    );
    for (const file of ['out/release/synthetic-1.csv', 'with-id.csv']) {
      const flags = ['--config', 'run.yaml', '--synthetic', file, '--json', '--quiet'];
      const { code, stderr } = await run('attack', ...flags, '--keys', 'sex,region', '--target', 'age');
      expect(code, stderr).toBe(0);
    }
  });

  it('leaves the ranges that a model of densities needs to be filled in, and takes none from the table', async () => {
    const written = await run('plan', 'raw.csv', '--model', 'mixed', '--write-config', 'mixed.yaml');
    expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining('fill in the ranges of its numbers') });
    const text = readFileSync(join(directory, 'mixed.yaml'), 'utf8');
    expect(parse(text)).toMatchObject({
      variables: { age: { type: 'continuous' }, income: { type: 'continuous' } },
      model: { name: 'mixed' },
    });
    expect(await refusalOf('plan', '--config', 'mixed.yaml')).toMatchObject({ code: 2, error: 'no-range' });
    // As its comment says: what stands behind # goes into the braces, with numbers in place of words.
    put('mixed.yaml', text.replaceAll(/ \} {2}# (range: \[)LOWEST, HIGHEST(\].*), masses: \[0\](.*)/g, ', $10, 40000$2$3 }'));
    const planned = await run('plan', '--config', 'mixed.yaml');
    expect(planned.code, planned.stderr).toBe(0);
  });

  it('overwrites nothing', async () => {
    put('mine.yaml', 'seed: 2\n');
    const refused = await refusalOf('plan', 'raw.csv', '--write-config', 'mine.yaml');
    expect(refused).toMatchObject({ code: 2, error: 'file-exists' });
    expect(readFileSync(join(directory, 'mine.yaml'), 'utf8')).toBe('seed: 2\n');
  });
});

describe('plan --write-zeros', () => {
  // Nobody out of work has one of thirty jobs; a text of which begins as a formula would, and has a comma.
  const jobs = Array.from({ length: 30 }, (_, job) => (job === 4 ? '"=4, other"' : `job ${job}`));
  const working = Array.from({ length: 300 }, (_, i) => `yes,${jobs[i % 30]},area ${i % 7}`);
  const others = (job: string) => Array.from({ length: 200 }, (_, i) => `no,${job},area ${i % 7}`);
  const table = (job: string) => `${['work,job,area', ...working, ...others(job)].join('\n')}\n`;

  it('drafts the combinations that a run then takes for impossible, and of which it says no more', async () => {
    put('skips.csv', table('none'));
    const noticed = await run('plan', 'skips.csv');
    expect(noticed.stdout).toContain('`job` given `work`');
    expect(noticed.stdout).toContain('--write-zeros');
    const written = await run('plan', 'skips.csv', '--write-zeros', 'zeros.csv');
    expect(written.code, written.stderr).toBe(0);
    expect(written.stderr).toContain('--structural-zeros zeros.csv');
    expect(statSync(join(directory, 'zeros.csv')).mode & 0o077).toBe(0);
    const lines = readFileSync(join(directory, 'zeros.csv'), 'utf8').trimEnd().split('\n');
    expect(lines[0]).toBe('work,job');
    expect(lines.slice(1).sort()).toEqual([...jobs.map((job) => `no,${job}`), 'yes,none'].sort());
    const released = await run('synthesize', 'skips.csv', '--structural-zeros', 'zeros.csv', '--out', 'skips', '--burn-in', '20');
    expect(released.code, released.stderr).toBe(0);
    expect(released.stdout + released.stderr).not.toContain('given `work`');
    const rows = readFileSync(join(directory, 'skips/release/synthetic-1.csv'), 'utf8').trimEnd().split('\n').slice(1);
    expect(rows).toHaveLength(500);
    const jobless = rows.filter((row) => row.startsWith('no,'));
    expect(jobless.length).toBeGreaterThan(0);
    expect(jobless.every((row) => row.startsWith('no,none,'))).toBe(true);
    expect(rows.filter((row) => row.startsWith('yes,none,'))).toEqual([]);
  });

  it('drafts them where the answer is missing, and refuses what leaves nothing to draft', async () => {
    put('missing.csv', table(''));
    const written = await run('plan', 'missing.csv', '--missing', 'category', '--write-zeros', 'of-missing.csv');
    expect(written.code, written.stderr).toBe(0);
    expect(readFileSync(join(directory, 'of-missing.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(31);
    put('asked.csv', `${['work,job,area', ...working].join('\n')}\nno,job 1,area 1\n`);
    expect(await refusalOf('plan', 'asked.csv', '--write-zeros', 'none.csv')).toMatchObject({ code: 2, error: 'no-skip-patterns' });
    expect(existsSync(join(directory, 'none.csv'))).toBe(false);
    put('some.csv', 'work,job\nno,job 1\n');
    for (const [error, ...flags] of [
      ['zeros-before-zeros', '--structural-zeros', 'some.csv'],
      ['zeros-not-possible', '--model', 'cart'],
      ['zeros-not-possible', '--synthesized', 'job'],
    ] as const) {
      expect(await refusalOf('plan', 'asked.csv', ...flags, '--write-zeros', 'none.csv')).toMatchObject({ code: 2, error });
    }
    expect(await refusalOf('plan', 'missing.csv', '--missing', 'category', '--write-zeros', 'of-missing.csv')).toMatchObject({
      code: 2,
      error: 'file-exists',
    });
  });

  it('drafts what numbers leave out once they are in bands', async () => {
    const rents = Array.from({ length: 400 }, (_, i) => `${i % 2 ? `tenant,${300 + ((i * 37) % 500)}` : 'owner,0'},area ${i % 7}`);
    put('rents.csv', `${['tenure,rent,area', ...rents].join('\n')}\n`);
    const asked = ['plan', 'rents.csv', '--write-zeros', 'rents-zeros.csv'];
    expect(await refusalOf(...asked, '--model', 'mixed', '--range', 'rent=0,5000', '--masses', 'rent=0')).toMatchObject({
      code: 2,
      error: 'zeros-not-possible',
      stderr: expect.stringContaining('in bands (--breaks)'),
    });
    expect(await refusalOf(...asked)).toMatchObject({ code: 2, error: 'continuous-variable', stderr: expect.stringContaining('--breaks') });
    const written = await run(...asked, '--breaks', 'rent=0,1,500');
    expect(written.code, written.stderr).toBe(0);
    const lines = readFileSync(join(directory, 'rents-zeros.csv'), 'utf8').trimEnd().split('\n');
    expect(lines.sort()).toEqual(['owner,"[1,500)"', 'owner,"[500,Inf)"', 'tenant,"[0,1)"', 'tenure,rent']);
  });
});

describe('a table of frequencies', () => {
  const rows = ['m,old,3', 'm,young,2', 'f,old,0', 'f,young,4'];

  it('is refused until the count is named, and then read as so many records', async () => {
    put('counts.csv', `sex,age,Freq\n${rows.join('\n')}\n`);
    expect(await refusalOf('plan', 'counts.csv')).toMatchObject({
      code: 2,
      error: 'count-column',
      stderr: expect.stringMatching(/--count Freq[\s\S]*`synthrisk plan TABLE --write-config run.yaml`/),
    });
    const { records, columns } = await described('counts.csv', '--count', 'Freq');
    expect(records).toBe(9);
    expect(columns[0]!.commonest).toEqual([
      { value: 'm', count: 5 },
      { value: 'f', count: 4 },
    ]);
    expect(columns[2]).toMatchObject({ name: 'Freq', type: 'count', distinct: null });
    expect(existsSync(join(directory, 'synthrisk-runs'))).toBe(false);
  });

  it('refuses a count that is no whole number, by its row', async () => {
    put('counts.csv', `sex,age,Freq\n${rows.join('\n')}\nx,old,1.5\n`);
    expect(await refusalOf('plan', 'counts.csv', '--count', 'Freq')).toMatchObject({
      code: 2,
      error: 'not-a-count',
      stderr: expect.stringContaining('row 5, column `Freq`'),
    });
  });
});

describe('columns that would be misread', () => {
  const table = (name: string, cell: (i: number) => string, delimiter = ',') =>
    `${name}${delimiter}b\n${Array.from({ length: 120 }, (_, i) => `${cell(i)}${delimiter}${i % 3}`).join('\n')}\n`;
  const cases: [string, string, string, string[]][] = [
    ['decimal-comma', table('x', (i) => `${i},${i % 7}5`, ';'), 'continuous', ['--decimal-comma']],
    ['thousands-separator', table('x', (i) => `"${1 + (i % 60)},${200 + i}"`), 'continuous', ['--thousands', ',']],
    ['marked-numbers', table('x', (i) => (i % 9 ? `${i % 70}` : '?')), 'continuous', ['--missing-codes', 'x=?']],
    ['dates', table('x', (i) => `20${10 + (i % 15)}-0${1 + (i % 9)}-${10 + (i % 17)}`), 'categorical', ['--categorical', 'x']],
    ['identifier', table('x', (i) => `00${100 + i}`), 'categorical', ['--categorical', 'x']],
    ['identifier', table('x', (i) => `${5000 + i}`), 'continuous', ['--continuous', 'x']],
  ];

  it.each(cases)('%s: refused with the flag that decides', async (code, content, type, flags) => {
    put('odd.csv', content);
    const refused = await refusalOf('plan', 'odd.csv');
    expect(refused).toMatchObject({ code: 2, error: code, stderr: expect.stringMatching(/^Error: Column `x`/) });
    expect(refused.stderr).toContain('`synthrisk plan TABLE --write-config run.yaml`');
    const decided = await described('odd.csv', ...flags);
    expect(decided.refused?.code).not.toBe(code);
    expect(decided.columns[0]!.type).toBe(type);
  });

  it('a vertical bar divides columns, and another character is refused by name', async () => {
    put(
      'bar.csv',
      table('x', (i) => `${i % 4}`, '|'),
    );
    expect((await described('bar.csv')).columns.map(({ name }) => name)).toEqual(['x', 'b']);
    put(
      'colon.csv',
      table('x', (i) => `${i % 4}`, ':'),
    );
    expect(await refusalOf('plan', 'colon.csv')).toMatchObject({
      code: 2,
      error: 'unread-delimiter',
      stderr: expect.stringContaining('":"'),
    });
  });

  it.each([
    ['quotes and row names', (row: string[], i: number) => [i, ...row].map((cell) => `"${cell}"`).join(' '), '"x" "b c"'],
    ['neither', (row: string[]) => row.join(' '), 'x b'],
  ])('spaces, as write.table() of R puts them between columns, are refused by name: with %s', async (_, line, first) => {
    put('spaces.txt', `${first}\n${Array.from({ length: 60 }, (_row, i) => `${line([`${i % 4}`, `${i % 3}`], i)}\n`).join('')}`);
    expect(await refusalOf('plan', 'spaces.txt')).toMatchObject({
      code: 2,
      error: 'unread-delimiter',
      stderr: expect.stringContaining('divided by spaces'),
    });
  });

  it('a single column of texts with spaces is read where its name is in quotes', async () => {
    put('names.csv', `"full name"\n${'Ann Lee\nBo Ray\n'.repeat(20)}`);
    expect((await described('names.csv')).columns.map(({ name }) => name)).toEqual(['full name']);
  });

  it.each([
    ['few values', 'dweight', ['1.25', '0.8', '2']],
    ['many values', 'pspwght', Array.from({ length: 70 }, (_, i) => `${0.5 + i / 100}`)],
    ['a name of EU-SILC', 'rb050', ['120', '250.5']],
  ])('a survey weight is noticed: %s', async (_, name, weights) => {
    put('weights.csv', `a,${name}\n${Array.from({ length: 140 }, (_row, i) => `${i % 3},${weights[i % weights.length]}\n`).join('')}`);
    expect((await described('weights.csv')).columns[1]!.notices.map(({ code }) => code)).toEqual(['survey-weight']);
  });
});

describe('the first line of plan --describe', () => {
  it.each([
    ['A,B\nx,y\n', '1 record, 2 columns.'],
    ['A\nx\ny\n', '2 records, 1 column.'],
  ])('counts %j in plain English', async (text, words) => {
    put('few.csv', text);
    expect((await run('plan', 'few.csv', '--describe')).stdout.startsWith(words)).toBe(true);
  });
});
