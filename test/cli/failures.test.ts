import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallTable } from '../pipeline/small-run.ts';
import { errorOf, type Outcome, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const PROGRAM = fileURLToPath(new URL('../../dist/synthrisk.mjs', import.meta.url));

beforeAll(() => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
  writeFileSync(join(directory, 'empty.csv'), '');
  mkdirSync(join(directory, 'folder'));
});

/** Names of classes, and words of the system: nothing for a person. */
const JARGON = /\w(Error|Exception)\b|\bE(ISDIR|NOENT|NOTDIR|ACCES|ROFS|NOSPC|EXIST)\b|\n\s+at /;

/** Expects one document of a failure on standard output, and its message in plain English on standard error. */
function expectFailure(outcome: Outcome, code: string, exitCode: number) {
  const document = JSON.parse(outcome.stdout);
  expect(Object.keys(document)).toEqual(['error', 'exitCode']);
  expect(document.error.message).toMatch(/\w/);
  expect([outcome.code, document.exitCode, document.error.code]).toEqual([exitCode, exitCode, code]);
  expect(outcome.stderr).not.toMatch(JARGON);
}

/** Every command with arguments that it refuses, and the code of the refusal. */
const REFUSED: readonly (readonly [args: string, code: string])[] = [
  ['evaluate gone.csv', 'unreadable-file'],
  ['evaluate folder', 'unreadable-file'],
  ['evaluate empty.csv', 'empty-file'],
  ['synthesize gone.csv', 'unreadable-file'],
  ['assess table.csv', 'no-datasets'],
  ['identify table.csv --known region', 'no-datasets'],
  ['utility table.csv', 'no-datasets'],
  ['attack table.csv', 'no-datasets'],
  ['inherent table.csv', 'nothing-kept'],
  ['mask table.csv', 'missing-mandatory-option-value'],
  ['reidentify table.csv --method sample', 'no-masked-file'],
  ['calibrate', 'no-table'],
  ['batch plan gone.csv', 'unreadable-file'],
  ['batch list folder', 'no-run'],
  ['batch run folder 1', 'no-run'],
  ['batch close folder', 'no-run'],
  ['plan table.csv --accept x', 'malformed-rule'],
  ['reassess folder', 'no-run'],
  ['remedies folder --table table.csv --datasets 1', 'no-run'],
  ['compare folder folder', 'no-run'],
  ['sweep --config gone.yaml', 'unreadable-file'],
  ['report folder', 'no-run'],
  ['release folder', 'no-run'],
  ['schema x', 'excess-arguments'],
  ['completion csh', 'invalid-argument'],
  ['example folder x', 'excess-arguments'],
  ['dp table --epsilon 0', 'invalid-epsilon'],
  ['dp evaluate --out table.csv', 'folder-in-use'],
  ['cloud deploy --setting x', 'malformed-setting'],
  ['cloud doctor --environment A/B', 'invalid-argument'],
  ['cloud submit', 'missing-argument'],
  ['cloud status', 'missing-argument'],
  ['cloud canary --within soon', 'invalid-argument'],
  ['cloud fetch x', 'no-run-id'],
  ['cloud cancel x', 'no-run-id'],
  ['cloud resume x', 'no-run-id'],
  ['cloud record x 1', 'no-run-id'],
  ['cloud release x', 'no-run-id'],
  ['cloud purge /x', 'no-run-id'],
  ['cloud redrive x', 'excess-arguments'],
  ['cloud predictions x', 'no-run-id'],
  ['cloud', 'unknown-option'],
  ['dp nosuch', 'unknown-command'],
  ['help nosuch', 'unknown-command'],
  ['nosuch', 'unknown-command'],
];

describe('with --json a failure is a document', () => {
  it.each(REFUSED)('of %s: %s', async (args, code) => {
    const outcome = await synthrisk(directory, [...args.split(' '), '--json']);
    expectFailure(outcome, code, 2);
  });

  it('of every command that there is', async () => {
    const { stdout } = await synthrisk(directory, ['completion', 'fish']);
    const commands = [...stdout.matchAll(/__synthrisk_at '([^']+)'" -l help /g)].map(([, path]) => path!);
    const refused = (command: string) => REFUSED.some(([args]) => `${args} `.startsWith(`${command} `));
    expect(commands.length).toBeGreaterThan(30);
    expect(commands.filter((command) => !/\bhelp$/.test(command) && !refused(command))).toEqual([]);
  });

  it('of a config, with the field', async () => {
    writeFileSync(join(directory, 'wrong.yaml'), 'mcmc: { chains: many }\n');
    const outcome = await synthrisk(directory, ['plan', 'table.csv', '--config', 'wrong.yaml', '--json']);
    expectFailure(outcome, 'invalid-config', 2);
    expect(errorOf(outcome).field).toBe('mcmc.chains');
  });

  it('of a table, with row and column', async () => {
    writeFileSync(join(directory, 'ragged.csv'), 'A,B\n1,2\n3\n');
    const outcome = await synthrisk(directory, ['plan', 'ragged.csv', '--json']);
    expectFailure(outcome, 'ragged-row', 2);
    expect(errorOf(outcome).row).toBe(2);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('of %s, where a command has nothing to tidy up', async (signal) => {
    const args = ['dp', 'evaluate', '--replicates', '1000000', '--out', `long-${signal}`, '--json'];
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: directory });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    const ended = new Promise<number | null>((done) => child.on('close', done));
    // Its first line of progress.
    await new Promise((done) => child.stderr.once('data', done));
    child.kill(signal);
    expect(await ended).toBe(130);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'interrupted', message: 'Interrupted.' }, exitCode: 130 });
  });

  it.each(['stdout', 'stderr'] as const)('with its own exit code where nobody reads %s any more', async (gone) => {
    const child = spawn(process.execPath, [PROGRAM, 'evaluate', 'gone.csv', '--json'], { cwd: directory });
    child[gone].destroy();
    child[gone === 'stdout' ? 'stderr' : 'stdout'].resume();
    expect(await new Promise((done) => child.on('close', done))).toBe(2);
  });

  it.runIf(existsSync('/dev/full'))('of output that a full disk does not take', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'schema'], { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    closeSync(full);
    expect([status, stderr]).toEqual([3, expect.stringMatching(/^Error: The disk is full: a file could not be written\.\n/)]);
    expect(stderr).not.toMatch(JARGON);
  });

  it('of a place where nothing can be written', async () => {
    writeFileSync(join(directory, 'file'), '');
    const below = ['evaluate', 'table.csv', '--out', 'file/below', '--json'];
    const outcome = await synthrisk(directory, below, { keys: 'its-own' });
    expectFailure(outcome, 'folder-in-use', 2);
    const args = ['evaluate', 'table.csv', '--out', '/sys/run', '--json'];
    const nowhere = await synthrisk(directory, args, { keys: 'its-own' });
    expectFailure(nowhere, errorOf(nowhere).code, 3);
    expect(errorOf(nowhere)).toMatchObject({ file: '/sys/run', hint: expect.stringContaining('--out') });
  });
});

