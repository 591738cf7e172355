/**
 * How much faster the kernels, reading, matching and the search for nearest records are than other programs that do the same work,
 * and how their time grows, in one run: medians of CPU time over repeats.
 *
 *     npm run bench                       on 7,000 records of the example's generator
 *     npm run bench -- --table table.csv  on a table of categorical variables
 *     npm run bench -- --json             one JSON document
 */
import { parseArgs } from 'node:util';
import { benchTable } from '../tables/bench-table.ts';
import { measureAllCells } from './all-cells.ts';
import { growCart, measureCart } from './cart.ts';
import { growAreal, measureAreal } from './dp-areal.ts';
import { measureEvaluation } from './evaluation.ts';
import { growGibbs, measureGibbs, measureMixed } from './gibbs.ts';
import { growIdentification, measureIdentification } from './identification.ts';
import { measureMixedScoring } from './mixed-scoring.ts';
import { growNearest, measureNearest } from './nearest.ts';
import { measureRandom } from './random.ts';
import { measureReading } from './reading.ts';
import { growScoring, measureMembership, measureScoring } from './scoring.ts';
import { growThreads } from './threads.ts';
import { growTreeRisk, measureTreeRisk } from './tree-risk.ts';
import { growUtility } from './utility.ts';

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false }, table: { type: 'string' } } });

const table = await benchTable(options.table);
const measurements = [
  ...[measureRandom, measureGibbs, measureScoring, measureMembership, measureEvaluation, measureAllCells].flatMap((measure) =>
    measure(table),
  ),
  ...measureMixed(),
  ...measureMixedScoring(),
  ...measureCart(),
  ...(await measureTreeRisk()),
  ...measureAreal(),
  ...measureReading(),
  ...(await measureIdentification()),
  ...(await measureNearest()),
];
const growths = [
  ...[growGibbs, growScoring].flatMap((grow) => grow(table)),
  ...growCart(),
  ...(await growTreeRisk()),
  ...growAreal(),
  ...growThreads(),
  ...(await growIdentification()),
  ...growNearest(),
  ...(await growUtility()),
];

if (options.json) {
  console.log(JSON.stringify({ table: table.name, measurements, growths }, null, 2));
} else {
  for (const { work, kernelMs, baseline, baselineMs, ratio } of measurements) {
    const times = `kernel ${kernelMs.toFixed(3)} ms, ${baseline} ${baselineMs.toFixed(3)} ms`;
    console.log(`${work}: ${times}, ratio ${ratio.toFixed(2)}`);
  }
  for (const { work, size, sizes, milliseconds, exponent } of growths) {
    const points = sizes.map((one, i) => `${one}: ${milliseconds[i]!.toFixed(3)} ms`).join(', ');
    console.log(`${work}: grows as ${size}^${exponent.toFixed(2)} (${points})`);
  }
}
