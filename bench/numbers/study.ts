/**
 * Numbers by densities, in bands and by trees, beside each other on a survey: what an intruder learns, what users lose, how long it
 * takes; and what regressions within classes would bring. Writes the tables and the figure of docs/explanation/numbers.md, which hold
 * aggregates alone, and prints the others. Releases that a folder has are not made again.
 *
 *     npm run bench:numbers -- --table ce-2018q3.csv --out DIR [--releases 3]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { divideTables } from '../../scripts/pages/insert-tables.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { mixedRows, mixedView } from '../../shared/model/mixed/mixed-view.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { readTable } from '../../shared/table/files/read-table.ts';
import { columnOf, datasetsIn, incomeChart } from './charts.ts';
import { type Dependence, heldOutBits } from './local-dependence.ts';
import { DECLARED, RUNS, release } from './runs.ts';
import { type Compared, numbersTables, type Scored } from './tables.ts';

const PAGE = 'docs/explanation/numbers.md';
/** Every fifth record is held out. */
const HELD_OUT = 5;
const CHAIN = { burnIn: 1000, draws: 500 };

const { values: options } = parseArgs({
  options: { table: { type: 'string' }, out: { type: 'string' }, releases: { type: 'string', default: '3' } },
});
if (!options.table || !options.out) throw new Error('--table FILE and --out DIR are needed');
const [table, out] = [resolve(options.table), resolve(options.out)];

const compared: Compared[] = RUNS.map(([synthesized, name]) => ({ synthesized, name, found: [] }));
for (let number = 1; number <= Number(options.releases); number++) {
  for (const [i, run] of RUNS.entries())
    compared[i] = { ...compared[i]!, found: [...compared[i]!.found, await release(table, out, run, number)] };
}

const incomesOf = (run: string) => columnOf(datasetsIn(join(out, run, 'run'), 5), 'Income');
const svg = await incomeChart({
  table: columnOf([table], 'Income'),
  mixed: incomesOf('numbers-mixed-1'),
  trees: incomesOf('numbers-trees-1'),
});
writeFileSync('docs/images/numbers-income.svg', svg);
const { page, apart } = divideTables(readFileSync(PAGE, 'utf8'), numbersTables(compared, await regressions()));
writeFileSync(PAGE, page);
console.log(apart);

/** Mixtures with and without regressions, by held-out records. */
async function regressions(): Promise<Scored[]> {
  const config = configSchema.parse({ model: { name: 'mixed' }, variables: DECLARED });
  const { table: survey } = await readTable(readFileSync(table), { variables: config.variables, missing: 'refuse' });
  const rows = mixedRows(mixedView(survey.schema, config.variables), [survey]);
  const numbers = [...Array(rows.rows).keys()];
  const split = { train: numbers.filter((i) => i % HELD_OUT !== 0), test: numbers.filter((i) => i % HELD_OUT === 0) };
  return [10, 40].flatMap((classes) => {
    const bitsOf = (dependence: Dependence, slopePrecision: number) =>
      heldOutBits(rows, split, dependence, { classes, slopePrecision, ...CHAIN }, 1);
    const without = bitsOf('none', 1);
    const scored = (dependence: Dependence, slopePrecision: number, bits: Float64Array): Scored => {
      const more = bits.map((value, i) => value - without[i]!);
      const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const moreSe = standardDeviation(more) / Math.sqrt(more.length);
      return { classes, slopePrecision, dependence, bits: mean(bits), more: mean(more), moreSe };
    };
    return [
      scored('none', 1, without),
      ...([1, 10] as const).flatMap((precision) =>
        (['numbers', 'all'] as const).map((dependence) => scored(dependence, precision, bitsOf(dependence, precision))),
      ),
    ];
  });
}
