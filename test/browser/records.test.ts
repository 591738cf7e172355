import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderReport } from '../../shared/report/render-report.ts';
import { reportInput } from '../report/fixture.ts';
import { detailsOf, incomeDensities, incomeRows } from '../report/records/details-fixture.ts';
import { type OpenedPage, ReportBrowser } from './opened-report.ts';

const input = reportInput();
const table = input.table!;
const { columns, variables } = table;
const rows = [...columns.combination.keys()];

let browser: ReportBrowser;
let opened: OpenedPage;
let page: Page;

beforeAll(async () => {
  browser = await ReportBrowser.start(
    await renderReport({ ...input, continuous: incomeRows(table.rows), details: { ...detailsOf(table), densities: [incomeDensities()] } }),
  );
});

afterAll(async () => browser?.stop());

const control = (label: string) => page.locator('.records-form').getByLabel(label, { exact: true });
const status = () => page.locator('.records-status').innerText();
/** Numbers of the rows that the table shows, in their order. */
const shown = async () => (await page.locator('.records-table tbody th').allInnerTexts()).map((text) => Number(text.replaceAll(',', '')));
const numbers = (some: readonly number[]) => some.map((row) => columns.combination[row]!);
const byRatio = (some: readonly number[]) => some.toSorted((a, b) => columns.ratio_to_uniform[b]! - columns.ratio_to_uniform[a]! || a - b);
const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

async function open(hash = '', options = {}) {
  await page?.context().close();
  opened = await browser.open(options, hash);
  page = opened.page;
}

