/**
 * What releases of sequential trees tell of synthesized values, and what protects: writes the tables of docs/studies/trees.md,
 * from a table of categorical variables and one with continuous ones.
 *
 *     npm run bench:trees -- --table ny-acs.csv --survey ce-2018q3.csv
 *
 * Releases are compared by the program itself, whose summaries are kept in a folder: what is there is not run again, and
 * with --kept-only nothing is.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { householdTable } from '../../examples/household-table.ts';
import { divideTables, markdownTable } from '../../scripts/pages/insert-tables.ts';
import type { CartSettings } from '../../shared/model/cart/synthesis.ts';
import { uniqueValues } from '../../shared/risk/trees/unique-values.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import type { Table } from '../../shared/table/table.ts';
import { type AssessedVariable, assessRelease, type MeanRisk, releaseOf } from './assessed-release.ts';
import type { ComparedTable } from './compared-releases.ts';
import { claimedTable, comparedTable } from './compared-tables.ts';

const PAGE = 'docs/studies/trees.md';
const DEFAULTS = { minimumLeaf: 5, complexity: 1e-8, predictors: 'kept', smoothing: false } as const;
const DATASETS = 5;
const VARIABLES = ['EDUC', 'MARST', 'EMPSTAT'];
const AMOUNTS = ['Expenditure', 'Income'];

/** Settings that differ from the defaults, of the first variable alone. */
const PROTECTIONS: readonly (readonly [string, Partial<CartSettings>, number])[] = [
  ['as it is: minimum leaf 5, complexity 1e-8, five datasets', {}, DATASETS],
  ['minimum leaf 10', { minimumLeaf: 10 }, DATASETS],
  ['minimum leaf 20', { minimumLeaf: 20 }, DATASETS],
  ['minimum leaf 50', { minimumLeaf: 50 }, DATASETS],
  ['complexity 0.001', { complexity: 0.001 }, DATASETS],
  ['complexity 0.01', { complexity: 0.01 }, DATASETS],
  ['one dataset', {}, 1],
  ['20 datasets', {}, 20],
];

function indicesOf({ schema }: Table, names: readonly string[]): number[] {
  return names.map((name) => {
    const found = schema.variables.findIndex((variable) => variable.name === name);
    if (found < 0) throw new RangeError(`the table has no variable ${name}`);
    return found;
  });
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const bits = ({ gainBits, claimedBits }: MeanRisk) => `${gainBits.toFixed(2)} (${claimedBits.toFixed(2)})`;

const HEAD = [
  'changes that regrow',
  'right before',
  'after, fixed',
  'after, exact',
  'bits, fixed (claimed)',
  'bits, exact (claimed)',
  'proven, fixed',
  'proven, exact',
];

function cellsOf({ exact, fixed, regrown }: AssessedVariable): string[] {
  return [
    ...[regrown, exact.rightBefore, fixed.rightAfter, exact.rightAfter].map(percent),
    ...[fixed, exact].map(bits),
    ...[fixed.proven, exact.proven].map(percent),
  ];
}

/** Columns of the page among these. */
const ON_PAGE = [1, 2, 3, 5, 7];

const onPage = (cells: readonly string[]) => ON_PAGE.map((column) => cells[column]!);

function riskTables(table: Table): Record<string, string> {
  const variables = indicesOf(table, VARIABLES);
  const protections = PROTECTIONS.map(([name, settings, datasets]) => {
    const all = { ...DEFAULTS, ...settings, synthesized: variables.slice(0, 1) };
    const [assessed] = assessRelease(releaseOf(table, all, datasets));
    console.log(name);
    return [name, ...onPage(cellsOf(assessed!))];
  });
  const sequence = assessRelease(releaseOf(table, { ...DEFAULTS, synthesized: variables }, DATASETS));
  return {
    'tree-protections': markdownTable([`${VARIABLES[0]} of ${table.records} records`, ...onPage(HEAD)], protections),
    'tree-sequence': markdownTable(
      ['synthesized in sequence', ...HEAD],
      sequence.map((assessed, place) => [VARIABLES[place]!, ...cellsOf(assessed)]),
    ),
  };
}

function uniqueTable(table: Table): string {
  const settings = { ...DEFAULTS, synthesized: indicesOf(table, AMOUNTS) };
  const rows = [1, DATASETS].flatMap((datasets) => {
    const release = releaseOf(table, settings, datasets);
    return AMOUNTS.map((name, place) => {
      const { unique, probability, released } = uniqueValues(release, place);
      const sum = (values: ArrayLike<number>) => Array.from(values).reduce((all, one) => all + one, 0);
      return [...[name, `${datasets}`, `${sum(unique)}`, sum(probability).toFixed(0)], `${released.filter((rows) => rows > 0).length}`];
    });
  });
  return markdownTable([`of ${table.records} records`, 'datasets', 'values of one record', 'expected to come out', 'came out'], rows);
}

/** The tables whose releases are compared; amounts of the survey in bands, so that every model takes them. */
function comparedTables(table: string, survey: string, example: string): ComparedTable[] {
  return [
    { ...{ name: 'the census extract', path: table, synthesized: 'EDUC', variables: {} }, known: ['SEX', 'AGE', 'MARST', 'RACESING'] },
    {
      ...{ name: 'the survey', path: survey, synthesized: 'Educ' },
      variables: {
        Age: { breaks: [0, 35, 47, 58, 69] },
        Expenditure: { breaks: [0, 3000, 6000, 9000, 14000] },
        Income: { breaks: [-200000, 13000, 34000, 60000, 108000] },
      },
      known: ['Age', 'Urban', 'Marital', 'Tenure'],
    },
    { ...{ name: 'the example', path: example, synthesized: 'education', variables: {} }, known: ['region', 'age_group'] },
  ];
}

const PARTS = ['risk', 'compared'] as const;

const { values: options } = parseArgs({
  options: {
    table: { type: 'string' },
    survey: { type: 'string' },
    part: { type: 'string', multiple: true },
    kept: { type: 'string', default: '.cache/bench-trees' },
    'kept-only': { type: 'boolean', default: false },
  },
});
const parts = options.part ?? PARTS;
if (options.table === undefined || options.survey === undefined || parts.some((part) => !(PARTS as readonly string[]).includes(part))) {
  throw new RangeError(
    'usage: npm run bench:trees -- --table ny-acs.csv --survey ce-2018q3.csv [--part risk] [--part compared] [--kept DIR [--kept-only]]',
  );
}
const open = async (path: string) => (await readTable(readFileSync(path), { missing: 'category' })).table;
const tables: Record<string, string> = {};
if (parts.includes('risk')) {
  const [table, survey] = [await open(options.table), await open(options.survey)];
  Object.assign(tables, riskTables(table), { 'tree-uniques': uniqueTable(survey) });
}
if (parts.includes('compared')) {
  const example = join(options.kept, 'household.csv');
  mkdirSync(options.kept, { recursive: true });
  writeFileSync(example, householdTable(1));
  const compared = comparedTables(options.table, options.survey, example);
  const kept = { folder: options.kept, run: !options['kept-only'] };
  tables['tree-claimed'] = claimedTable(compared, kept);
  tables['tree-compared'] = comparedTable(compared[0]!, kept);
  tables['tree-compared-survey'] = comparedTable(compared[1]!, kept);
}
const { page, apart } = divideTables(readFileSync(PAGE, 'utf8'), tables);
writeFileSync(PAGE, page);
console.log(apart);
