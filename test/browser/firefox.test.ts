import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { mixedTable, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
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
  SAVE_RELEASE,
  SAVE_RUN,
  unpacked,
  writtenFiles,
} from './used-page.ts';

const directory = temporaryFolder();
const at = (...path: string[]) => join(directory, ...path);

/** Runs a command that has to succeed. */
async function command(...args: string[]): Promise<void> {
  const { code, stderr } = await synthrisk(directory, args);
  expect(code, stderr).toBe(0);
}

// One page for all tests, which use it one after the other as a person would.
let browser: ReportBrowser;
let opened: OpenedPage;
let page: Page;

beforeAll(async () => {
  writtenFiles(directory, [
    ['table.csv', smallTable()],
    ['numbers.csv', mixedTable()],
    ['run.yaml', stringify(SMALL_SETTINGS)],
    ['mask.yaml', 'variables: { age: { type: continuous }, income: { type: continuous } }\n'],
    ['scenarios.yaml', 'attributeRisk: { candidates: { unknown: [education] }, prior: model }\n'],
    ['release-key', encodeKey(testKey(2))],
  ]);
  await command('evaluate', 'table.csv', '--config', 'run.yaml', '--release-key', 'release-key', '--out', 'first');
  browser = await ReportBrowser.start(readFileSync(PAGE_FILE, 'utf8'), 'firefox');
  opened = await browser.open();
  page = opened.page;
});
afterAll(() => browser?.stop());

