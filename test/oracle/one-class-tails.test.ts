import { describe, expect, it } from 'vitest';
import { dirichlet } from '../../bench/plain/dirichlet.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { expectationTerm } from '../../shared/risk/attribute/attribute-estimators.ts';
import { attributeRisk } from '../../shared/risk/attribute/attribute-risk.ts';
import { ChainMeans } from '../../shared/risk/attribute/chain-means.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { WeightTails } from '../../shared/risk/scoring/weight-tails.ts';
import { normalized } from '../exact-posterior.ts';

/**
 * With one class phi of a variable is Dirichlet(1 + counts) and E[r_x | D] = (1 + n_x) / n_(x_i) in closed form. Where c
 * records have a category, its phi has a density proportional to phi^c near 0: 1 / phi has moments below c + 1, and k is
 * 1 / (c + 1). The variance of 1 / f(x_i) is infinite for a record alone in a category.
 */
const sizes = [5, 5];
/** Records by category: alone, two, five, and many. */
const records = [
  [1, 2, 5, 40, 52],
  [40, 60, 0, 0, 0],
];
const DRAWS = 50;
const CHAINS = 32;
const REPETITIONS = 250;
/** Combinations by the records that share their category of the first variable; that of the second has many. */
const rows = { alone: 0, pair: 1, five: 2, many: 3 };
const codes = Uint16Array.of(0, 0, 1, 0, 2, 0, 3, 0);
const space = candidateSpace('one-change', ['0', '1'], sizes);
const candidates = space.perCombination;
const exact = Object.values(rows).map((code) =>
  normalized(
    Float64Array.from([
      0,
      ...[0, 1, 2, 3, 4].filter((c) => c !== code).map((c) => Math.log((1 + records[0]![c]!) / records[0]![code]!)),
      ...[1, 2, 3, 4].map((c) => Math.log((1 + records[1]![c]!) / records[1]![0]!)),
    ]),
  ),
);

/** The estimate from one set of independent chains: probabilities of the truth, their errors and the Pareto k. */
function estimate(seed: number) {
  const random = new RandomStream(seed, 'one class/tails');
  const scorer = createRatioScorer(space, codes);
  const tails = new WeightTails(4, CHAINS * DRAWS);
  const logWeights = new Float64Array(4 * DRAWS);
  const together = new ChainMeans(CHAINS, 4 * candidates, 'arithmetic');
  for (let c = 0; c < CHAINS; c++) {
    const probabilities = new Float64Array(10 * DRAWS);
    for (let at = 0; at < probabilities.length; at += 5) {
      probabilities.set(
        dirichlet(
          random,
          records[(at / 5) % 2]!.map((count) => 1 + count),
        ),
        at,
      );
    }
    const draws = {
      draws: DRAWS,
      classes: 1,
      categories: 10,
      weights: new Float64Array(DRAWS).fill(1),
      probabilities,
      concentration: new Float64Array(DRAWS),
      occupiedClasses: new Uint16Array(DRAWS),
      logLikelihood: new Float64Array(DRAWS),
    };
    together.add(ratioMeans(scorer, draws, 4 * candidates, 0, logWeights));
    tails.add(logWeights);
  }
  const scored = { name: 'base', drawsPerChain: DRAWS, ...together.scored(), paretoK: tails.shapes() };
  return attributeRisk({
    terms: [expectationTerm({ coefficient: 1, pool: 'arithmetic', chains: scored })],
    counts: [1, 1, 1, 1],
    candidates,
    streams: seededStreams(seed),
    slope: 1,
  });
}

describe('with one class, over independent sets of chains', () => {
  const found = Array.from({ length: REPETITIONS }, (_, r) => estimate(r + 1));
  const mean = (value: (risk: (typeof found)[number]) => number) => found.reduce((sum, risk) => sum + value(risk), 0) / REPETITIONS;

  it.each([
    ['alone', 1],
    ['pair', 2],
    ['five', 5],
  ] as const)('the Pareto k of a record, %s in its category, is 1 / (c + 1)', (name, c) => {
    // Drawn towards 1/2 by 10 in 130. The tail is Pareto in the limit alone: for small k it is too short to reach it.
    const expected = (120 / (c + 1) + 10 * 0.5) / 130;
    expect(Math.abs(mean(({ paretoK }) => paretoK[rows[name]]!) - expected)).toBeLessThan(0.08);
  });

  it('the Pareto k of a record among many is near 0, and orders the four', () => {
    const ks = Object.values(rows).map((row) => mean(({ paretoK }) => paretoK[row]!));
    expect(ks[rows.many]!).toBeLessThan(0.15);
    expect(ks.toSorted((a, b) => b - a)).toEqual(ks);
  });

  it('nine in ten of the estimates lie within 1.645 errors, somewhat fewer where the variance is infinite', () => {
    const coverage = (row: number) =>
      mean(({ probability, probabilitySe }) => Number(Math.abs(probability[row]! - exact[row]![0]!) <= 1.645 * probabilitySe[row]!));
    // Four binomial errors of 250 are 0.08.
    expect(coverage(rows.many)).toBeGreaterThan(0.82);
    expect(coverage(rows.many)).toBeLessThan(0.98);
    expect(coverage(rows.alone)).toBeGreaterThan(0.79);
  });
});
