/**
 * Asks the registry which packages have known vulnerabilities, and fails where one of them is in a bundle, as its bill of
 * materials says: the others build and test, and none of their code is in what users run.
 *
 *     npm run audit        exit code 1: some are reachable; 3: the registry does not answer, so that nothing is known
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { reachableIn } from './reachable.ts';

/** Bills of materials of all bundles. */
const BILLS = ['dist/sbom.cdx.json', 'dist/functions.cdx.json'];

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const { stdout, error } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' });
if (error !== undefined) throw error;
const report = JSON.parse(stdout);
if (report.vulnerabilities === undefined) {
  console.error(`Not audited: the registry does not say what is vulnerable (HTTP ${report.statusCode ?? 'without an answer'}).`);
  process.exit(3);
}
const components = BILLS.flatMap((bill): { 'bom-ref': string }[] => read(bill).components);
const bundled = new Set(components.map((component) => component['bom-ref']));
const found = reachableIn(Object.values(report.vulnerabilities), read('package-lock.json').packages, bundled);
for (const line of found) console.error(line);
console.log(`Known vulnerabilities in the ${bundled.size} packages of the bundles: ${found.length}.`);
process.exitCode = found.length > 0 ? 1 : 0;
