/**
 * Writes the tables of docs/explanation/cost.md and its figure again, from the prices and the speeds that are set down in this
 * repository; or measures the speeds on this machine.
 *
 *     npm run bench:cost               docs/explanation/cost.md and docs/images/cost.svg
 *     npm run bench:cost -- --measure  speeds as JSON
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { costChart } from './cost-chart.ts';
import { costPage } from './cost-page.ts';
import { measureCostSpeeds } from './cost-speeds.ts';

const PAGE = 'docs/explanation/cost.md';
const FIGURE = 'docs/images/cost.svg';

const { values: options } = parseArgs({ options: { measure: { type: 'boolean', default: false } } });
if (options.measure) {
  console.log(JSON.stringify(await measureCostSpeeds(), null, 2));
} else {
  writeFileSync(PAGE, costPage(readFileSync(PAGE, 'utf8')));
  writeFileSync(FIGURE, await costChart());
  console.log(`${PAGE} and ${FIGURE} are up to date.`);
}
