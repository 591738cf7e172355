import { describe, expect, it } from 'vitest';
import { sampleChain } from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { augmentedTerms, expectationTerm } from '../../shared/risk/attribute/attribute-estimators.ts';
import { evaluateTerms } from '../../shared/risk/attribute/expectation.ts';
import { posterior } from '../../shared/risk/attribute/posterior.ts';
import { cellRisk } from '../../shared/risk/cells/cell-risk.ts';
import { createCellScorer } from '../../shared/risk/cells/cell-scorer.ts';
import type { CellSet } from '../../shared/risk/cells/cell-sums.ts';
import { candidateChanges, candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { codesOf } from '../../shared/risk/intruder/cell-order.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { combinationsFromCodes, stackCombinations } from '../../shared/table/distinct-rows.ts';
import { exactLogLikelihoods, normalized, rankOfFirst } from '../exact-posterior.ts';
import { firstRecords } from './draw-release.ts';
import { largest, mistakenReleases, recordOf, runExactly, standardized } from './exact-run.ts';

const sizes = [2, 3];
const alpha = 0.8;
const codes = Uint16Array.of(...[0, 0], ...[0, 0], ...[1, 2], ...[1, 1], ...[0, 1]);
const datasets = [
  Uint16Array.of(...[0, 0], ...[0, 0], ...[0, 2], ...[0, 0], ...[0, 2]),
  Uint16Array.of(...[1, 1], ...[0, 1], ...[1, 1], ...[0, 1], ...[0, 1]),
];
const combine = (rows: Uint16Array) => combinationsFromCodes(rows, rows.length / 2, 2).combinations;
const table = combine(codes);
const space = candidateSpace({ unknown: ['a', 'b'] }, ['a', 'b'], sizes);

/** Chains of `augmented` whose draws are few, since they forget where they start within some iterations. */
function augmentedChains(seed: number) {
  const schedule = { burnIn: 50, draws: 200, thin: 1 };
  const settings = { classes: 2, concentration: { value: alpha } };
  const run = (name: string, rows: typeof table, chains: number) => {
    const model = createDpmpm(rows, sizes, settings);
    return Array.from({ length: chains }, (_, c) => {
      const random = new RandomStream(seed, `${name}/${c}`);
      return sampleChain(model, model.init(random), random, schedule, { name }).draws;
    });
  };
  const sides = [
    ...datasets.map((dataset, l) => ({ name: `stacked/${l}`, rows: stackCombinations(table, combine(dataset)) })),
    ...datasets.map((_, l) => ({ name: `alone/${l}`, rows: table })),
  ];
  return [...sides, { name: 'base', rows: table }].map(({ name, rows }) => ({ name, draws: run(name, rows, name === 'base' ? 32 : 24) }));
}

/** The risk over all cells, and the full posterior of every candidate from the same draws. */
function assess(seed: number) {
  const scorer = createRatioScorer(space, table.codes);
  const chains = augmentedChains(seed);
  const scored = chains.map(({ name, draws }) => ({
    name,
    drawsPerChain: 200,
    means: draws.map((chain) => ratioMeans(scorer, chain, table.count * space.perCombination).mean),
  }));
  const pairs = datasets.map((_, l) => ({ stacked: scored[l]!, table: scored[2 + l]!, chainByChain: false }));
  const terms = augmentedTerms(scored[4]!, pairs)
    .map(expectationTerm)
    .filter(({ coefficient }) => coefficient !== 0);
  const sets = terms.map(
    (term): CellSet => ({
      name: term.chains,
      coefficient: term.coefficient,
      pool: term.pool,
      chains: term.means.length,
      drawsPerChain: 200,
    }),
  );
  const cells = createCellScorer({ sizes, codes: table.codes, classes: 2, sets, streams: seededStreams(seed), slope: 1 });
  const drawsOf = new Map(chains.map(({ name, draws }) => [name, draws]));
  for (const [c, draws] of sets.flatMap(({ name }) => drawsOf.get(name)!).entries()) cells.load(c, draws);
  for (let block = 0; block < cells.blocks; block++) cells.addBlock(block);
  const found = cellRisk(cells.sums(), {
    order: cells.order,
    codes: table.codes,
    counts: table.counts,
    effectiveDraws: cells.effectiveDraws(),
    paretoK: cells.paretoK(),
  });
  const evaluate = evaluateTerms(terms, seededStreams(seed), space.perCombination, 1);
  const full = Array.from({ length: table.count }, (_, c) => posterior(evaluate(c), 0, space.perCombination));
  return { ...found, order: cells.order, full };
}

/** Codes of a candidate of a combination. */
function codesOfCandidate(combination: number, candidate: number): Uint16Array {
  const own = table.codes.slice(2 * combination, 2 * combination + 2);
  for (const { variable, code } of candidateChanges(space, own, candidate)) own[variable] = code;
  return own;
}

describe('the posterior over all cells', () => {
  it.each([
    ['its own datasets', {}],
    ['datasets made elsewhere', { elsewhere: datasets }],
  ])('is exact in a run, with two classes and five records: %s', async (_, given) => {
    const { rows, datasets: released } = await runExactly(
      { codes, sizes },
      {
        model: { classes: 2, concentration: { value: alpha } },
        mcmc: { chains: 32, burnIn: 50, draws: 200, thin: 1, pairedChains: 16, pairedDraws: 500, pairedThin: 2 },
        attributeRisk: { candidates: 'all-cells' },
        synthesis: { datasets: 2 },
        ...given,
      },
    );
    const exactOf = (own: readonly Uint16Array[]) =>
      rows.map((row) => exactLogLikelihoods({ codes, datasets: own, space }, recordOf({ codes, sizes }, row), 2, alpha));
    const truths = (exact: readonly Float64Array[]) => exact.map((values) => normalized(values)[0]!);
    const exact = exactOf(released);
    expect(largest(standardized(rows, truths(exact)))).toBeLessThan(4);
    for (const [c, { probabilitySe, rankLow, rankHigh }] of rows.entries()) {
      expect(probabilitySe).toBeLessThan(0.015);
      expect(rankLow).toBeLessThanOrEqual(rankOfFirst(exact[c]!));
      expect(rankHigh).toBeGreaterThanOrEqual(rankOfFirst(exact[c]!));
    }
    for (const mistaken of mistakenReleases(released)) {
      expect(largest(standardized(rows, truths(exactOf(mistaken))))).toBeGreaterThan(4);
    }
  });

  it('has the guesses and marginals that follow from the probability of every candidate', () => {
    const { guesses, marginals, order, full } = assess(82);
    expect(guesses.perCombination).toBe(6);
    for (const [c, distribution] of full.entries()) {
      const expected = new Float64Array(5);
      const listed = [...distribution.entries()].sort(([, a], [, b]) => b - a);
      for (const [g, [candidate, probability]] of listed.entries()) {
        const own = codesOfCandidate(c, candidate);
        expect(codesOf(order, guesses.cells[6 * c + g]!)).toEqual(own);
        expect(guesses.probabilities[6 * c + g]).toBeCloseTo(probability, 12);
        expected[own[0]!]! += probability;
        expected[2 + own[1]!]! += probability;
      }
      for (let k = 0; k < 5; k++) expect(marginals[5 * c + k]).toBeCloseTo(expected[k]!, 12);
    }
  });

  it('has standard errors that cover the exact probability as often as they should, over 40 seeds', () => {
    const exact = [...firstRecords(codes, 2)].map(
      (record) => normalized(exactLogLikelihoods({ codes, datasets, space }, record, 2, alpha))[0]!,
    );
    const covered = new Float64Array(exact.length);
    for (let seed = 1; seed <= 40; seed++) {
      const { risk } = assess(seed);
      for (const [c, probability] of exact.entries()) {
        if (Math.abs(risk.probability[c]! - probability) <= 1.645 * risk.probabilitySe[c]!) covered[c]!++;
      }
    }
    // 90 % of 40 is 36, give or take 1.9.
    for (const [c, times] of covered.entries()) expect(times, `combination ${c}`).toBeGreaterThanOrEqual(29);
  });
});
