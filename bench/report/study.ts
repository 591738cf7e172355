/**
 * How long a report of 20,000 combinations takes in Chromium to open, to filter, to put in order and to show one of them,
 * beside a page with one table of them all, in the same run. Writes its table into docs/performance.md.
 *
 *     npm run bench:report [-- --json]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { renderReport } from '../../shared/report/render-report.ts';
import { CHROMIUM } from '../../test/browser/find-chromium.ts';
import { reportInput } from '../../test/report/fixture.ts';
import { detailsOf } from '../../test/report/records/details-fixture.ts';
import { insertTables, markdownTable } from '../pages/insert-tables.ts';
import { plainPage } from './plain-page.ts';

const COMBINATIONS = 20_000;
const REPEATS = 7;
const PAGE = 'docs/performance.md';

/** What is done on a page, in milliseconds until it is drawn. */
interface Times {
  readonly open: number;
  readonly filter: number;
  readonly sort: number | null;
  readonly view: number | null;
}

/** Runs an action in the page, and gives the time until the second frame after it: what it changed is drawn then. */
const timed = (page: Page, action: string): Promise<number> =>
  page.evaluate(
    `new Promise((done) => {
      const begin = performance.now();
      ${action};
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
    })`,
  );

const typed = (word: string) =>
  `const search = document.querySelector('input[type=search]'); search.value = '${word}'; search.dispatchEvent(new Event('input'))`;

async function measure(browser: Browser, address: string, isReport: boolean): Promise<Times> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(address);
  const open = await page.evaluate<number>(
    `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))`,
  );
  const filter = await timed(page, typed(isReport ? 'agep=3' : '3'));
  const sort = isReport
    ? await timed(page, `document.querySelectorAll('.records-table thead button')[3].click()`)
    : null;
  const view = isReport
    ? await timed(page, `document.querySelector('.records-table tbody a').click()`)
    : null;
  if (isReport && (await page.locator('dialog[open]').count()) !== 1)
    throw new Error('no combination was shown');
  await page.close();
  return { open, filter, sort, view };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Medians over repeats; null for what a page does not do. */
function medians(all: readonly Times[]): Times {
  const of = (name: keyof Times) =>
    all[0]![name] === null ? null : median(all.map((times) => times[name]!));
  return { open: of('open')!, filter: of('filter')!, sort: of('sort'), view: of('view') };
}

const input = reportInput(COMBINATIONS);
const pages = {
  report: await renderReport({ ...input, details: detailsOf(input.table!) }),
  plain: plainPage(input.table!),
};
const folder = mkdtempSync(join(tmpdir(), 'synthrisk-bench-'));
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const times: Record<keyof typeof pages, Times[]> = { report: [], plain: [] };
for (const [name, page] of Object.entries(pages)) writeFileSync(join(folder, `${name}.html`), page);
for (let repeat = 0; repeat < REPEATS; repeat++) {
  // In turn, so that both have the same share of whatever else the machine does.
  for (const name of ['report', 'plain'] as const) {
    const address = pathToFileURL(join(folder, `${name}.html`)).href;
    times[name].push(await measure(browser, address, name === 'report'));
  }
}
const version = browser.version();
await browser.close();
rmSync(folder, { recursive: true });

const found = { report: medians(times.report), plain: medians(times.plain) };
const megabytes = (page: string) => (Buffer.byteLength(page) / 1e6).toFixed(1);
const milliseconds = (time: number | null) => (time === null ? '' : String(Math.round(time)));
const table = markdownTable(
  ['page', 'size (MB)', 'opens (ms)', 'filters (ms)', 'sorts (ms)', 'shows one (ms)'],
  (['report', 'plain'] as const).map((name) => [
    name === 'report' ? 'the report' : 'one table of all rows',
    megabytes(pages[name]),
    ...[found[name].open, found[name].filter, found[name].sort, found[name].view].map(milliseconds),
  ]),
);
const when = `${new Date().toISOString().slice(0, 10)}, Chromium ${version}, ${cpus().length} cores, medians of ${REPEATS}.`;
writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), { report: `${table}\n\n${when}` }));
process.stdout.write(
  process.argv.includes('--json')
    ? `${JSON.stringify({ combinations: COMBINATIONS, ...found })}\n`
    : `${table}\n`,
);
