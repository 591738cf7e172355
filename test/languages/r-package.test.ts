import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { householdTable } from '../../examples/household-table.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { synthpopSettings } from '../../shared/contracts/settings/synthpop.ts';
import { cartSettings } from '../../shared/model/cart/synthesis.ts';
import { likelihoodOfRelease } from '../../shared/risk/trees/tree-risk.ts';
import { readingOf, readTable, readTableAs } from '../../shared/table/files/read-table.ts';
import { runRPackage } from './programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'packages', 'r');
const folder = mkdtempSync(join(tmpdir(), 'synthrisk-r-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = { SYNTHRISK_PROGRAM: join(root, 'dist', 'synthrisk.mjs') };
const inR = (command: string, ...args: string[]) => runRPackage(folder, command, args, environment);

it('the package is built with its vignette, and R CMD check finds nothing', () => {
  const built = inR('R', 'CMD', 'build', source);
  expect(built.code, built.output).toBe(0);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const checked = inR('R', 'CMD', 'check', '--no-manual', '--no-build-vignettes', `synthrisk_${version}.tar.gz`);
  expect(checked.output.slice(-5000)).toContain('Status: OK');
});

/** Whether the trees of a table can have led to a release of it, by the settings that the R package gives. */
async function isPossible(number: number): Promise<boolean> {
  const read = (stem: string) => readFileSync(join(folder, `${stem}-${number}.${stem === 'settings' ? 'json' : 'csv'}`));
  const { synthpop, variables } = JSON.parse(read('settings').toString()) as { synthpop: object; variables: Record<string, unknown> };
  const config = completeConfig(synthpopSettings(Buffer.from(JSON.stringify(synthpop)), 'synthpop.json'), { variables });
  const { table } = await readTable(read('table'), readingOf(config));
  const { table: synthetic } = await readTableAs(read('synthetic'), table.schema, readingOf(config));
  const settings = cartSettings(config, table.schema);
  const datasets = [settings.synthesized.map((v) => synthetic.columns[v]!)];
  return likelihoodOfRelease({ table, settings, datasets }).impossible.every((count) => count === 0);
}

it('of 100 releases by rpart all but one at most are possible under their own settings', async () => {
  const table = join(folder, 'household.csv');
  writeFileSync(table, householdTable(1));
  const grown = inR('Rscript', join(root, 'test', 'languages', 'grow-releases.R'), source, table, folder);
  expect(grown.code, grown.output).toBe(0);
  const numbers = Array.from({ length: 100 }, (_, i) => i + 1);
  const possible: number[] = [];
  for (const number of numbers) if (await isPossible(number)) possible.push(number);
  expect(possible.length, `not possible: ${numbers.filter((number) => !possible.includes(number)).join(', ')}`).toBeGreaterThanOrEqual(99);
});