describe('to a person', () => {
  it.each([
    ['a flag', 'evaluate table.csv --chians 3 --foo', 'no options --chians (did you mean --chains?) and --foo.'],
    ['a choice', 'evaluate table.csv --model cartt', 'did you mean cart?'],
    ['a value of a flag that takes none', 'evaluate table.csv --no-utility=true', 'Error: --no-utility takes no value.'],
    [
      'a setting of another model',
      'evaluate table.csv --epsilon 1',
      'Not of this model: epsilon (of beta-binomial, dirichlet-multinomial)',
    ],
    ['a setting that is missing', 'evaluate table.csv --model dirichlet-multinomial', 'Missing: expected number'],
    ['a kind of candidates', 'evaluate table.csv --candidates one-chnge', 'did you mean one-change?'],
    ['a command', 'evalute table.csv', "Unknown command 'evalute' (did you mean evaluate?)."],
    ['a command after help', 'help cloud sumbit', 'did you mean submit?'],
    ['a variable', 'plan table.csv --synthesized Eduction', 'no variable Eduction (did you mean education?)'],
    ['a variable that is known', 'plan table.csv --synthesized education --known regon', 'did you mean region?'],
    ['a variable that is unknown', 'plan table.csv --unknown emploiment', 'did you mean employment?'],
    ['a figure', 'evaluate table.csv --accept gainBitsMean<=1', 'did you mean attributeRisk.gainBitsMean?'],
  ])('%s that is misspelt is refused with the one that may be meant', async (_, args, words) => {
    const { code, stderr } = await synthrisk(directory, args.split(' '));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: /);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(JARGON);
  });

  it.each([
    ['model: { name: cartt }', 'did you mean cart?'],
    ['synthesis: { missing: imput }', 'did you mean impute?'],
    ['attributeRisk: { prior: unifrom }', 'did you mean uniform?'],
    ['mcmc: { chain: 3 }', 'did you mean chains?'],
    ['variables: { REGION: { type: categorical } }', 'did you mean region?'],
    ['utility: of', 'did you mean off?'],
    ['missing: impute', 'did you mean synthesis.missing?'],
    ['classes: 8', 'did you mean model.classes?'],
  ])('the config %s is refused with what may be meant', async (config, words) => {
    writeFileSync(join(directory, 'slip.yaml'), config);
    const { code, stderr } = await synthrisk(directory, ['plan', 'table.csv', '--config', 'slip.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('a file that may not be read is said to be that', async () => {
    if (process.getuid?.() === 0) return;
    writeFileSync(join(directory, 'secret.csv'), smallTable());
    chmodSync(join(directory, 'secret.csv'), 0);
    const { stderr } = await synthrisk(directory, ['plan', 'secret.csv']);
    expect(stderr).toContain('You do not have permission to read secret.csv.');
  });

  it('a command that there is not has the way to those that there are', async () => {
    const { stderr } = await synthrisk(directory, ['help', 'nosuch']);
    expect(stderr).toBe("Error: Unknown command 'nosuch'.\nsynthrisk --help shows the commands.\n");
  });
});

describe('schema --acceptance', () => {
  it('lists every figure that a rule may name, with its meaning and limits', async () => {
    const { code, stdout } = await synthrisk(directory, ['schema', '--acceptance', '--json']);
    expect(code).toBe(0);
    const { figures } = JSON.parse(stdout);
    expect(figures.filter(({ meaning }: { meaning: unknown }) => meaning === null)).toEqual([]);
    expect(figures).toContainEqual({
      figure: 'attributeRisk.firstGuessRightAfter',
      meaning: expect.any(String),
      unit: 'share of 1',
      better: 'smaller',
      least: 0,
      most: 1,
    });
  });

  it('has a line a figure for a person', async () => {
    const { stdout } = await synthrisk(directory, ['schema', '--acceptance']);
    expect(stdout).toMatch(/^attributeRisk\.gainBitsMean +bits +smaller is better +Gain at the truth/m);
    expect(stdout).toMatch(/^utility\.figures\.intervalOverlapMean +share of 1 +larger is better /m);
  });
});
