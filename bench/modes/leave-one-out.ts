import { type SampledChain, sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { modeChoice, weighModes } from '../../shared/risk/attribute/mode-choice.ts';
import { candidateChanges, candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { fileTable, type MadeTable, makeTable, type StudyTable, someRecords } from './study-tables.ts';

/**
 * What an intruder believes of a record before the release, found from chains on the whole table, against chains on the table
 * without the record: log2 of the probability of the true values, summed over the variables, the other values known. Chains are
 * weighed in three ways: as one expectation of r_x over all of them, which is right where chains choose their mode by the record;
 * by what each believes of the record, which is right where no mode depends on a record; and by how far they choose, as runs do.
 *
 *     npm run bench:prior -- TABLE RECORDS LEFT-OUT CHAINS [CLASSES]
 */
const [name = '', records = '1000', leftOut = '60', chainCount = '32', classes] = process.argv.slice(2);
const whole = name.endsWith('.csv') ? await fileTable(name) : makeTable(name as MadeTable);
const table: StudyTable = someRecords({ ...whole, classes: classes === undefined ? whole.classes : Number(classes) }, Number(records));
const CHAINS = Number(chainCount);
const { codes, sizes } = table;
const variables = sizes.length;
const settings = { classes: table.classes, concentration: { shape: 0.25, rate: 0.25 } };
const names = sizes.map((_, variable) => `${variable}`);
const space = candidateSpace('one-change', names, sizes);
const candidates = space.perCombination;
/** Draws around half of the burn-in, and those that are kept: of `evaluate` at its defaults. */
const EARLY = { burnIn: 450, draws: 5, thin: 10 };
const KEPT = { burnIn: 500, draws: 50, thin: 10 };

/** Chains on a table, from their starts: their early draws and those that are kept. */
function* chainsOn(own: Uint16Array, stream: string): Generator<Record<'early' | 'kept', SampledChain['draws']>> {
  const { combinations } = combinationsFromCodes(own, own.length / variables, variables);
  const model = createDpmpm(combinations, sizes, settings);
  const keepAllocation = combinations.count;
  for (let c = 0; c < CHAINS; c++) {
    const random = new RandomStream(1, `${stream}/${c}`);
    const early = sampleChain(model, model.init(random), random, { ...EARLY, keepAllocation }, { name: stream });
    const kept = sampleChain(model, early.last, random, { ...KEPT, keepAllocation }, { name: stream });
    yield { early: early.draws, kept: kept.draws };
  }
}

/** Log2 of the probability of the truth in every value set, added up, from probabilities of the candidates chain by chain. */
const truthBits = (ofChains: readonly Float64Array[], sets: readonly (readonly number[])[]) =>
  sets.reduce((bits, set) => {
    const total = (x: number) => ofChains.reduce((sum, own) => sum + own[x]!, 0);
    return bits + Math.log2(total(0) / set.reduce((sum, x) => sum + total(x), 0));
  }, 0);

const { combinations } = combinationsFromCodes(codes, codes.length / variables, variables);
const rows = combinations.count;
const scorer = createRatioScorer(space, combinations.codes);
/** Means of r_x, and logarithms of the means of 1 / f(x_i | Theta). */
const scored = (draws: SampledChain['draws']) => {
  const logWeights = new Float64Array(draws.draws * rows);
  const { mean } = ratioMeans(scorer, draws, rows * candidates, 0, logWeights);
  const inverses = Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let at = row; at < logWeights.length; at += rows) sum += Math.exp(logWeights[at]!) / draws.draws;
    return Math.log(sum);
  });
  return { mean, inverses };
};
const base = Array.from(chainsOn(codes, 'base'), ({ early, kept }) => ({ early: scored(early).inverses, ...scored(kept) }));
const kept = base.map(({ inverses }) => inverses);
const chosen = modeChoice(
  base.map(({ early }) => early),
  kept,
);
const weighed = (choice: Float64Array) => {
  const means = base.map(({ mean }) => mean.slice());
  weighModes(means, kept, choice);
  return means;
};
const ways = { 'one expectation': chosen.map(() => 1), 'no choice': chosen.map(() => 0), 'as runs': chosen };
const believed = Object.entries(ways).map(([way, choice]) => ({ way, means: weighed(choice) }));

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
  const without = Array.from(chainsOn(rest, `without/${record}`), ({ kept: { draws, weights, probabilities } }) => {
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
  const real = truthBits(without, sets);
  return believed.map(({ means }) => {
    const own = means.map((mean) => mean.subarray(at * candidates, (at + 1) * candidates));
    return truthBits(own, sets) - real;
  });
});

const told = believed.map((_, way) => {
  const values = differences.map((own) => own[way]!);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return `${mean.toFixed(3)} ± ${Math.sqrt(square / (values.length - 1) / values.length).toFixed(3)}`;
});
const choice = chosen.reduce((sum, value, row) => sum + value * combinations.counts[row]!, 0) / (codes.length / variables);
process.stdout.write(
  `| ${name} | ${codes.length / variables} | ${table.classes} | ${differences.length} | ${choice.toFixed(2)} | ${told.join(' | ')} |\n`,
);
