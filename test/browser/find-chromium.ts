import { existsSync } from 'node:fs';
import { run } from '../debian-packages.ts';

/** Where Debian's package puts it. */
export const CHROMIUM = '/usr/bin/chromium';

/** Installs Debian's Chromium where it is missing, which takes root. Vitest runs it once, before all tests in the browser. */
export default function findChromium(): void {
  if (existsSync(CHROMIUM)) return;
  if (process.getuid?.() !== 0) {
    throw new Error(`There is no ${CHROMIUM}: run \`apt-get install chromium\` as root.`);
  }
  run('apt-get', ['update']);
  run('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']);
}
