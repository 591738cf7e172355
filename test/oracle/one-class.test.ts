import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { EVALUATIONS, RESAMPLES } from '../../shared/risk/attribute/chain-evaluations.ts';
import { VALUE_COLUMNS } from '../../shared/risk/attribute/value-risk.ts';
import { candidateChanges } from '../../shared/risk/intruder/candidate-space.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';
import { type Evaluated, evaluateInMemory, firstRecords, release } from './evaluate-in-memory.ts';
import { exactLogLikelihoods, normalized, rankOfFirst } from './exact-posterior.ts';

/**
 * With one class everything is Dirichlet-multinomial in closed form for any number of records, and successive
 * draws are independent (allocation leaves no choice), so that standard errors by resampling must be right.
 */
const sizes = [2, 3, 4, 5];
const records = 300;
const model = { classes: 1, concentration: { value: 1 } };
const DATASETS = 2;

/** A table whose categories are far from equally frequent, with about 80 combinations. */
function skewedTable(rows: number): Uint16Array {
  const random = new RandomStream(73, 'one class/table');
  return Uint16Array.from({ length: rows * sizes.length }, (_, i) => {
    const size = sizes[i % sizes.length]!;
    return Math.floor(size * random.uniform() ** 1.5);
  });
}

const codes = skewedTable(records);
const released = release(codes, sizes, model, DATASETS, 0, 73);
const firsts = firstRecords(codes, sizes.length);

/** Standard deviation over resamples of the difference of two candidates' log-likelihoods. */
function resampledSe(values: Float64Array, candidates: number, x: number): number {
  let sum = 0;
  let squares = 0;
  for (let b = 1; b <= RESAMPLES; b++) {
    const value = values[b * candidates + x]! - values[b * candidates]!;
    sum += value;
    squares += value * value;
  }
  return Math.sqrt((squares - (sum * sum) / RESAMPLES) / (RESAMPLES - 1));
}

/**
 * Differences from the exact log-likelihoods, each candidate against the truth, in the estimate's own
 * standard errors: one list for each combination.
 */
function candidateZ(evaluated: Evaluated, exact: readonly Float64Array[]): number[][] {
  const { evaluate, space } = evaluated;
  const candidates = space.perCombination;
  return exact.map((expected, combination) => {
    const values = evaluate(combination);
    expect(values).toHaveLength(EVALUATIONS * candidates);
    return Array.from({ length: candidates - 1 }, (_, i) => {
      const difference = values[i + 1]! - values[0]! - (expected[i + 1]! - expected[0]!);
      return difference / resampledSe(values, candidates, i + 1);
    });
  });
}

function probabilityZ({ risk }: Evaluated, exact: readonly Float64Array[]): number[] {
  return exact.map(
    (expected, c) => (risk.probability[c]! - normalized(expected)[0]!) / risk.probabilitySe[c]!,
  );
}

const meanSquare = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value * value, 0) / values.length;

/** What must hold of errors in units of their standard errors, over combinations that share their chains. */
function expectWithinErrors(evaluated: Evaluated, exact: readonly Float64Array[]) {
  for (const [c, z] of probabilityZ(evaluated, exact).entries()) {
    expect(Math.abs(z), `truth of combination ${c}`).toBeLessThan(4);
  }
  const all = candidateZ(evaluated, exact).flat();
  for (const [i, z] of all.entries()) expect(Math.abs(z), `candidate ${i}`).toBeLessThan(4);
  // Neither too large nor too small: the mean of z squared is 1 when the errors are right.
  expect(meanSquare(all)).toBeGreaterThan(0.3);
  expect(meanSquare(all)).toBeLessThan(2);
}

