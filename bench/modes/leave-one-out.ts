import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateChanges, candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { fileTable, type MadeTable, makeTable, type StudyTable, someRecords } from './study-tables.ts';

/**
 * What an intruder believes of a record before the release, found from chains on the whole table in two ways, against
 * chains on the table without the record: log2 of the probability of the true values, summed over the variables, the
 * other values known. One expectation over all chains, as runs have it, weighs each mode by one over the probability that
 * it gives the record: right where chains choose their mode by the record too. A mean over chains of what each believes is
 * right where they do not.
 *
 *     npm run bench:prior -- TABLE RECORDS LEFT-OUT CHAINS [CLASSES]
 */
const [name = '', records = '1000', leftOut = '60', chainCount = '24', classes] = process.argv.slice(2);
const whole = name.endsWith('.csv') ? await fileTable(name) : makeTable(name as MadeTable);
const table: StudyTable = someRecords({ ...whole, classes: classes === undefined ? whole.classes : Number(classes) }, Number(records));
const CHAINS = Number(chainCount);
const { codes, sizes } = table;
const variables = sizes.length;
const settings = { classes: table.classes, concentration: { shape: 0.25, rate: 0.25 } };
const names = sizes.map((_, variable) => `${variable}`);
const space = candidateSpace('one-change', names, sizes);
const candidates = space.perCombination;

/** Draws of so many chains on a table, each by the use that is made of it. */
function eachChain<T>(own: Uint16Array, stream: string, use: (draws: ReturnType<typeof sampleChain>['draws']) => T) {
  const { combinations } = combinationsFromCodes(own, own.length / variables, variables);
  const model = createDpmpm(combinations, sizes, settings);
  const schedule = { burnIn: 1000, draws: 20, thin: 10, keepAllocation: combinations.count };
  return Array.from({ length: CHAINS }, (_, c) => {
    const random = new RandomStream(1, `${stream}/${c}`);
    return use(sampleChain(model, model.init(random), random, schedule, { name: stream }).draws);
  });
}

/** Log2 of the probability of the truth in every value set, added up: as the mean over chains, and from one expectation. */
function truthBits(ofChains: readonly Float64Array[], sets: readonly (readonly number[])[]) {
  let mean = 0;
  let pooled = 0;
  for (const set of sets) {
    const totals = ofChains.map((own) => set.reduce((sum, x) => sum + own[x]!, 0));
    mean += Math.log2(ofChains.reduce((sum, own, c) => sum + own[0]! / totals[c]!, 0) / CHAINS);
    pooled += Math.log2(ofChains.reduce((sum, own) => sum + own[0]!, 0) / totals.reduce((a, b) => a + b));
  }
  return { mean, pooled };
}

const { combinations } = combinationsFromCodes(codes, codes.length / variables, variables);
const scorer = createRatioScorer(space, combinations.codes);
const base = eachChain(codes, 'base', (draws) => ratioMeans(scorer, draws, combinations.count * candidates).mean);

const pick = new RandomStream(1, 'left-out');
const differences = Array.from({ length: Number(leftOut) }, () => {
  const record = pick.below(codes.length / variables);
  const truth = codes.subarray(record * variables, (record + 1) * variables);
  const changed = Array.from({ length: candidates }, (_, x) => {
    const own = truth.slice();
    for (const { variable, code } of x === 0 ? [] : candidateChanges(space, truth, x)) own[variable] = code;
    return own;
  });
  const sets = names.map((_, k) => changed.flatMap((own, x) => (x === 0 || own[k] !== truth[k] ? [x] : [])));
  const rest = Uint16Array.from([...codes.subarray(0, record * variables), ...codes.subarray((record + 1) * variables)]);
  const without = eachChain(rest, `without/${record}`, ({ draws, weights, probabilities }) => {
    const density = new Float64Array(candidates);
    for (let d = 0; d < draws; d++) {
      for (let f = 0; f < table.classes; f++) {
        for (const [x, own] of changed.entries()) {
          let product = weights[d * table.classes + f]!;
          let row = d * sizes.reduce((sum, size) => sum + size, 0);
          for (const [k, code] of own.entries()) {
            product *= probabilities[(row + code) * table.classes + f]!;
            row += sizes[k]!;
          }
          density[x]! += product;
        }
      }
    }
    return density;
  });
  let at = 0;
  while (!truth.every((code, k) => combinations.codes[at * variables + k] === code)) at++;
  const found = truthBits(
    base.map((own) => own.subarray(at * candidates, (at + 1) * candidates)),
    sets,
  );
  const real = truthBits(without, sets);
  return { mean: found.mean - real.mean, pooled: found.pooled - real.mean, two: real.pooled - real.mean };
});

const told = (key: keyof (typeof differences)[number]) => {
  const values = differences.map((own) => own[key]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return `${mean.toFixed(3)} ± ${Math.sqrt(square / (values.length - 1) / values.length).toFixed(3)}`;
};
process.stdout.write(
  `| ${name} | ${codes.length / variables} | ${table.classes} | ${differences.length} | ${told('pooled')} | ${told('mean')} | ${told('two')} |\n`,
);
