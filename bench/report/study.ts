/**
 * How long a report of 20,000 combinations takes in Chromium to open, to filter, to put in order and to show one of them,
 * beside a page with one table of them all, in the same run.
 *
 *     npm run bench:report [-- --json]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { Browser, Page } from 'playwright-core';
import { markdownTable } from '../../scripts/pages/insert-tables.ts';
import { runSynthrisk } from '../commands/run-synthrisk.ts';
import { LAUNCH } from './browsers.ts';
import { plainPage } from './plain-page.ts';
import { wideTable } from './wide-table.ts';

const COMBINATIONS = 20_000;
const REPEATS = 7;

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
  const sort = isReport ? await timed(page, `document.querySelectorAll('.records-table thead button')[3].click()`) : null;
  const view = isReport ? await timed(page, `document.querySelector('.records-table tbody a').click()`) : null;
  if (isReport && (await page.locator('dialog[open]').count()) !== 1) throw new Error('no combination was shown');
  await page.close();
  return { open, filter, sort, view };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Medians over repeats; null for what a page does not do. */
function medians(all: readonly Times[]): Times {
  const of = (name: keyof Times) => (all[0]![name] === null ? null : median(all.map((times) => times[name]!)));
  return { open: of('open')!, filter: of('filter')!, sort: of('sort'), view: of('view') };
}

/** Columns of attribute-risk.csv that the table of the report shows too, beside the variables. */
const SHOWN = [
  ...['combination', 'count', 'prior_probability', 'probability', 'probability_se', 'ratio_to_uniform'],
  ...['rank', 'rank_low', 'rank_high', 'information_bits', 'first_guess_variable', 'first_guess_value'],
];

/** The rows of attribute-risk.csv as a plain page has them, numbers cut to what a person reads. */
function plainRows(csv: string, variables: readonly string[]): string[][] {
  const [header, ...rows] = parse(csv) as [string[], ...string[][]];
  const columns = [...SHOWN, ...variables].map((name) => header.indexOf(name));
  return [header, ...rows].map((row) => columns.map((column) => row[column]!.slice(0, 8)));
}

const folder = mkdtempSync(join(tmpdir(), 'synthrisk-bench-'));
const { csv, config } = wideTable(COMBINATIONS);
writeFileSync(join(folder, 'table.csv'), csv);
writeFileSync(join(folder, 'run.yaml'), config);
const out = join(folder, 'run');
await runSynthrisk(['evaluate', '--config', join(folder, 'run.yaml'), '--no-utility', '--out', out]);
const read = (file: string) => readFileSync(join(out, 'confidential', file), 'utf8');
const pages = { report: read('report.html'), plain: plainPage(plainRows(read('attribute-risk.csv'), csv.split('\n', 1)[0]!.split(','))) };
const browser = await LAUNCH.chromium();
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
process.stdout.write(
  process.argv.includes('--json') ? `${JSON.stringify({ combinations: COMBINATIONS, ...found })}\n` : `${table}\n\n${when}\n`,
);
