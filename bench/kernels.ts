/**
 * How much faster the kernels are than the plain programs that they repeat bit by bit, in one run: medians of
 * CPU time over repeats, on a table that the example's generator makes.
 *
 *     npm run bench            a table
 *     npm run bench -- --json  one JSON document
 */
import { parseArgs } from 'node:util';
import { householdTable } from '../examples/household-table.ts';
import { createDpmpm } from '../shared/model/dpmpm.ts';
import { createReferenceDpmpm } from '../shared/model/dpmpm-reference.ts';
import { categorySizes } from '../shared/pipeline/stored-table.ts';
import { RandomStream } from '../shared/random/random-stream.ts';
import { candidateSpace } from '../shared/risk/candidate-space.ts';
import { createEvaluator } from '../shared/risk/evaluator.ts';
import { createReferenceEvaluator } from '../shared/risk/evaluator-reference.ts';
import type { ExpectationTerm } from '../shared/risk/expectation.ts';
import { uniqueCombinations } from '../shared/table/combinations.ts';
import { readTable } from '../shared/table/read-table.ts';
import { growScoring, measureScoring } from './scoring.ts';

const RECORDS = 7000;
const REPEATS = 9;

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

/** Milliseconds of this process's CPU that one call takes: the median over repeats of `calls` calls. */
function milliseconds(calls: number, call: () => void): number {
  for (let i = 0; i < calls; i++) call();
  const times = Array.from({ length: REPEATS }, () => {
    const started = process.cpuUsage();
    for (let i = 0; i < calls; i++) call();
    return process.cpuUsage(started).user / 1000 / calls;
  });
  return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!;
}

const { table } = await readTable(householdTable(1, RECORDS), { missing: 'refuse' });
const { combinations } = uniqueCombinations(table);
const sizes = categorySizes(table.schema);
const space = candidateSpace('one-change', sizes.map(String), sizes);

const rows = [20, 40, 80].flatMap((classes) => {
  const settings = { classes, concentration: { shape: 0.25, rate: 0.25 } };
  const random = new RandomStream(1, 'bench');
  const iterate = (model: ReturnType<typeof createDpmpm>) => {
    let state = model.init(random);
    return milliseconds(40, () => {
      state = model.step(state, random);
    });
  };
  return [
    {
      work: `one iteration, ${combinations.count} combinations, ${classes} classes`,
      kernel: iterate(createDpmpm(combinations, sizes, settings)),
      plain: iterate(createReferenceDpmpm(combinations, sizes, settings)),
    },
  ];
});

/** The terms of five datasets, with 8 pairs of chains each, and of 32 base chains, for one combination. */
const random = new RandomStream(1, 'bench/terms');
const terms = [
  ...Array.from({ length: 5 }, (_, l) => ({ chains: `stacked/${l}`, count: 8, coefficient: 1 })),
  ...Array.from({ length: 5 }, (_, l) => ({ chains: `alone/${l}`, count: 8, coefficient: 1 / 5 - 1 })),
  { chains: 'base', count: 32, coefficient: -1 },
].map(
  ({ chains, count, coefficient }): ExpectationTerm => ({
    coefficient,
    chains,
    means: Array.from({ length: count }, () =>
      Float64Array.from({ length: space.perCombination }, () => random.uniform()),
    ),
    draws: 50 * count,
    pool: 'arithmetic',
  }),
);
const evaluate = (create: typeof createEvaluator) => {
  const evaluator = create(terms, 1, space.perCombination, 1);
  return milliseconds(10, () => evaluator(0));
};
rows.push({
  work: `evaluate one combination, ${space.perCombination} candidates, 112 chains`,
  kernel: evaluate(createEvaluator),
  plain: evaluate(createReferenceEvaluator),
});

const results = rows.map((row) => ({ ...row, ratio: row.plain / row.kernel }));
const scored = { name: 'household table', records: RECORDS, combinations, sizes };
const measurements = measureScoring(scored);
const growths = growScoring(scored);
if (options.json) {
  console.log(JSON.stringify({ results, measurements, growths }, null, 2));
} else {
  for (const { work, kernel, plain, ratio } of results) {
    console.log(
      `${work}: kernel ${kernel.toFixed(3)} ms, plain ${plain.toFixed(3)} ms, ${ratio.toFixed(1)} times faster`,
    );
  }
  for (const { work, kernelMs, baseline, baselineMs, ratio } of measurements) {
    console.log(
      `${work}: kernel ${kernelMs.toFixed(3)} ms, ${baseline} ${baselineMs.toFixed(3)} ms, ratio ${ratio.toFixed(2)}`,
    );
  }
  for (const { work, size, exponent } of growths) {
    console.log(`${work}: grows as ${size}^${exponent.toFixed(2)}`);
  }
}
