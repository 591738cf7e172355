import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { mixedTable, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { type Outcome, synthrisk, temporaryFolder } from '../run-command.ts';
import { testKey } from '../test-keys.ts';
import { axeViolations, type OpenedPage, ReportBrowser } from './opened-report.ts';
import {
  choose,
  finished,
  holdQuiet,
  holdSameResults,
  PAGE_FILE,
  packed,
  press,
  SAVE_RUN,
  saved,
  unpacked,
  writtenFiles,
} from './used-page.ts';

const directory = temporaryFolder();
const at = (...path: string[]) => join(directory, ...path);
const read = (...path: string[]) => readFileSync(at(...path), 'utf8');

/** Runs a command that has to succeed. */
async function command(...args: string[]): Promise<Outcome> {
  const outcome = await synthrisk(directory, args);
  expect(outcome.code, outcome.stderr).toBe(0);
  return outcome;
}

/** Writes an archive, and gives its path. */
const archive = (name: string, bytes: Uint8Array): string => writtenFiles(directory, [[name, bytes]])[0]!;

// One page for all tests, which use it one after the other as a person would.
let browser: ReportBrowser;
let opened: OpenedPage;
let page: Page;
let evaluated: Outcome;

beforeAll(async () => {
  writtenFiles(directory, [
    ['table.csv', smallTable()],
    ['numbers.csv', mixedTable()],
    ['run.yaml', stringify(SMALL_SETTINGS)],
    [
      'scenarios.yaml',
      'attributeRisk:\n  candidates: { unknown: [education, region] }\n  prior: model\nacceptance: ["attributeRisk.probabilityMax <= 0.9"]\n',
    ],
    ['release-key', encodeKey(testKey(2))],
  ]);
  const evaluate = (out: string, seed: string) => command('evaluate', 'table.csv', '--config', 'run.yaml', '--seed', seed, '--out', out);
  evaluated = await evaluate('first', '1');
  await evaluate('second', '2');
  browser = await ReportBrowser.start(readFileSync(PAGE_FILE, 'utf8'));
  opened = await browser.open();
  page = opened.page;
});
afterAll(() => browser?.stop());

/** Text as a terminal has it. */
const inTerminal = (text: string | null) => text!.replaceAll('\u00a0', ' ').replaceAll('\u2212', '-');
const textOf = async (place: string) => inTerminal(await page.locator(place).first().textContent());
const alert = () => textOf('[role=alert]:visible');

/** Holds the page as it shows itself to axe, and to a narrow window. */
async function holdSeemly(): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 400, height: 900 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(400);
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** Goes to a button by keyboard, and presses it. */
async function pressByKeys(name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return page.keyboard.press('Enter');
  }
  throw new Error(`No button ${name} is reached by keyboard.`);
}

