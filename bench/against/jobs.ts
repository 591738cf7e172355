import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { householdTable } from '../../examples/household-table.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { recordTexts } from '../../shared/table/category-text.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import type { Table } from '../../shared/table/table.ts';
import { runSynthrisk } from '../commands/run-synthrisk.ts';
import { largeTable } from '../million/large-table.ts';
import { matchingTables } from '../tables/matching-table.ts';

/** A command that versions are timed at. */
export interface Job {
  readonly name: string;
  readonly what: string;
  /**
   * Writes its files.
   *
   * @param folder for them
   * @param table the file of the table that evaluations are timed at
   * @returns the command with its flags, but for the folder of a run
   */
  readonly prepare: (folder: string, table: string) => Promise<string[]> | string[];
}

/** Numbers of categories of nine variables, with 158 candidates of one change. */
const CENSUS_SIZES = [2, 2, 5, 6, 7, 14, 16, 41, 74];

/** Numbers of categories of seven variables, which have 60,480 cells. */
const CELL_SIZES = [2, 3, 4, 5, 6, 7, 12];

const SCENARIOS = 6;

/** The jobs, the quickest to prepare first. */
export const JOBS: readonly Job[] = [
  { name: 'evaluate', what: 'evaluate the table by default', prepare: (_, table) => ['evaluate', table] },
  {
    name: 'two-changes',
    what: 'evaluate the table, two changes, quick',
    prepare: (_, table) => ['evaluate', table, '--candidates', 'two-changes', '--precision', 'quick'],
  },
  { name: 'scenarios', what: `evaluate the table in ${SCENARIOS} scenarios`, prepare: evaluateScenarios },
  {
    name: 'census',
    what: 'evaluate 30,162 records of nine variables, 19,500 combinations and 158 candidates',
    prepare: (folder) => {
      const table = written(
        folder,
        'census.csv',
        largeTable(1, { records: 30_162, combinations: 19_500, sizes: CENSUS_SIZES, fallOff: 1.5 }),
      );
      return ['evaluate', table];
    },
  },
  {
    name: 'all-cells',
    what: 'evaluate 907 combinations with all 60,480 cells, quick',
    prepare: (folder) => {
      const table = written(folder, 'cells.csv', largeTable(1, { records: 5000, combinations: 907, sizes: CELL_SIZES, fallOff: 4 }));
      return ['evaluate', table, '--candidates', 'all-cells', '--precision', 'quick'];
    },
  },
  { name: 'trees', what: 'assess two variables of 2,000 records that trees synthesized', prepare: assessTrees },
  { name: 'identify', what: 'identify a million records with one radius', prepare: identifyMillion },
  { name: 'utility', what: 'utility of two datasets of 100,000 records and twelve variables', prepare: measureUtility },
];

function written(folder: string, name: string, bytes: Uint8Array | string): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

async function evaluateScenarios(folder: string, table: string): Promise<string[]> {
  const { schema } = (await readTable(readFileSync(table), { missing: 'category' })).table;
  const names = schema.variables.slice(0, SCENARIOS).map(({ name }) => name);
  const scenarios = names.map((name) => ({ name: `lacks ${name}`, candidates: { unknown: [name] } }));
  return ['evaluate', table, '--config', written(folder, 'scenarios.yaml', JSON.stringify({ attributeRisk: { scenarios } }))];
}

async function assessTrees(folder: string): Promise<string[]> {
  const table = written(folder, 'trees.csv', householdTable(1, 2000));
  const made = ['--model', 'cart', '--synthesized', 'income_band,tenure'];
  const run = join(folder, 'trees');
  await runSynthrisk(['synthesize', table, ...made, '--datasets', '2', '--out', run]);
  return ['assess', table, ...made, '--synthetic', join(run, 'release', 'synthetic-1.csv'), join(run, 'release', 'synthetic-2.csv')];
}

const csvOf = (table: Table) => {
  const header = table.schema.variables.map(({ name }) => name);
  return encodeCsv(header, recordTexts(table));
};

function identifyMillion(folder: string): string[] {
  const { table, datasets } = matchingTables(1_000_000, { datasets: 1, categorical: 7, continuous: 1 });
  const files = datasets.map((dataset, l) => written(folder, `identify-${l + 1}.csv`, csvOf(dataset)));
  return ['identify', written(folder, 'identify.csv', csvOf(table)), '--synthetic', ...files, '--known', 'C1,C2,C3', '--radius', 'X1=0.1'];
}

/** Datasets that have one variable of their table in another order each. */
async function measureUtility(folder: string): Promise<string[]> {
  const bytes = largeTable(1, { records: 100_000, combinations: 30_000 });
  const { table } = await readTable(bytes, { missing: 'category' });
  const files = [0, 1].map((l) => {
    const random = new RandomStream(1, `bench/against/${l}`);
    const columns = table.columns.map((column, v) => (v === l ? shuffled(column, random) : column));
    return written(folder, `utility-${l + 1}.csv`, csvOf({ ...table, columns }));
  });
  return ['utility', written(folder, 'utility.csv', bytes), '--synthetic', ...files];
}

function shuffled(column: Table['columns'][number], random: RandomStream): Table['columns'][number] {
  if (column.type !== 'categorical') return column;
  const codes = column.codes.slice();
  for (let i = codes.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [codes[i], codes[j]] = [codes[j]!, codes[i]!];
  }
  return { type: 'categorical', codes };
}
