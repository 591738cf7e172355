/**
 * The study of 004 section 4 on its own table, the Consumer Expenditure Survey of 2018, third quarter: how the
 * identification risk and the utility of sequential trees depend on the radius, on what is synthesized and on the number
 * of datasets (docs/matching.md). Writes the tables of that page and its figures, which hold aggregates alone.
 *
 *     npm run bench:ce -- --table ce-2018q3.csv [--repetitions 100] [--seed 1]
 *
 * Each reading of 004 is measured in a process of its own; `--reading none` prints the figures of one as JSON.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readTable } from '../../shared/table/files/read-table.ts';
import { insertTables } from '../pages/insert-tables.ts';
import { studyCharts } from './charts.ts';
import { guessingRisk, independentRisk } from './independent-risk.ts';
import { measureReading, type ReadingMeasures } from './measure-reading.ts';
import { READINGS, type Reading, VARIABLES } from './scenarios.ts';
import { studyTables } from './tables.ts';

const PAGE = 'docs/matching.md';

const { values: options } = parseArgs({
  options: {
    table: { type: 'string' },
    repetitions: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    reading: { type: 'string' },
  },
});
if (!options.table) throw new Error('--table FILE is needed');
const { table } = await readTable(readFileSync(options.table), { variables: VARIABLES, missing: 'refuse' });

/** Measures a reading in a process of its own. */
function spawnReading(reading: Reading): Promise<ReadingMeasures> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.argv.slice(1), '--reading', reading], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(printed).toString('utf8')));
      else reject(new Error(`the reading ${reading} exited with ${code}`));
    });
  });
}

if (options.reading !== undefined) {
  const reading = READINGS.find((one) => one === options.reading);
  if (reading === undefined) throw new Error(`--reading is ${READINGS.join(' or ')}`);
  const size = { datasets: 20, repetitions: Number(options.repetitions), seed: Number(options.seed) };
  console.log(JSON.stringify(measureReading(table, reading, size)));
} else {
  const [none, kept] = await Promise.all(READINGS.map(spawnReading));
  const study = {
    records: table.records,
    measures: { none: none!, kept: kept! },
    independent: {
      fixed: independentRisk(table, 'Income', 'fixed'),
      swept: independentRisk(table, 'Income', 'swept'),
    },
    guessing: guessingRisk(table),
  };
  writeFileSync(PAGE, insertTables(readFileSync(PAGE, 'utf8'), studyTables(study)));
  for (const [file, svg] of Object.entries(await studyCharts(study)))
    writeFileSync(`docs/images/${file}`, svg);
  console.log(`${PAGE} and its figures are up to date.`);
}
