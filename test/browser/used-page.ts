import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync, zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { filesBelow } from '../run-command.ts';
import type { OpenedPage } from './opened-report.ts';

/** The page as it is built. */
export const PAGE_FILE = fileURLToPath(new URL('../../dist/synthrisk.html', import.meta.url));

/** What of a run's folder is the same wherever it was carried out under the same release key. */
export const RESULTS = /^(release\/.*|confidential\/.*\.(csv|parquet))$/;

/** The button that saves a run. */
export const SAVE_RUN = 'Save everything (confidential, with the release key)';

/** The button that saves what leaves the agency. */
export const SAVE_RELEASE = 'Save the synthetic datasets alone';

/** Writes files into a folder, and gives their paths. */
export function writtenFiles(folder: string, files: Iterable<readonly [path: string, content: Uint8Array | string]>): string[] {
  return [...files].map(([path, content]) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  });
}

/** Chooses files where the page asks for them: first of all where it shows several places, or at the place that is named. */
export const choose = (page: Page, files: string[], place = 'input[type=file]:visible') => page.locator(place).first().setInputFiles(files);

/** Presses the button with a name. */
export const press = (page: Page, name: string) =>
  page
    .locator('button:visible')
    .and(page.getByRole('button', { name, exact: true }))
    .click();

/** Waits for the end of a run: its results, or why there are none. */
export async function finished(page: Page): Promise<void> {
  await page.locator('.results:visible, [role=alert]:visible').first().waitFor({ timeout: 100_000 });
  expect(await page.locator('[role=alert]:visible').allTextContents()).toEqual([]);
}

/** What a button saves. */
export async function saved(page: Page, button: string): Promise<Uint8Array> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)]);
  return readFileSync(await download.path());
}

/** Files of a saved run, by their paths in its folder. */
export const unpacked = (zip: Uint8Array) =>
  new Map(Object.entries(unzipSync(zip)).map(([path, bytes]) => [path.slice(path.indexOf('/') + 1), bytes]));

/** The folder of a run as a ZIP archive, with or without a folder in it. */
export const packed = (folder: string, inside = '', wanted = /./) =>
  zipSync(
    Object.fromEntries(
      filesBelow(folder).flatMap((path) => (wanted.test(path) ? [[inside + path, new Uint8Array(readFileSync(join(folder, path)))]] : [])),
    ),
  );

/** Holds that a page asked nothing of a network, and that nothing complained. */
export function holdQuiet({ messages, requests }: OpenedPage, address: string): void {
  expect(messages).toEqual([]);
  expect(requests.filter((asked) => asked !== address && !asked.startsWith('blob:'))).toEqual([]);
}

/** Holds results in memory to those in a folder of the command line, byte by byte. */
export function holdSameResults(own: ReadonlyMap<string, Uint8Array>, folder: string, wanted = RESULTS): void {
  const paths = filesBelow(folder).filter((path) => wanted.test(path));
  expect(paths.length).toBeGreaterThan(0);
  expect([...own.keys()].filter((path) => wanted.test(path)).sort()).toEqual(paths);
  for (const path of paths) expect(Buffer.compare(own.get(path)!, readFileSync(join(folder, path))), path).toBe(0);
}
