import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { CATEGORY_TREE_SETTINGS, COUNT_SETTINGS, MIXED_SETTINGS, mixedTable, SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { testKey } from '../test-keys.ts';
import { axeViolations, ReportBrowser } from './opened-report.ts';
import {
  choose,
  finished,
  holdQuiet,
  holdSameResults,
  PAGE_FILE,
  press,
  SAVE_RELEASE,
  SAVE_RUN,
  saved,
  unpacked,
  writtenFiles,
} from './used-page.ts';

const MOST_BYTES = 6e6;

const directory = temporaryFolder();
const key = join(directory, 'release-key');
writeFileSync(key, encodeKey(testKey(2)));

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await ReportBrowser.start(readFileSync(PAGE_FILE, 'utf8'));
});
afterAll(() => browser?.stop());

/** Files of a test in a folder of their own, by their names. */
const written = (name: string, files: Readonly<Record<string, Uint8Array | string>>): string[] =>
  writtenFiles(join(directory, name), Object.entries(files));

const RUNS = {
  dpmpm: { settings: SMALL_SETTINGS, table: smallTable(), jobs: 2 },
  'dpmpm in one thread': { settings: { ...SMALL_SETTINGS, attributeRisk: { candidates: 'all-cells' } }, table: smallTable(), jobs: 1 },
  mixed: { settings: MIXED_SETTINGS, table: mixedTable(), jobs: 2 },
  cart: { settings: CATEGORY_TREE_SETTINGS, table: mixedTable(), jobs: 2 },
  counts: { settings: COUNT_SETTINGS, table: smallTable(), jobs: 2 },
  'dp-areal': {
    settings: { model: { name: 'dp-areal', clusters: 6 }, mcmc: SMALL_SETTINGS.mcmc, synthesis: { datasets: 2, synthesized: ['region'] } },
    table: smallTable(),
    jobs: 2,
  },
} as const;