/** Types a text in place of what is there: of what is only put there Firefox tells the page nothing. */
async function type(place: string, text: string): Promise<void> {
  await page.click(place);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** What a button saves, which Firefox puts into the folder of the page. */
async function saved(button: string): Promise<Uint8Array> {
  const before = readdirSync(browser.folder);
  await press(page, button);
  const file = () => readdirSync(browser.folder).find((name) => name.endsWith('.zip') && !before.includes(name));
  // It has its name before it has its bytes, which come all at once.
  await expect.poll(() => file() !== undefined && statSync(join(browser.folder, file()!)).size > 0).toBe(true);
  return readFileSync(join(browser.folder, file()!));
}

it('plans and evaluates to the bytes of the command line', async () => {
  await choose(page, [at('table.csv'), at('run.yaml'), at('release-key')]);
  await page.waitForSelector('#columns-heading');
  await press(page, 'How long will it take?');
  await page.waitForSelector('text=MiB of memory');
  await press(page, 'Evaluate');
  await finished(page);
  holdSameResults(unpacked(await saved(SAVE_RUN)), at('first'));
  await press(page, 'Open the report');
  await expect.poll(() => page.frameLocator('iframe').locator('h1').textContent()).toContain('Disclosure risk');
  await press(page, 'Close the report');
});

it('opens, compares and reassesses runs', async () => {
  await command('evaluate', 'table.csv', '--config', 'run.yaml', '--seed', '2', '--out', 'second');
  await press(page, 'Open and compare runs');
  await choose(
    page,
    writtenFiles(directory, [
      ['first.zip', packed(at('first'), 'first/')],
      ['second.zip', packed(at('second'))],
    ]),
  );
  await page.getByRole('heading', { name: 'The run second' }).waitFor();
  await press(page, 'Compare these runs');
  await page.waitForSelector('.comparison');
  expect(await axeViolations(page)).toEqual([]);
  await press(page, 'Show first');
  await page.getByRole('heading', { name: 'The run first' }).waitFor();
  await type('#scenarios', readFileSync(at('scenarios.yaml'), 'utf8').trim());
  await press(page, 'Reassess');
  await page.locator('.results:visible h2:not(:text-is("The run first"))').waitFor();
  await command('reassess', 'first', '--config', 'scenarios.yaml', '--out', 'reassessed');
  holdSameResults(unpacked(await saved(SAVE_RUN)), at('reassessed'));
});

it('assesses datasets that were made elsewhere, and shows the histogram of a number', async () => {
  await press(page, 'Evaluate or assess');
  await press(page, 'Begin anew with another table');
  await choose(page, [at('table.csv'), at('run.yaml')]);
  await page.waitForSelector('#columns-heading');
  await choose(
    page,
    [1, 2].map((l) => at('first', 'release', `synthetic-${l}.csv`)),
    '#synthetic-files',
  );
  await page.getByRole('button', { name: 'Assess', exact: true, disabled: false }).waitFor();
  await press(page, 'Assess');
  await finished(page);
  await press(page, 'Begin anew with another table');
  await choose(page, [at('numbers.csv'), at('mask.yaml')]);
  await page.getByRole('img', { name: /^Histogram of age/ }).waitFor();
});

it('says of a release whether it is what was approved', async () => {
  await command('release', 'first', '--approve', '--by', 'A. Officer');
  await press(page, 'Check a release');
  await choose(page, writtenFiles(directory, [['approved.zip', packed(at('first'), '', /^(release\/|manifest\.json$)/)]]));
  await expect.poll(() => page.locator('.verified').textContent()).toContain('The files are what was approved.');
});

it('masks numbers to the bytes of the command line', async () => {
  await press(page, 'Mask numbers');
  await choose(page, [at('numbers.csv'), at('mask.yaml'), at('release-key')]);
  await page.selectOption('#mask-method', 'noise');
  await type('#mask-noise', '0.2');
  await press(page, 'Mask');
  await page.locator('.masked, [role=alert]:visible').first().waitFor();
  expect(await page.locator('[role=alert]:visible').allTextContents()).toEqual([]);
  await command(
    'mask',
    'numbers.csv',
    '--method',
    'noise',
    '--noise',
    '0.2',
    '--config',
    'mask.yaml',
    '--release-key',
    'release-key',
    '--out',
    'masked',
  );
  holdSameResults(unpacked(await saved('Save everything of the masking (confidential, with the release key)')), at('masked'));
});

it('has asked nothing of a network and complained of nothing, in all of this', () => holdQuiet(opened, browser.address));

it('keeps a run among private files, encrypted, and goes on with it after the page was closed', async () => {
  writtenFiles(directory, [['kept.yaml', stringify({ ...SMALL_SETTINGS, utility: 'off' })]]);
  const begin = async (passphrase: string) => {
    await choose(page, [at('table.csv'), at('kept.yaml'), at('release-key')]);
    await page.waitForSelector('#columns-heading');
    await page.locator('summary', { hasText: 'Keep the run' }).waitFor();
    if (!(await page.locator('#passphrase').isVisible())) await page.click('summary:has-text("Keep the run")');
    await type('#passphrase', passphrase);
    await press(page, 'Evaluate');
  };
  /** The files that were kept, by what they are called. */
  const kept = () =>
    page.evaluate(async () => {
      const files: Record<string, string> = {};
      for await (const [folder, handle] of await navigator.storage.getDirectory()) {
        if (folder !== 'synthrisk') continue;
        for await (const file of (handle as FileSystemDirectoryHandle).values()) {
          files[file.name] = await (await (file as FileSystemFileHandle).getFile()).text();
        }
      }
      return files;
    });
  /** Files of chains that are whole, which are two each: one that was never closed is empty. */
  const ofWholeChains = (files: Readonly<Record<string, string>>) => {
    const chainOf = (name: string) => /^(.*draws.*?)(-classes)?\.np[yz]$/.exec(name)?.[1];
    const names = Object.keys(files).filter((name) => chainOf(name) !== undefined && files[name] !== '');
    return names.filter((name) => names.filter((other) => chainOf(other) === chainOf(name)).length === 2);
  };
  const fresh = await browser.open();
  page = fresh.page;
  await begin('four words of nobody');
  await expect.poll(async () => ofWholeChains(await kept()).length).toBeGreaterThan(0);
  // A page that dies in the middle of its work, with nobody asked.
  const context = page.context();
  await page.close();
  page = await context.newPage();
  await page.goto(browser.address);
  await begin('another');
  await expect.poll(() => page.locator('[role=alert]:visible').allTextContents()).toEqual([expect.stringContaining('another passphrase')]);
  await page.reload();
  const before = await kept();
  await begin('four words of nobody');
  await finished(page);
  const own = unpacked(await saved(SAVE_RUN));
  await command('evaluate', 'table.csv', '--config', 'kept.yaml', '--release-key', 'release-key', '--out', 'kept');
  holdSameResults(own, at('kept'));
  // What had been finished was not done again, and nothing can be read without the passphrase.
  const after = await kept();
  const draws = ofWholeChains(before);
  expect(draws.map((name) => after[name] === before[name])).toEqual(draws.map(() => true));
  expect(Object.values(after).join()).not.toMatch(/North|runId|region/);
  expect(Object.values(after).join()).not.toContain(readFileSync(at('release-key'), 'latin1').trim());
  // What cannot be saved any more is not left without a word.
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('synthrisk');
    for await (const name of folder.keys()) if (/^runs%2F\w+%2Fmanifest\.json$/.test(name)) await folder.removeEntry(name);
  });
  await press(page, SAVE_RELEASE);
  await expect.poll(() => page.locator('[role=alert]:visible').allTextContents()).toEqual([expect.stringContaining('manifest.json')]);
  await press(page, 'Clear what was kept');
  await expect.poll(kept).toEqual({});
  // The run has gone with them.
  await expect.poll(() => page.locator('.results').count()).toBe(0);
  holdQuiet(fresh, browser.address);
});