describe('all records in Chromium', () => {
  it('are there in pages, those most at risk first, without a message or a request', async () => {
    await open();
    expect(await status()).toMatch(/^400 of 400\u00a0combinations, [\d,]+\u00a0records$/);
    expect(await shown()).toEqual(numbers(byRatio(rows).slice(0, 50)));
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await shown()).toEqual(numbers(byRatio(rows).slice(50, 100)));
    await page.getByRole('button', { name: 'Last' }).click();
    expect(await shown()).toEqual(numbers(byRatio(rows).slice(350)));
    expect(opened.messages).toEqual([]);
    expect(opened.requests).toEqual([browser.address]);
  });

  it('are found by words, by values and by number', async () => {
    await open();
    const [first, second] = variables as [(typeof variables)[number], (typeof variables)[number]];
    const found = rows.filter((row) => first.text(row) === '1' && second.text(row) === '3');
    await control('Search').fill(`${first.name}=1 ${second.name.toLowerCase()}="3"`);
    expect(await status()).toContain(`${found.length} of 400`);
    expect(await shown()).toEqual(numbers(byRatio(found).slice(0, 50)));
    await control('Search').fill('#143');
    expect(await shown()).toEqual([143]);
    await control('Search').fill('no such value');
    expect(await status()).toContain('0 of 400');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(status).toContain('400 of 400');
  });

  it('are filtered by what they are, by a value and by probability', async () => {
    await open();
    await control('Show').selectOption('Of one record alone');
    await control('Variable').selectOption('RACE1P');
    await control('Value').selectOption('4');
    await control('Probability at least').fill('0.03');
    const race = variables.find(({ name }) => name === 'RACE1P')!;
    const found = rows.filter((row) => columns.count[row] === 1 && race.text(row) === '4' && columns.probability[row]! >= 0.03);
    expect(found.length).toBeGreaterThan(0);
    expect(await status()).toContain(`${found.length} of 400`);
    expect(await shown()).toEqual(numbers(byRatio(found)));
  });

  it('are put in order by a column, which says so', async () => {
    await open();
    const head = page.locator('.records-table thead th', { hasText: 'Bits' });
    expect(await head.getAttribute('aria-sort')).toBe('none');
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    const bits = (row: number) => Number(columns.information_bits[row]!.toPrecision(3));
    const descending = byRatio(rows).toSorted((a, b) => bits(b) - bits(a));
    expect(await shown()).toEqual(numbers(descending.slice(0, 50)));
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    const ascending = byRatio(rows).toSorted((a, b) => bits(a) - bits(b));
    expect(await shown()).toEqual(numbers(ascending.slice(0, 50)));
    expect(await page.locator('.records-table th[aria-sort="ascending"]').count()).toBe(1);
  });

  it('are searched, opened and left by keyboard, and the focus comes back', async () => {
    await open();
    await control('Search').focus();
    await page.keyboard.type('SEX=1');
    const [first, second] = await shown();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe(String(second));
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor();
    expect(await focused()).toBe(`Combination ${second}`);
    expect(page.url()).toBe(`${browser.address}#record=${second}`);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(focused).toBe(`Combination ${first}`);
    // Tab stays within the view.
    for (let i = 0; i < 12; i++) await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('table.records-table'))).toBeNull();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe(String(first));
    expect(page.url()).toBe(browser.address);
  });

  it('have an address each, and a way back', async () => {
    await open('#record=143');
    const title = page.locator('#record-title');
    expect(await title.innerText()).toBe('Combination 143');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'hidden' });
    expect(page.url()).toBe(`${browser.address}#records`);
    await expect.poll(focused).toBe('143');
    const link = page.locator('.records-table tbody a').first();
    const number = await link.innerText();
    await link.click();
    await expect.poll(() => title.innerText()).toBe(`Combination ${number}`);
    await page.goBack();
    await page.locator('dialog').waitFor({ state: 'hidden' });
    await page.goForward();
    await page.locator('dialog[open]').waitFor();
    expect(await title.innerText()).toBe(`Combination ${number}`);
    await open('#record=4711');
    expect(await page.locator('#record-title').innerText()).toBe('No combination 4,711');
    expect(opened.messages).toEqual([]);
  });

  it('are opened from the table of those most at risk, to which the focus comes back', async () => {
    await open();
    await page.locator('#riskiest summary').first().click();
    const link = page.locator('table.riskiest a').nth(2);
    const number = await link.innerText();
    await link.click();
    await expect.poll(() => page.locator('#record-title').innerText()).toBe(`Combination ${number}`);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.closest('table.riskiest') !== null)).toBe(true);
    expect(await focused()).toBe(number);
  });

  it('show what their tables hold: candidates, values, other intruders and marked charts', async () => {
    await open('#record=1');
    const view = page.locator('dialog');
    const own = detailsOf(table).candidates!(0);
    const candidates = view.locator('table', { hasText: 'likeliest of' }).locator('tbody tr');
    expect(await candidates.count()).toBe(own.length);
    const truth = own.findIndex(({ changes }) => changes.length === 0);
    expect(await candidates.nth(truth).innerText()).toContain('the truth');
    const other = own.findIndex(({ changes }) => changes[0]?.value === 'other 0');
    expect(await candidates.nth(other).innerText()).toContain(String(Number(own[other]!.after.toPrecision(3))));
    expect(await view.locator('table', { hasText: 'true value of each' }).innerText()).toContain('Married');
    expect(await view.locator('table', { hasText: 'Other intruders' }).innerText()).toContain('has all of its records');
    expect(await view.locator('figure svg').count()).toBe(6);
    expect(await view.locator('figure svg[aria-label]').first().getAttribute('aria-label')).toMatch(/this combination at/);
  });

  it('show what is believed of a number: two curves, masses, intervals and the true value', async () => {
    // 481 = 13 * 37: the value of record 14.
    await open('#record=14');
    const figure = page.locator('dialog .densities figure');
    expect(await figure.locator('figcaption').innerText()).toBe('INCOME OF HOUSEHOLD = \u2212519');
    const picture = figure.getByRole('img', { name: 'INCOME OF HOUSEHOLD before the release and after it' });
    expect(await picture.locator('desc').textContent()).toMatch(
      /^The true value is \u2212519\. The probability within 10 % of it is 0\.100 before/,
    );
    const across = async (selector: string) => {
      const { x, width } = (await picture.locator(selector).boundingBox())!;
      return x + width / 2;
    };
    // The truth is at its share of the axis: left of the middle, by 519 of 1,000.
    const [from, to] = await picture
      .locator('path[fill="none"]')
      .last()
      .evaluate((path) => {
        const box = path.getBoundingClientRect();
        return [box.left, box.right] as const;
      });
    expect(await across('path[fill="var(--ink)"]')).toBeCloseTo(from + (to - from) * 0.2405, -0.5);
    expect(await picture.locator('rect').count()).toBe(4);
    const rows = await figure.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Probability within 10 %', '0.100', '0.2500\u00a0±\u00a00.0040'],
      ['Probability of 0', '0.150', '0.150'],
      ['Probability of 2,000', '0.0500', '0.0500'],
      ['Median', '\u221220', '\u2212504'],
      ['90\u00a0% interval', '\u2212800 to 850', '\u2212819 to \u2212219'],
      ['Gain at the truth, bits', '', '0.250'],
      ['Gain claimed, bits', '', '0.210'],
    ]);
  });

  it('are said to be in the files where the page has no scripts, and not at all on paper', async () => {
    await open('', { javaScriptEnabled: false });
    const section = page.locator('#records');
    expect(await section.innerText()).toContain('attribute-risk.csv has a row for each combination');
    expect(await section.locator('.records-tool').isVisible()).toBe(false);
    expect(await page.locator('#riskiest').isVisible()).toBe(true);
  });
});
