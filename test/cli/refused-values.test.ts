import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { SMALL_SETTINGS } from '../pipeline/small-run.ts';
import { ACCEPTED_SETTINGS, CANARY, GOOD_TABLE, HEADERLESS_TABLE, PLANTED, REFUSED_CONFIGS, REFUSED_TABLES } from '../planted-values.ts';
import { errorOf, fileStates, filesBelow, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const put = (name: string, content: string) => writeFileSync(join(directory, name), content);

/** Every command that reads a table, as it is given one. */
const COMMANDS: Record<string, (table: string) => string[]> = {
  evaluate: (table) => ['evaluate', table, '--out', 'out'],
  synthesize: (table) => ['synthesize', table, '--out', 'out'],
  assess: (table) => ['assess', table, '--synthetic', 'good.csv', '--out', 'out'],
  identify: (table) => ['identify', table, '--synthetic', 'good.csv', '--known', 'SEX'],
  inherent: (table) => ['inherent', table, '--synthesized', 'JOB', '--out', 'out'],
  mask: (table) => ['mask', table, '--method', 'sample', '--sample', '0.5', '--out', 'out'],
  reidentify: (table) => [
    ...['reidentify', table, '--masked', 'good.csv', '--method', 'sample'],
    ...['--variables', 'SEX', '--out', 'out'],
  ],
  calibrate: (table) => ['calibrate', table, '--out', 'out'],
  plan: (table) => ['plan', table],
};

beforeAll(() => {
  put('good.csv', GOOD_TABLE);
  put('headerless.csv', HEADERLESS_TABLE);
});

/** Runs a command that is to end with an error of that code, without a planted value and without a file. */
async function expectRefusal(args: string[], code: string) {
  const before = fileStates(directory);
  const outcome = await synthrisk(directory, [...args, '--json']);
  const { code: exitCode, stdout, stderr } = outcome;
  expect(stdout + stderr).not.toMatch(PLANTED);
  expect({ exitCode, code: errorOf(outcome).code }).toEqual({ exitCode: 2, code });
  expect(fileStates(directory)).toEqual(before);
}

describe('a refused table', () => {
  // What is printed of a config's own variables is no secret.
  it.each(REFUSED_TABLES)('tells no value: $what ($code)', async ({ table, config = '', code }) => {
    put('bad.csv', table);
    put('run.yaml', config);
    await expectRefusal([...COMMANDS.evaluate!('bad.csv'), '--config', 'run.yaml'], code);
  });

  it.each(Object.entries(COMMANDS))('tells no value: no header, by %s', async (_, command) => {
    await expectRefusal(command('headerless.csv'), 'header-is-data');
  });
});

describe('a refused config', () => {
  it.each(REFUSED_CONFIGS)('tells no value: $what ($code)', async ({ config, code }) => {
    put('run.yaml', config!);
    await expectRefusal([...COMMANDS.evaluate!('good.csv'), '--config', 'run.yaml'], code);
  });

  it.each(Object.entries(COMMANDS))('tells no value: a rule, categories and YAML, by %s', async (_, command) => {
    const args = [...command('good.csv'), '--config', 'run.yaml'];
    put('run.yaml', stringify({ acceptance: ['attributeRisk.CANARY <= 1'] }));
    await expectRefusal(args, 'unknown-figure');
    put('run.yaml', stringify({ variables: { JOB: { categories: [CANARY, 'clerk'] } } }));
    await expectRefusal(args, 'value-outside-categories');
    put('run.yaml', `variables: [${CANARY}`);
    await expectRefusal(args, 'malformed-config');
  });
});

describe('refused structural zeros', () => {
  it.each([
    ['without a header', `${CANARY},m\nclerk,f\n`, 'unknown-variable'],
    ['with a category that is none', `JOB,SEX\nclerk,f\n${CANARY},m\n`, 'value-outside-categories'],
    ['of two columns of a name', `${CANARY},${CANARY}\nclerk,f\n`, 'duplicate-variable'],
    ['that are ragged', `JOB,SEX\nclerk,f\n${CANARY}\n`, 'ragged-row'],
  ])('tell no value: %s', async (_, zeros, code) => {
    put('zeros.csv', zeros);
    await expectRefusal([...COMMANDS.synthesize!('good.csv'), '--structural-zeros', 'zeros.csv'], code);
  });
});

describe('a refused control', () => {
  const controls: [what: string, control: string, code: string][] = [
    ['without a header', HEADERLESS_TABLE, 'absent-variable'],
    ['that lacks a column', GOOD_TABLE.replace('JOB', CANARY), 'absent-variable'],
    ['with a column more', GOOD_TABLE.replace('JOB', `JOB,${CANARY}`), 'unknown-variable'],
    ['with a category that the table has not', GOOD_TABLE.replace('clerk', CANARY), 'value-outside-categories'],
    ['with a value missing', GOOD_TABLE.replace('clerk', ''), 'missing-values'],
    ['without people', `${GOOD_TABLE.split('\n')[0]}\n`, 'no-records'],
    [
      'that is the table in another order',
      [GOOD_TABLE.trim().split('\n')].map(([header, ...rows]) => [header, ...rows.reverse()].join('\n'))[0]!,
      'control-overlaps-table',
    ],
  ];
  it.each(controls)('tells no value: %s', async (_, control, code) => {
    put('control.csv', control);
    for (const command of ['evaluate', 'assess', 'plan']) {
      await expectRefusal([...COMMANDS[command]!('good.csv'), '--control', 'control.csv'], code);
    }
  });

  it.each([
    ['variables that are kept', ['--synthesized', 'JOB']],
    ['the estimator importance', ['--estimator', 'importance']],
    ['all cells', ['--candidates', 'all-cells']],
    ['trees', ['--model', 'cart', '--synthesized', 'JOB']],
  ])('is of no use with %s', async (_, flags) => {
    await expectRefusal([...COMMANDS.evaluate!('good.csv'), ...flags, '--control', 'good.csv'], 'control-unused');
  });
});

describe('a refused dataset', () => {
  const commands: [string, string[]][] = [
    ['assess', ['assess', 'good.csv', '--out', 'out']],
    ['identify', ['identify', 'good.csv', '--known', 'SEX']],
    ['inherent', ['inherent', 'good.csv', '--synthesized', 'JOB', '--out', 'out']],
  ];
  it.each(commands)('tells no value, by %s', async (_, args) => {
    const datasets: [string, string][] = [
      [HEADERLESS_TABLE, 'absent-variable'],
      [GOOD_TABLE.replace('JOB', CANARY), 'absent-variable'],
      [GOOD_TABLE.replace('JOB', `JOB,${CANARY}`), 'unknown-variable'],
      [GOOD_TABLE.replace('clerk', CANARY), 'value-outside-categories'],
    ];
    for (const [dataset, code] of datasets) {
      put('bad.csv', dataset);
      await expectRefusal([...args, '--synthetic', 'bad.csv'], code);
    }
  });
});

describe('values that a config may have', () => {
  it('are neither in what a person is told on the way, nor in the state of the run', async () => {
    mkdirSync(join(directory, 'accepted'));
    put('accepted/table.csv', GOOD_TABLE);
    put('accepted/run.yaml', stringify({ ...SMALL_SETTINGS, ...ACCEPTED_SETTINGS }));
    const folder = join(directory, 'accepted');
    const args = ['evaluate', 'table.csv', '--config', 'run.yaml', '--jobs', '1', '--out', 'run'];
    const { code, stdout, stderr } = await synthrisk(folder, args);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(PLANTED);
    expect(stdout).not.toContain(CANARY);
    // The rule is in the summary, and so in what is printed of that.
    const allowed = /^(release\/|confidential\/|table\/schema\.json$)/;
    const holding = filesBelow(join(folder, 'run')).filter((path) => PLANTED.test(readFileSync(join(folder, 'run', path), 'latin1')));
    expect(holding.filter((path) => !allowed.test(path))).toEqual([]);
    expect(holding).toContain('confidential/summary.json');
  });
});