describe('the page in Chromium, from a disk', () => {
  it('is one file of a few megabytes', () => {
    expect(statSync(PAGE_FILE).size).toBeLessThan(MOST_BYTES);
    expect(readFileSync(PAGE_FILE, 'utf8')).toContain(`connect-src 'none'`);
  });

  it.each(Object.entries(RUNS))('evaluates to the bytes of the command line: %s', async (name, { settings, table, jobs }) => {
    const files = written(name, { 'table.csv': table, 'run.yaml': stringify({ table: 'table.csv', ...settings }) });
    const opened = await browser.open();
    const { page } = opened;
    await choose(page, [...files, key]);
    await page.waitForSelector('#columns-heading');
    await page.fill('#jobs', String(jobs));
    await press(page, 'Evaluate');
    await finished(page);
    const ofPage = unpacked(await saved(page, SAVE_RUN));
    const released = unpacked(await saved(page, SAVE_RELEASE));
    holdQuiet(opened, browser.address);
    await page.context().close();

    const out = join(directory, name, 'out');
    const args = ['evaluate', '--config', files[1]!, '--release-key', key, '--out', out, '--quiet'];
    const { code, stderr } = await synthrisk(directory, args, { keys: 'its-own' });
    expect(code, stderr).toBe(0);
    holdSameResults(ofPage, out);
    holdSameResults(released, out, /^release\//);
    expect([...released.keys()].filter((path) => !path.startsWith('release/')).sort()).toEqual(['manifest.json', 'run.json']);
    expect(Buffer.from(ofPage.get('confidential/release-key')!)).toEqual(readFileSync(key));
    // The folder that was saved is one of the command line's.
    const folder = join(directory, name, 'saved');
    writtenFiles(folder, ofPage);
    const report = await synthrisk(directory, ['report', folder]);
    expect(report.code, report.stderr).toBe(0);
  });

  it('goes on with a run that was paused and then ended, to the same bytes', async () => {
    const settings = { ...SMALL_SETTINGS, mcmc: { ...SMALL_SETTINGS.mcmc, burnIn: 3000 }, utility: 'off' };
    const files = written('ended', {
      'table.csv': smallTable({ records: 300 }),
      'run.yaml': stringify({ table: 'table.csv', ...settings }),
    });
    const opened = await browser.open();
    const { page } = opened;
    await choose(page, [...files, key]);
    await page.waitForSelector('#columns-heading');
    await press(page, 'Evaluate');
    await page.waitForSelector('progress');
    // A run under way is not lost by a slip: the browser asks, and the answer was to stay.
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => opened.dialogs).toEqual(['beforeunload']);
    await press(page, 'Pause');
    // What is at work ends, and then nothing moves until the run goes on.
    const done = () => page.locator('progress').getAttribute('value');
    await expect.poll(async () => (await done()) === (await page.waitForTimeout(1500).then(done))).toBe(true);
    expect(await page.locator('.results').count()).toBe(0);
    const before = await page.locator('[for=running]').textContent();
    expect(before).toContain('paused');
    await press(page, 'Go on');
    await expect.poll(() => page.locator('[for=running]').textContent()).not.toBe(before);
    await press(page, 'End the run');
    expect(await page.locator('[role=alert]').textContent()).toContain('evaluate again to go on');
    await press(page, 'Evaluate');
    await finished(page);
    const datasets = unpacked(await saved(page, SAVE_RELEASE));
    await page.context().close();
    const out = join(directory, 'ended', 'out');
    const { code } = await synthrisk(directory, ['evaluate', '--config', files[1]!, '--release-key', key, '--out', out, '--quiet'], {
      keys: 'its-own',
    });
    expect(code).toBe(0);
    holdSameResults(datasets, out, /^release\//);
  });

  it('refuses as the terminal does, suggests what to decide, and evaluates what a person has decided', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i},${20 + (i % 60)},${i % 2 ? 'f' : 'm'},${i % 7 ? '1' : '-9'}`);
    const [broken, odd] = written('odd', { 'broken.csv': 'a,b\n1,2\n3\n', 'odd.csv': `id,age,sex,rooms\n${rows.join('\n')}\n` });
    const opened = await browser.open();
    const { page } = opened;
    await choose(page, [broken!]);
    await page.waitForSelector('[role=alert]');
    expect(await page.locator('[role=alert]').textContent()).toContain('row 2: expected 2 fields, as in the header, found 1');
    await page.reload();
    // With a key, since the verdict on so few records with two datasets is a matter of chance.
    await choose(page, [odd!, key]);
    await page.waitForSelector('#columns-heading');
    await press(page, 'take what is suggested');
    await expect.poll(() => page.inputValue('#settings-text')).toContain('drop: true');
    // Ages are from 20 to 79, and the bands that were suggested stand in their histogram.
    const histogram = page.getByRole('img', { name: 'Histogram of age, from 20 to 80: most records from 20 to 22' });
    await expect.poll(() => histogram.locator('line').count()).toBeGreaterThan(2);
    await page.getByText('The run is held in memory.').waitFor();
    await page.fill('#datasets', '2');
    await page.locator('#datasets').blur();
    await page.selectOption('#choice-precision', 'quick');
    await expect.poll(() => page.inputValue('#settings-text')).toContain('datasets: 2');
    // Each setting with its meaning, and rules a line each.
    await page.click('summary:has-text("Every setting")');
    await page.fill('#meanings-wanted', 'burnin');
    await expect.poll(() => page.locator('details[open] tbody tr').allTextContents()).toEqual([expect.stringContaining('mcmc.burnIn')]);
    expect(await axeViolations(page)).toEqual([]);
    await page.fill('#acceptance', ' attributeRisk.gainBitsMean <= 9\n\nutility.figures.twoWayTotalVariation <= 1\n');
    await page.locator('#acceptance').blur();
    await expect
      .poll(() => page.inputValue('#acceptance'))
      .toBe('attributeRisk.gainBitsMean <= 9\nutility.figures.twoWayTotalVariation <= 1');
    await page.getByRole('button', { name: 'Evaluate', exact: true, disabled: false }).waitFor();
    await press(page, 'How long will it take?');
    await page.waitForSelector('text=MiB of memory');
    await press(page, 'Evaluate');
    await finished(page);
    expect(await page.locator('.verdict').textContent()).toContain('All 2\u00a0acceptance rules are met.');
    await press(page, 'Open the report');
    const report = page.frameLocator('iframe');
    await expect.poll(() => report.locator('h1').textContent()).toContain('Disclosure risk');
    holdQuiet(opened, browser.address);
    await page.context().close();
  });

  it('names what a browser lacks', async () => {
    const { page } = await browser.open();
    await page.addInitScript(() => {
      for (const name of ['Worker', 'WebAssembly']) Reflect.deleteProperty(globalThis, name);
    });
    await page.reload();
    expect(await page.textContent('#app')).toContain('This browser lacks threads (Web Workers), WebAssembly. A current Chromium');
    await page.context().close();
  });

  it('is used by keyboard alone, has no violation of axe and does not scroll sideways, in light and in dark', async () => {
    const { page } = await browser.open();
    const hold = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await axeViolations(page)).toEqual([]);
      }
      for (const width of [400, 1280, 3840]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    };
    await hold();
    await choose(page, written('keys', { 'table.csv': smallTable(), 'run.yaml': stringify({ ...SMALL_SETTINGS, utility: 'off' }) }));
    await page.waitForSelector('#columns-heading');
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(() => document.activeElement?.textContent)) === 'Evaluate') break;
    }
    await page.keyboard.press('Enter');
    await finished(page);
    await hold();
    await page.context().close();
  });
});