describe('with one class and 300 records of four variables', () => {
  const space = { kind: 'one-change', sizes, unknown: [0, 1, 2, 3], perCombination: 11 } as const;
  const exact = [...firsts].map((record) =>
    exactLogLikelihoods({ codes, datasets: released.datasets, space }, record, 1, 1),
  );

  const probabilities = exact.map((values) => normalized(values)[0]!);
  const spread = Math.max(...probabilities) - Math.min(...probabilities);
  const shared = { codes, sizes, datasets: released.datasets, model, seed: 72 };

  it('the truth is neither certain nor hidden, so that there is something to estimate', () => {
    expect(exact.length).toBeGreaterThan(60);
    const ranks = exact.map(rankOfFirst);
    expect(new Set(ranks).size).toBeGreaterThan(5);
    expect(spread).toBeGreaterThan(0.02);
  });

  it('`augmented` is exact within four of its own standard errors, for every combination and candidate', () => {
    const evaluated = evaluateInMemory(
      {
        ...shared,
        generating: released.generating,
        base: { chains: 60, draws: 25, burnIn: 0, thin: 1 },
        paired: { chains: 40, draws: 25, burnIn: 1, thin: 1 },
      },
      'augmented',
    );
    expectWithinErrors(evaluated, exact);
    // And the errors are small enough to say something.
    expect(Math.max(...evaluated.risk.probabilitySe)).toBeLessThan(spread / 5);
  });

  it('the true value of each variable has the exact probabilities before and after the release', () => {
    const { risk, combinations } = evaluateInMemory(
      {
        ...shared,
        generating: released.generating,
        base: { chains: 60, draws: 25, burnIn: 0, thin: 1 },
        paired: { chains: 40, draws: 25, burnIn: 1, thin: 1 },
      },
      'augmented',
    );
    const counts = sizes.map((size, k) =>
      Array.from({ length: size }, (_, code) => codes.filter((own, i) => i % 4 === k && own === code).length),
    );
    const scores: number[] = [];
    let gains = 0;
    for (const [c, logLikelihoods] of exact.entries()) {
      let candidate = 1;
      for (const [k, size] of sizes.entries()) {
        const own = combinations.codes[4 * c + k]!;
        const others = Array.from({ length: size - 1 }, (_, i) => candidate + i);
        candidate += size - 1;
        // Without the record a category has the probability (1 + its count) / (size + n - 1).
        const before = counts[k]!.map(
          (count, code) => (1 + count - (code === own ? 1 : 0)) / (size + records - 1),
        );
        const weights = [0, ...others].map((x, i) => {
          const code = i === 0 ? own : i <= own ? i - 1 : i;
          return before[code]! * Math.exp(logLikelihoods[x]! - logLikelihoods[0]!);
        });
        const after = weights[0]! / weights.reduce((sum, weight) => sum + weight, 0);
        const figure = (name: (typeof VALUE_COLUMNS)[number]) =>
          risk.values.columns[(c * sizes.length + k) * VALUE_COLUMNS.length + VALUE_COLUMNS.indexOf(name)]!;
        expect(figure('values')).toBe(size);
        expect(Math.abs(figure('probabilityBefore') / before[own]! - 1)).toBeLessThan(0.03);
        expect(figure('gainBits')).toBeCloseTo(
          Math.log2(figure('probabilityAfter') / figure('probabilityBefore')),
          10,
        );
        scores.push((figure('probabilityAfter') - after) / figure('probabilitySe'));
        gains += Math.abs(Math.log2(after / before[own]!));
      }
    }
    for (const [i, z] of scores.entries()) expect(Math.abs(z), `row ${i}`).toBeLessThan(4);
    expect(meanSquare(scores)).toBeGreaterThan(0.3);
    expect(meanSquare(scores)).toBeLessThan(2);
    // And the release does tell something of these values.
    expect(gains / scores.length).toBeGreaterThan(0.02);
  });

  it('`augmented` is as exact for datasets whose generating draw is unknown, chain by chain', () => {
    // The mean of logs over chains is biased by half a chain's variance: longer chains, so that it is nothing.
    const evaluated = evaluateInMemory(
      {
        ...shared,
        base: { chains: 40, draws: 40, burnIn: 0, thin: 1 },
        paired: { chains: 40, draws: 200, burnIn: 0, thin: 1 },
      },
      'augmented',
    );
    expectWithinErrors(evaluated, exact);
  });

  it('`parameters` is the sum of log r at the generating draws minus that of log E[r | D], in closed form', () => {
    const evaluated = evaluateInMemory(
      {
        ...shared,
        generating: released.generating,
        base: { chains: 60, draws: 25, burnIn: 0, thin: 1 },
        paired: { chains: 40, draws: 25, burnIn: 1, thin: 1 },
      },
      'parameters',
    );
    const offsets = categoryOffsets(sizes);
    const counts = new Float64Array(offsets.at(-1)!);
    for (const [i, code] of codes.entries()) counts[offsets[i % 4]! + code]!++;
    const closed = [...firsts].map((record) => {
      const row = codes.subarray(4 * record, 4 * record + 4);
      return Float64Array.from({ length: space.perCombination }, (_, candidate) => {
        if (candidate === 0) return 0;
        const [{ variable, code }] = candidateChanges(space, row, candidate) as [
          { variable: number; code: number },
        ];
        const [from, to] = [offsets[variable]! + row[variable]!, offsets[variable]! + code];
        // E[phi_to / phi_from | D] of a Dirichlet(1 + counts).
        const expected = (1 + counts[to]!) / counts[from]!;
        return released.generating.reduce(
          (sum, { probabilities }) =>
            sum + Math.log(probabilities[to]! / probabilities[from]!) - Math.log(expected),
          0,
        );
      });
    });
    expectWithinErrors(evaluated, closed);
  });
});

describe('with one class and 12 records', () => {
  const few = skewedTable(12);
  const small = release(few, sizes, model, DATASETS, 0, 73);
  const space = { kind: 'one-change', sizes, unknown: [0, 1, 2, 3], perCombination: 11 } as const;
  const exact = [...firstRecords(few, 4)].map((record) =>
    exactLogLikelihoods({ codes: few, datasets: small.datasets, space }, record, 1, 1),
  );

  it('`importance` is exact within its errors, because hundreds of draws remain effective', () => {
    const evaluated = evaluateInMemory(
      {
        codes: few,
        sizes,
        datasets: small.datasets,
        model,
        seed: 74,
        base: { chains: 60, draws: 500, burnIn: 0, thin: 1 },
        paired: { chains: 1, draws: 1, burnIn: 0, thin: 1 },
      },
      'importance',
    );
    expect(Math.min(...evaluated.risk.effectiveDraws)).toBeGreaterThan(300);
    for (const [c, z] of probabilityZ(evaluated, exact).entries()) {
      expect(Math.abs(z), `truth of combination ${c}`).toBeLessThan(4);
    }
    expect(Math.max(...evaluated.risk.probabilitySe)).toBeLessThan(0.02);
  });
});
