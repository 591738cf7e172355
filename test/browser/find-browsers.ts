import { existsSync } from 'node:fs';
import { CHROMIUM, FIREFOX } from '../../bench/report/browsers.ts';
import { run } from '../debian-packages.ts';

/** Where Debian's package puts the program that reads what the browser prints. */
export const PDF_TO_TEXT = '/usr/bin/pdftotext';

/** The packages that these are in, and a font, without which a page has no text. */
const PACKAGES = ['chromium', 'firefox-esr', 'poppler-utils', 'fonts-dejavu-core'];

/** Installs Debian's Chromium, Firefox and Poppler where they are missing, which takes root. Vitest runs it once, before all tests in the browser. */
export default function findBrowsers(): void {
  if ([CHROMIUM, FIREFOX, PDF_TO_TEXT].every((program) => existsSync(program))) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`A browser is not there: run \`apt-get install ${PACKAGES.join(' ')}\` as root.`);
  }
  run('apt-get', ['update']);
  // Another program may be installing: it is waited for.
  run('apt-get', ['install', '-o', 'DPkg::Lock::Timeout=300', '--yes', '--no-install-recommends', ...PACKAGES]);
}
