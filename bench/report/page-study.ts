/**
 * How long an evaluation takes in the page, from the button to the results, and the memory of its browser, beside the command
 * line under the same settings and release key, by turns; ends with an error unless both leave the same release. Writes its
 * table into docs/explanation/performance.md; other tables are named.
 *
 *     npm run bench:page [-- TABLE.csv ...]
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { householdTable } from '../../examples/household-table.ts';
import { insertTables, markdownTable } from '../../scripts/pages/insert-tables.ts';
import { runSynthrisk } from '../commands/run-synthrisk.ts';
import { LAUNCH } from './browsers.ts';

const REPEATS = 3;
const JOBS = 2;
const LONGEST = 20 * 60_000;
const PAGE = 'docs/explanation/performance.md';
const PAGE_FILE = fileURLToPath(new URL('./synthrisk.html', import.meta.url));

type BrowserName = keyof typeof LAUNCH;

/** Seconds and the most memory (MiB) of an evaluation. */
interface Cost {
  readonly seconds: number;
  readonly memory: number;
}

/** A file about a process, empty if that ended meanwhile. */
function aboutProcess(id: string, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return '';
    throw error;
  }
}

/** Memory of all processes below this one now, what several share counted once (MiB). */
function memoryBelow(): number {
  const own = String(process.pid);
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(ids.map((id) => [id, /^PPid:\s+(\d+)/m.exec(aboutProcess(id, 'status'))?.[1]]));
  const isBelow = (parent: string | undefined): boolean => parent === own || (parent !== undefined && isBelow(parents.get(parent)));
  const below = ids.filter((id) => isBelow(parents.get(id)));
  const sizes = below.map((id) => Number(/^Pss:\s+(\d+)/m.exec(aboutProcess(id, 'smaps_rollup'))?.[1] ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** What some work costs. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, memoryBelow());
  }, 250);
  const begin = performance.now();
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return { seconds: (performance.now() - begin) / 1000, memory: Math.max(most, memoryBelow()) };
}

/** What a button saves: Chromium gives it to whoever drives it, Firefox puts it into its folder, where it comes all at once. */
async function saved(page: Page, name: BrowserName, folder: string): Promise<Uint8Array> {
  const press = () => page.getByRole('button', { name: 'Save the synthetic datasets alone', exact: true }).click();
  if (name === 'chromium') {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    return readFileSync(await download.path());
  }
  await press();
  for (;;) {
    await page.waitForTimeout(200);
    const zip = readdirSync(folder).find((file) => file.endsWith('.zip'));
    if (!zip || statSync(join(folder, zip)).size === 0) continue;
    const bytes = readFileSync(join(folder, zip));
    rmSync(join(folder, zip));
    return bytes;
  }
}

/** Evaluates in a window of its own; gives the cost and the files of the release, by their paths. */
async function inPage(name: BrowserName, files: readonly string[]): Promise<{ cost: Cost; release: Map<string, Uint8Array> }> {
  const context = await browsers[name].newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST);
  await page.goto(pathToFileURL(PAGE_FILE).href);
  await page.locator('input[type=file]:visible').first().setInputFiles(files);
  await page.waitForSelector('#columns-heading');
  // Of what is only put there Firefox tells the page nothing.
  await page.click('#jobs');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(String(JOBS));
  const cost = await costOf(async () => {
    await page.getByRole('button', { name: 'Evaluate', exact: true }).locator('visible=true').click();
    const end = page.locator('.results:visible, [role=alert]:visible').first();
    await end.waitFor();
    if ((await end.getAttribute('role')) === 'alert') throw new Error(`the page refused: ${await end.textContent()}`);
  });
  const release = unzipSync(await saved(page, name, folder));
  await context.close();
  return { cost, release: new Map(Object.entries(release).map(([path, bytes]) => [path.slice(path.indexOf('/') + 1), bytes])) };
}

/** Ends with an error unless the release of the page is that of the folder. */
function holdSameRelease(release: ReadonlyMap<string, Uint8Array>, folder: string): void {
  for (const name of readdirSync(join(folder, 'release'))) {
    const own = release.get(`release/${name}`);
    if (!own || Buffer.compare(own, readFileSync(join(folder, 'release', name)))) throw new Error(`release/${name} differs`);
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const folder = mkdtempSync(join(tmpdir(), 'synthrisk-bench-'));
const named = process.argv.slice(2);
writeFileSync(join(folder, 'household.csv'), householdTable(1));
const tables = [join(folder, 'household.csv'), ...named];
const browsers = { chromium: await LAUNCH.chromium(), firefox: await LAUNCH.firefox(folder) };
const idle = memoryBelow();
const rows: string[][] = [];
for (const table of tables) {
  const config = join(folder, 'run.yaml');
  writeFileSync(config, `table: ${JSON.stringify(table)}\n`);
  const costs = { terminal: [] as Cost[], chromium: [] as Cost[], firefox: [] as Cost[] };
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    // By turns, so that each has the same share of the machine's other work.
    const out = join(folder, `${basename(table)}-${repeat}`);
    mkdirSync(out);
    const args = ['evaluate', '--config', config, '--jobs', String(JOBS), '--out', join(out, 'run')];
    costs.terminal.push(await costOf(() => runSynthrisk(args)));
    for (const name of ['chromium', 'firefox'] as const) {
      const { cost, release } = await inPage(name, [table, config, join(out, 'run', 'confidential', 'release-key')]);
      holdSameRelease(release, join(out, 'run'));
      costs[name].push(cost);
    }
  }
  const of = (name: keyof typeof costs, what: keyof Cost) => median(costs[name].map((cost) => cost[what]));
  const ratio = (name: keyof typeof costs) => (of(name, 'seconds') / of('terminal', 'seconds')).toFixed(2);
  rows.push([
    basename(table),
    ...(['terminal', 'chromium', 'firefox'] as const).map((name) => of(name, 'seconds').toFixed(1)),
    ...(['chromium', 'firefox'] as const).map(ratio),
    ...[of('terminal', 'memory') - idle, of('chromium', 'memory') - idle, of('firefox', 'memory') - idle].map((size) => size.toFixed(0)),
  ]);
}
const versions = `Chromium ${browsers.chromium.version()}, Firefox ${browsers.firefox.version()}`;
await Promise.all(Object.values(browsers).map((browser) => browser.close()));
rmSync(folder, { recursive: true });

const found = markdownTable(
  ['table', 'terminal (s)', 'Chromium (s)', 'Firefox (s)', 'Chromium, ratio', 'Firefox, ratio', 'terminal (MiB)', 'Chromium (MiB)', 'Firefox (MiB)'],
  rows,
);
const when = `${new Date().toISOString().slice(0, 10)}, ${versions}, ${cpus().length} cores, medians of ${REPEATS} by turns.`;
writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), { page: `${found}\n\n${when}` }));
process.stdout.write(`${found}\n\n${when}\n`);
