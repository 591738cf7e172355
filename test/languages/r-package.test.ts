import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { afterAll, expect, it } from 'vitest';
import { addEvaluationFlags } from '../../cli/flags/evaluation-flags.ts';
import { householdNumbers, householdTable } from '../../examples/household-table.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { listFields } from '../../shared/contracts/settings/list-fields.ts';
import { synthpopSettings } from '../../shared/contracts/settings/synthpop.ts';
import { refuteTrees } from '../../shared/pipeline/synthesizers/cart/refute-trees.ts';
import { readingOf, readTable, readTableAs } from '../../shared/table/files/read-table.ts';
import { followedPage } from '../docs/followed-pages.ts';
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

it('the package knows every field of the config that holds a list', () => {
  const known = readFileSync(join(source, 'R', 'settings.R'), 'utf8');
  const lists = listFields(configSchema, 'input').flatMap(({ path, type }) => {
    const isOfLists = type.startsWith('list of list of');
    return type.startsWith('list of') && !type.endsWith('object') ? [isOfLists ? `${path}[]` : path] : [];
  });
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter((path) => !known.includes(`"${path}"`))).toEqual([]);
});

it('what messages of the package say of flags are flags of an evaluation, and settings that a config can have', () => {
  const print =
    'for (one in own$SETTINGS) cat(own$write_json(own$as_lists(eval(parse(text = paste0("list(", one, ")")))), ".", "said.json"), readLines("said.json"), "\\n")';
  const script = `own <- new.env(); for (file in list.files("${source}/R", full.names = TRUE)) sys.source(file, own); cat(names(own$SETTINGS), "\\n"); ${print}`;
  const { code, output } = inR('Rscript', '-e', script);
  expect(code, output).toBe(0);
  const [flags = '', ...settings] = output.trim().split('\n');
  const { options } = addEvaluationFlags(new Command());
  expect(
    flags
      .trim()
      .split(' ')
      .filter((flag) => options.every(({ long }) => long !== `--${flag}`)),
  ).toEqual([]);
  for (const one of settings)
    expect(() => configSchema.parse({ table: 'table.csv', ...JSON.parse(one.replace('said.json ', '')) }), one).not.toThrow();
});

/** Why a release cannot be of the trees of its table, by the settings that the R package gives; null where it can. */
async function reasonAgainst(number: number): Promise<string | null> {
  const read = (stem: string) => readFileSync(join(folder, `${stem}-${number}.${stem === 'settings' ? 'json' : 'csv'}`));
  const { synthpop, variables } = JSON.parse(read('settings').toString()) as { synthpop: object; variables: Record<string, unknown> };
  const config = completeConfig(synthpopSettings(Buffer.from(JSON.stringify(synthpop)), 'synthpop.json'), { variables });
  const { table } = await readTable(read('table'), readingOf(config));
  const { table: synthetic } = await readTableAs(read('synthetic'), table.schema, readingOf(config));
  return refuteTrees(config, table, [new Map(synthetic.columns.entries())]);
}

it('releases by rpart are possible under their own settings', async () => {
  const [categories, numbers] = [join(folder, 'household.csv'), join(folder, 'household-numbers.csv')];
  writeFileSync(categories, householdTable(1));
  writeFileSync(numbers, householdNumbers(1));
  const grown = inR('Rscript', join(root, 'test', 'languages', 'grow-releases.R'), source, folder, categories, numbers);
  expect(grown.code, grown.output).toBe(0);
  const against: { readonly number: number; readonly reason: string }[] = [];
  for (let number = 1; number <= 200; number++) {
    const reason = await reasonAgainst(number);
    if (reason !== null) against.push({ number, reason });
  }
  // Of 100 with categories alone, and of 100 with numbers, by which more divisions gain the same.
  expect(against.filter(({ number }) => number <= 100).length, JSON.stringify(against)).toBeLessThanOrEqual(1);
  expect(against.filter(({ number }) => number > 100).length, JSON.stringify(against)).toBeLessThanOrEqual(1);
});

/** A package that stands in for synthpop: `syn()` of a table of factors, by trees of rpart. */
function installStandIn(library: string): void {
  const package_ = join(folder, 'synthpop');
  mkdirSync(join(package_, 'R'), { recursive: true });
  writeFileSync(join(package_, 'DESCRIPTION'), 'Package: synthpop\nVersion: 0.0.1\nTitle: Stand-In\nLicense: none\n');
  writeFileSync(join(package_, 'NAMESPACE'), 'export(syn)\n');
  cpSync(join(source, 'inst', 'examples', 'grow-releases.R'), join(package_, 'R', 'grow-releases.R'));
  const syn =
    'syn <- function(data, m) grow_releases(data, names(data), c("sample", rep("cart", length(data) - 1)) |> setNames(names(data)), m)\n';
  writeFileSync(join(package_, 'R', 'syn.R'), syn);
  const installed = inR('R', 'CMD', 'INSTALL', '--no-docs', `--library=${library}`, package_);
  expect(installed.code, installed.output).toBe(0);
}

it('the page for R can be followed', () => {
  const library = join(folder, 'library');
  mkdirSync(library);
  installStandIn(library);
  const blocks = followedPage('docs/how-to/r.md').blocks.filter(({ language }) => language === 'r');
  expect(blocks).toHaveLength(2);
  // As in a clone, with a table of a few records, which is also the survey.
  cpSync(source, join(folder, 'packages', 'r'), { recursive: true });
  symlinkSync(join(root, 'dist'), join(folder, 'dist'));
  const rows = new TextDecoder().decode(householdTable(1)).split('\n').slice(0, 101);
  writeFileSync(join(folder, 'household.csv'), rows.join('\n'));
  const survey = 'survey <- read.csv("household.csv", stringsAsFactors = TRUE)[c("region", "education", "tenure")]';
  writeFileSync(join(folder, 'page.R'), [blocks[0]!.text, survey, blocks[1]!.text].join('\n'));
  const { code, output } = runRPackage(folder, 'Rscript', ['page.R'], { R_LIBS: library });
  expect(code, output.slice(-3000)).toBe(0);
  expect(existsSync(join(folder, 'report.html'))).toBe(true);
  expect(output).toMatch(/^\[1\] (TRUE|FALSE)$/m);
});
