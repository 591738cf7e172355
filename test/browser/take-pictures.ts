/**
 * The pictures of the README and of docs/how-to/page.md: the report of the example, and the page at each step of it. Needs Chromium.
 *
 *     npm run docs:pictures
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { CASE_KEY } from '../../bench/case/worked-case.ts';
import { householdTable } from '../../examples/household-table.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import findBrowsers from './find-browsers.ts';
import { ReportBrowser } from './opened-report.ts';

const IMAGES = fileURLToPath(new URL('../docs/images', import.meta.url));
const PROGRAM = fileURLToPath(new URL('./synthrisk.html', import.meta.url));

/** As much of it as a screen shows, the pictures of one width. */
const VIEW = { width: 1200, height: 800 };

/** The part of the page that begins with a heading, at the top of the screen. */
async function picture(page: Page, name: string, top?: string): Promise<void> {
  if (top !== undefined)
    await page
      .locator(top)
      .first()
      .evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: join(IMAGES, `${name}.png`) });
}

async function takePictures(browser: ReportBrowser): Promise<void> {
  const { page } = await browser.open({ viewport: VIEW, colorScheme: 'light' });
  const files = [
    ['household.csv', householdTable(1)],
    ['release-key', encodeKey(CASE_KEY)],
  ] as const;
  const paths = files.map(([name, bytes]) => {
    writeFileSync(join(browser.folder, name), bytes);
    return join(browser.folder, name);
  });
  await page.locator('input[type=file]:visible').first().setInputFiles(paths);
  await page.waitForSelector('#columns-heading');
  await picture(page, 'page-columns');
  await page.fill('#acceptance', 'attributeRisk["one-change"].firstGuessRightAfter <= 0.65');
  await page.locator('#acceptance').blur();
  await picture(page, 'page-settings', '#settings-heading');
  await page.getByRole('button', { name: 'How long will it take?' }).click();
  await page.getByText(/combinations; about/).waitFor();
  await picture(page, 'page-run', '#run-heading');
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await page.locator('.results:visible').waitFor({ timeout: 300_000 });
  await picture(page, 'page-results', '.results');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the report' }).click()]);
  const report = join(browser.folder, 'saved.html');
  await download.saveAs(report);
  // The page itself asks before it is left.
  const alone = await page.context().newPage();
  await alone.goto(pathToFileURL(report).href);
  await picture(alone, 'report');
}

findBrowsers();
const browser = await ReportBrowser.start(readFileSync(PROGRAM, 'utf8'));
try {
  await takePictures(browser);
} finally {
  await browser.stop();
}
