/**
 * Do the modes of chains reveal anything about single records, and how long must paired chains be? Two tables differ in some of their
 * records; the terms of the estimator are judged by how well they show of which table a dataset is (docs/studies/modes.md).
 *
 *     npm run bench:modes -- --name survey --table table.csv [--variables A,B] [--records 500] --out DIR
 *     npm run bench:modes -- --name three-as-two [--made record|one|elsewhere|partial] --out DIR
 *     npm run bench:modes -- --out DIR --judge [--page docs/studies/modes.md]
 *
 * The first two store what the chains found, the last judges all that is stored and prints one JSON line for each table,
 * synthesizer, length of the paired chains, number of datasets and kind of target, and writes the tables of the page;
 * seeds of one table are judged together.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { divideTables } from '../../scripts/pages/insert-tables.ts';
import { judgeTerms, type TermJudgement } from './judge-terms.ts';
import { modeTables } from './mode-tables.ts';
import { LENGTHS } from './paired-sides.ts';
import { fileTable, type MadeTable, makeTable, someRecords } from './study-tables.ts';
import { type Made, type TwoTables, twoTables } from './two-tables.ts';

const { values: options } = parseArgs({
  options: {
    name: { type: 'string' },
    table: { type: 'string' },
    variables: { type: 'string' },
    records: { type: 'string', default: 'Infinity' },
    share: { type: 'string', default: '0.05' },
    classes: { type: 'string' },
    made: { type: 'string', default: 'own' },
    datasets: { type: 'string', default: '5' },
    'their-classes': { type: 'string', default: '5' },
    'their-concentration': { type: 'string' },
    synthesized: { type: 'string', default: '1' },
    longest: { type: 'string', default: '3750' },
    seed: { type: 'string', default: '1' },
    chains: { type: 'string', default: '32' },
    'burn-in': { type: 'string', default: '1000' },
    out: { type: 'string' },
    judge: { type: 'boolean', default: false },
    page: { type: 'string' },
  },
});
if (!options.out) throw new Error('--out DIR is needed');
mkdirSync(options.out, { recursive: true });

function store(file: string, { logMeans, ...head }: TwoTables): void {
  writeFileSync(`${file}.f32`, new Uint8Array(logMeans.buffer));
  // The head comes last, and whole: what has none was interrupted.
  writeFileSync(`${file}.json.new`, JSON.stringify(head));
  renameSync(`${file}.json.new`, `${file}.json`);
}

function stored(head: string): TwoTables {
  const bytes = readFileSync(head.replace(/json$/, 'f32'));
  const logMeans = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return { ...JSON.parse(readFileSync(head, 'utf8')), logMeans };
}

/** What seeds that are judged together have in common. */
const keyOf = ({ name, made, burnIn }: TwoTables) => JSON.stringify([name, made, burnIn]);

/** Where datasets are from, by the flags. */
function madeBy(by: string): Made {
  const { datasets, 'their-classes': classes, 'their-concentration': concentration } = options;
  switch (by) {
    case 'own':
    case 'record':
      return { by };
    case 'one':
      return { by, datasets: Number(datasets) };
    case 'partial':
      return { by, synthesized: options.synthesized.split(',').map((place) => Number(place) - 1) };
    case 'elsewhere':
      return {
        by,
        settings: {
          classes: Number(classes),
          concentration: concentration ? { value: Number(concentration) } : { shape: 0.25, rate: 0.25 },
        },
      };
    default:
      throw new Error('--made is own, record, one, partial or elsewhere');
  }
}

if (options.judge) {
  const heads = readdirSync(options.out).filter((name) => name.endsWith('.json'));
  const found = heads.sort().map((head) => stored(join(options.out!, head)));
  const judged: TermJudgement[] = [];
  for (const key of new Set(found.map(keyOf))) {
    const group = found.filter((tables) => keyOf(tables) === key);
    judged.push(...judgeTerms(group));
  }
  for (const judgement of judged) console.log(JSON.stringify(judgement));
  if (options.page) {
    const { page, apart } = divideTables(readFileSync(options.page, 'utf8'), modeTables(judged));
    writeFileSync(options.page, page);
    console.log(apart);
  }
} else {
  if (!options.name) throw new Error('--name NAME is needed');
  const lengths = LENGTHS.filter((length) => length <= Number(options.longest)).length;
  const whole = options.table ? await fileTable(options.table, options.variables?.split(',')) : makeTable(options.name as MadeTable);
  const table = someRecords(whole, Number(options.records));
  const found = twoTables({
    name: options.name,
    table: options.classes ? { ...table, classes: Number(options.classes) } : table,
    made: madeBy(options.made),
    lengths,
    seed: Number(options.seed),
    chains: Number(options.chains),
    burnIn: Number(options['burn-in']),
    share: Number(options.share),
    mostTargets: 400,
  });
  const theirs = options.made === 'elsewhere' ? [options['their-classes'], options['their-concentration'] ?? 'drawn'] : [];
  const place = [options.name, options.made, ...theirs, options['burn-in'], options.seed].join('-');
  store(join(options.out, place), found);
  console.log(`${options.name}: ${(process.cpuUsage().user / 1e6).toFixed(0)} s of CPU`);
}