describe('runs that are there already', () => {
  it('opens the folder of a run of the command line as that reported it', async () => {
    await pressByKeys('Open and compare runs');
    await choose(page, [archive('first.zip', packed(at('first'), 'first/'))]);
    await finished(page);
    const verdict = /^Verdict: (.*)$/m.exec(evaluated.stdout)![1]!;
    expect(await textOf('.verdict:visible')).toBe(verdict);
    // Figures are called as the report calls them, and not as a file does.
    const figures = await page.locator('.results:visible tbody th').allTextContents();
    expect(figures.join()).toContain('Uncertainty resolved');
    // A share is a percentage, as in the terminal.
    const guessed = await textOf('.results:visible tr:has(th:text("Values guessed right, share")) td');
    expect(evaluated.stdout).toMatch(new RegExp(`Values guessed correctly +${guessed!.split(/\s/)[0]} `));
    expect(figures.join()).not.toMatch(/attributeRisk|utility\./);
    await press(page, 'Open the report');
    expect(await page.locator('iframe:visible').getAttribute('srcdoc')).toBe(read('first', 'confidential', 'report.html'));
    await press(page, 'Close the report');
    holdSameResults(unpacked(await saved(page, SAVE_RUN)), at('first'), /./);
  });

  it('saves a run into a folder that a person chooses', async () => {
    // The dialog is the browser's own, and a folder in memory stands for the one that it gives.
    await page.evaluate(() => {
      const written: Record<string, Uint8Array> = {};
      const folder = (path: string): object => ({
        getDirectoryHandle: async (name: string) => folder(`${path}${name}/`),
        getFileHandle: async (name: string) => ({
          createWritable: async () => ({
            write: async (bytes: Uint8Array) => {
              written[path + name] = bytes;
            },
            close: async () => undefined,
          }),
        }),
      });
      Object.assign(globalThis, { written, showDirectoryPicker: async () => folder('') });
    });
    await press(page, 'Save everything into a folder (confidential)');
    await page.getByText(/^Everything is in the folder/).waitFor();
    const written = await page.evaluate(() => (globalThis as unknown as { written: Record<string, Uint8Array> }).written);
    const files = Object.entries(written).map(([path, bytes]) => [path.slice(path.indexOf('/') + 1), bytes] as const);
    holdSameResults(new Map(files), at('first'), /./);
    // Who chooses none has saved nothing.
    await page.evaluate(() =>
      Object.assign(globalThis, { showDirectoryPicker: () => Promise.reject(new DOMException('none', 'AbortError')) }),
    );
    await press(page, 'Save everything into a folder (confidential)');
    await expect.poll(() => page.getByText(/^Everything is in the folder/).count()).toBe(0);
  });

  it('compares two runs as the command line does', async () => {
    await choose(page, [archive('second.zip', packed(at('second')))]);
    await page.getByRole('button', { name: 'Show second', exact: true }).waitFor();
    await pressByKeys('Compare these runs');
    await page.waitForSelector('.comparison');
    const { stdout } = await command('compare', 'first', 'second', '--out', 'compared');
    expect(stdout.startsWith(`${await textOf('.comparison pre')}\n`)).toBe(true);
    holdSameResults(
      new Map([...unpacked(await saved(page, 'Save the comparison with its tables (confidential)'))].map(([path, bytes]) => [path, bytes])),
      at('compared', 'confidential'),
      /./,
    );
    await page.selectOption('#measure-utility', 'utility.figures.twoWayTotalVariation');
    await expect.poll(() => page.locator('.comparison').textContent()).toContain('--utility utility.figures.twoWayTotalVariation');
    await holdSeemly();
  });

  it('reassesses a run to the bytes of the command line', async () => {
    await press(page, 'Show first');
    await page.getByRole('heading', { name: 'The run first' }).waitFor();
    await page.fill('#scenarios', read('scenarios.yaml'));
    await press(page, 'Reassess');
    await page.waitForSelector('.results h2:not(:text-is("The run first")), [role=alert]:visible');
    await finished(page);
    const { code, stderr } = await synthrisk(directory, ['reassess', 'first', '--config', 'scenarios.yaml', '--out', 'reassessed']);
    expect([0, 4], stderr).toContain(code);
    holdSameResults(unpacked(await saved(page, SAVE_RUN)), at('reassessed'));
    await page.fill('#scenarios', 'model: { classes: 7 }');
    await press(page, 'Reassess');
    await page.waitForSelector('[role=alert]:visible');
    expect(await alert()).toContain('carried out with other settings of model.classes');
  });

  it('opens a run that assessed no risk, which has no report', async () => {
    await command('synthesize', 'table.csv', '--config', 'run.yaml', '--out', 'made');
    await choose(page, [archive('made.zip', packed(at('made'), 'made/'))]);
    await page.getByRole('heading', { name: 'The run made' }).waitFor();
    expect(await page.getByRole('button', { name: 'Open the report' }).filter({ visible: true }).count()).toBe(0);
    holdSameResults(unpacked(await saved(page, 'Save the synthetic datasets alone')), at('made'), /^release\//);
  });

  it('refuses what is no run, and what has been damaged', async () => {
    const refusals: [string, Uint8Array, string][] = [
      ['no.zip', new TextEncoder().encode('a,b\n1,2\n'), 'no.zip cannot be read as a ZIP archive'],
      ['empty.zip', packed(at('first'), '', /^release\//), 'empty.zip holds no run'],
      ['both.zip', packed(directory, '', /^(first|second)\/run\.json$/), 'both.zip holds several runs'],
    ];
    writtenFiles(at('damaged'), unpacked(packed(at('first'), 'first/')));
    writeFileSync(at('damaged', 'confidential', 'attribute-risk.csv'), 'combination\n');
    refusals.push(['damaged.zip', packed(at('damaged')), 'attribute-risk.csv is not the file that the manifest describes']);
    for (const [name, bytes, message] of refusals) {
      await choose(page, [archive(name, bytes)]);
      await expect.poll(alert, { message: name }).toContain(message);
    }
  });
});

describe('files that were made elsewhere', () => {
  it('assesses datasets to the bytes of the command line', async () => {
    const datasets = [1, 2].map((l) => at('first', 'release', `synthetic-${l}.csv`));
    await press(page, 'Evaluate or assess');
    await choose(page, [at('table.csv'), at('run.yaml'), at('release-key')]);
    await page.waitForSelector('#columns-heading');
    await choose(page, datasets, '#synthetic-files');
    await page.getByRole('button', { name: 'Assess', exact: true, disabled: false }).waitFor();
    await expect
      .poll(() => page.locator('pre:visible').first().textContent())
      .toBe('synthrisk assess table.csv --config run.yaml --synthetic synthetic-1.csv synthetic-2.csv --release-key release-key');
    await press(page, 'Assess');
    await finished(page);
    await command(
      'assess',
      'table.csv',
      '--config',
      'run.yaml',
      '--synthetic',
      ...datasets,
      '--release-key',
      'release-key',
      '--out',
      'assessed',
    );
    holdSameResults(unpacked(await saved(page, SAVE_RUN)), at('assessed'));
    await holdSeemly();
  });

  it('assesses the datasets of a run that was opened, from its draws, to the bytes of the command line', async () => {
    await press(page, 'Begin anew with another table');
    await choose(page, writtenFiles(directory, [['other.csv', smallTable({ records: 300 })]]));
    await page.waitForSelector('#columns-heading');
    await page.click('summary:has-text("or by an earlier run")');
    await page.selectOption('#of-run', { label: 'first' });
    await expect.poll(() => textOf('.refusal:visible')).toContain('The run in first is of another table.');
    await press(page, 'Begin anew with another table');
    await choose(page, [at('table.csv'), ...writtenFiles(directory, [['seed.yaml', 'seed: 3\n']])]);
    await page.waitForSelector('#columns-heading');
    await page.click('summary:has-text("or by an earlier run")');
    await page.selectOption('#of-run', { label: 'first' });
    await page.getByRole('button', { name: 'Assess', exact: true, disabled: false }).waitFor();
    await expect
      .poll(() => page.locator('pre:visible').first().textContent())
      .toBe('synthrisk assess table.csv --config run.yaml --run first');
    await press(page, 'Assess');
    await finished(page);
    await command('assess', 'table.csv', '--run', 'first', '--config', 'seed.yaml', '--out', 'of-run');
    holdSameResults(unpacked(await saved(page, SAVE_RUN)), at('of-run'));
  });

  it('assesses datasets of trees, by the settings that the R package of synthpop writes', async () => {
    const method = { region: 'cart', age: '', education: '', employment: 'cart', income: '' };
    const kept = ['age', 'education', 'income'];
    const predictors = { region: kept, employment: [...kept, 'region'] };
    const synthpop = { method, visitSequence: ['region', 'employment'], predictors, minbucket: 5, cp: 1e-8 };
    writtenFiles(directory, [
      ['synthpop.json', JSON.stringify(synthpop)],
      ['trees.yaml', stringify({ variables: { age: { type: 'continuous' }, income: { type: 'continuous' } } })],
    ]);
    const trees = ['--model', 'cart', '--synthesized', 'region,employment', '--datasets', '2', '--out', 'trees'];
    await command('synthesize', 'numbers.csv', '--config', 'trees.yaml', ...trees);
    const datasets = [1, 2].map((l) => at('trees', 'release', `synthetic-${l}.csv`));
    await press(page, 'Begin anew with another table');
    await choose(page, [at('numbers.csv'), at('trees.yaml'), at('synthpop.json'), at('release-key')]);
    await page.waitForSelector('#columns-heading');
    await choose(page, datasets, '#synthetic-files');
    await page.getByRole('button', { name: 'Assess', exact: true, disabled: false }).waitFor();
    await press(page, 'Assess');
    await finished(page);
    const files = ['--synthetic', ...datasets, '--synthpop', 'synthpop.json', '--release-key', 'release-key', '--out', 'of-trees'];
    await command('assess', 'numbers.csv', '--config', 'trees.yaml', ...files);
    holdSameResults(unpacked(await saved(page, SAVE_RUN)), at('of-trees'));
  });

  it('says of a release whether it is what was approved', async () => {
    await press(page, 'Check a release');
    const check = async (name: string, wanted: RegExp, said: string) => {
      await choose(page, [archive(name, packed(at('first'), 'first/', wanted))]);
      await expect
        .poll(() => page.locator('.verified, [role=alert]:visible').allTextContents(), { message: name })
        .toEqual([expect.stringContaining(said)]);
    };
    const released = /^(release\/|manifest\.json$)/;
    await check('open.zip', released, 'Nobody has approved them.');
    await command('release', 'first', '--approve', '--by', 'A. Officer');
    await check('approved.zip', released, 'The files are what was approved.');
    const { stdout } = await command('release', 'first');
    expect(await textOf('.verified pre')).toBe(stdout.trimEnd());
    await holdSeemly();
    // The same files one by one, as they come from a folder.
    const files = ['release/synthetic-1.csv', 'release/synthetic-2.csv', 'release/APPROVED.json', 'manifest.json'];
    const paths = files.map((path) => at('first', ...path.split('/')));
    await choose(page, paths);
    await expect.poll(() => textOf('.verified')).toContain('2 files as the manifest describes them');
    await choose(page, [paths[1]!, ...paths.slice(2), ...writtenFiles(at('changed'), [['synthetic-1.csv', 'a,b\n1,2\n']])]);
    await expect.poll(alert).toContain('release/synthetic-1.csv is not the file that the manifest describes');
    await choose(page, paths.slice(0, 3));
    await expect.poll(alert).toContain('There is no manifest.json among these files');
  });

  it.each([
    ['individual-ranking', { k: '4', aggregate: 'median', variables: 'income' }],
    ['noise', { noise: '0.2', sample: '0.5' }],
  ])('masks to the bytes of the command line: %s', async (method, settings) => {
    await press(page, 'Mask numbers');
    writtenFiles(directory, [['mask.yaml', 'variables: { age: { type: continuous }, income: { type: continuous } }\n']]);
    await page.selectOption('#mask-method', method);
    for (const [flag, value] of Object.entries(settings)) await page.fill(`#mask-${flag}`, value);
    // Files that arrive leave what is being typed as it is.
    await choose(page, [at('numbers.csv'), at('mask.yaml'), at('release-key')]);
    await page.getByText('· release-key').filter({ visible: true }).waitFor();
    await press(page, 'Mask');
    await page.locator('.masked, [role=alert]:visible').first().waitFor();
    const own = unpacked(await saved(page, 'Save everything of the masking (confidential, with the release key)'));
    const flags = Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, value]);
    const out = ['--config', 'mask.yaml', '--release-key', 'release-key', '--out', `masked-${method}`];
    await command('mask', 'numbers.csv', '--method', method, ...flags, ...out);
    holdSameResults(own, at(`masked-${method}`));
    await holdSeemly();
    for (const flag of Object.keys(settings)) await page.fill(`#mask-${flag}`, '');
  });
});

it('has asked nothing of a network, in all of this', () => holdQuiet(opened, browser.address));
