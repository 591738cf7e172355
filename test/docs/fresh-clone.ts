import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { householdNumbers, householdTable } from '../../examples/household-table.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What git keeps or would keep, by path. */
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)));

/** What a build leaves among the sources. */
const GENERATED = ['shared/numeric/kernel-binaries.ts', 'shared/report/records/records-script.ts'];

/** Folder of what starts faster, in a clone. */
export const QUICK = '.quick';

/** Tables that may stand in for a reader's own. */
const STAND_INS: Readonly<Record<string, (seed: number) => Uint8Array>> = {
  'household.csv': householdTable,
  'household-numbers.csv': householdNumbers,
};

/**
 * `npx` that starts the program itself, as npm does after a second of its own; of anything else it asks npm. That npm finds the program
 * the front page tells, whose commands do without it.
 */
const NPX = `#!/bin/sh
[ "$1 $2" = "--no-install synthrisk" ] || exec "${join(dirname(process.execPath), 'npx')}" "$@"
shift 2
exec node "$(dirname "$0")/../dist/synthrisk.mjs" "$@"
`;

/**
 * A folder with what a clone holds after it was set up: the files of git, built, with the packages. Times of files are kept,
 * so that nothing is installed or built again.
 *
 * @param given tables of the reader's own, by name: the example that stands in for each
 * @param isFront whether it is of the front page: of others `.quick/npx` starts the program
 * @returns the folder, and what removes it
 */
export function freshClone(given: Readonly<Record<string, string>>, isFront: boolean): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-clone-'));
  for (const path of tracked) cpSync(join(root, path), join(folder, path), { preserveTimestamps: true });
  // A folder of links, one a package: what npm removes from it are links, and never the packages.
  const packages = join(folder, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(packages, name));
  }
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !path.endsWith('.map') && !['cdk.out', 'packages'].some((name) => path === join(root, 'dist', name)),
  });
  for (const path of GENERATED) cpSync(join(root, path), join(folder, path), { preserveTimestamps: true });
  if (!isFront) {
    mkdirSync(join(folder, QUICK));
    writeFileSync(join(folder, QUICK, 'npx'), NPX, { mode: 0o755 });
  }
  for (const [name, example] of Object.entries(given)) {
    const table = STAND_INS[example];
    if (table === undefined) throw new RangeError(`${example} is no table of \`synthrisk example\``);
    writeFileSync(join(folder, name), table(1));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
