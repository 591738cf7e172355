import { beforeAll, describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type Calibration, calibration } from '../../shared/risk/calibration/calibration.ts';
import { drawTargets } from '../../shared/risk/calibration/calibration-targets.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { categoryOffsets } from '../../shared/table/category-sizes.ts';
import { type Evaluated, evaluateInMemory, release } from './evaluate-in-memory.ts';
import { exactPartialLogLikelihoods, normalized } from './exact-posterior.ts';

const names = (sizes: readonly number[]) => [...sizes.keys()].map(String);
const unknownSpace = (sizes: readonly number[], synthesized: readonly number[]) =>
  candidateSpace({ unknown: synthesized.map(String) }, names(sizes), sizes);

/** The exact probability of the truth of every record. */
function exactProbabilities(
  codes: Uint16Array,
  sizes: readonly number[],
  datasets: readonly Uint16Array[],
  synthesized: readonly number[],
  classes: 1 | 2,
  alpha: number,
): number[] {
  const space = unknownSpace(sizes, synthesized);
  return Array.from({ length: codes.length / sizes.length }, (_, record) => {
    const values = exactPartialLogLikelihoods(
      { codes, datasets, space },
      synthesized,
      record,
      classes,
      alpha,
    );
    return normalized(values)[0]!;
  });
}

function expectWithinErrors({ risk }: Evaluated, exact: readonly number[], largestSe: number): void {
  expect(risk.probability).toHaveLength(exact.length);
  for (const [i, probability] of exact.entries()) {
    const z = (risk.probability[i]! - probability) / risk.probabilitySe[i]!;
    expect(Math.abs(z), `record ${i}`).toBeLessThan(4);
    expect(risk.probabilitySe[i]!).toBeLessThan(largestSe);
  }
}

describe('partial synthesis with two classes and five records, whose risk is a finite sum', () => {
  const codes = Uint16Array.of(...[0, 0, 1], ...[0, 0, 1], ...[1, 2, 0], ...[1, 1, 0], ...[0, 1, 1]);
  const sizes = [2, 3, 2];
  const base = { chains: 32, draws: 250, burnIn: 50, thin: 1 };
  const paired = { chains: 24, draws: 250, burnIn: 50, thin: 1 };
  const cases: [name: string, synthesized: readonly number[], alpha: number, datasets: Uint16Array[]][] = [
    ['one variable', [1], 0.8, [Uint16Array.of(0, 0, 2, 1, 0), Uint16Array.of(0, 1, 2, 2, 0)]],
    ['one variable, one dataset', [0], 0.8, [Uint16Array.of(0, 1, 1, 1, 0)]],
    [
      'two variables, three datasets',
      [0, 1],
      4,
      [
        Uint16Array.of(0, 0, 0, 1, 1, 2, 1, 2, 0, 0),
        Uint16Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1, 0),
        Uint16Array.of(1, 0, 0, 0, 1, 2, 1, 1, 0, 2),
      ],
    ],
    [
      'all variables',
      [0, 1, 2],
      0.8,
      [
        Uint16Array.of(0, 0, 1, 0, 0, 1, 1, 2, 0, 1, 1, 0, 1, 0, 1),
        Uint16Array.of(0, 1, 1, 0, 0, 0, 1, 2, 0, 1, 2, 0, 0, 0, 1),
      ],
    ],
  ];

  it.each(cases)(
    '`augmented` is exact within four of its standard errors: %s',
    (_, synthesized, alpha, datasets) => {
      const model = { classes: 2, concentration: { value: alpha } };
      const { generating } = release(codes, sizes, model, datasets.length, 200, 5, synthesized);
      const shared = { codes, sizes, datasets, model, generating, synthesized };
      const exact = exactProbabilities(codes, sizes, datasets, synthesized, 2, alpha);
      // Records that are alike differ by what was synthesized for them.
      if (synthesized.length < 3) expect(Math.abs(exact[0]! - exact[1]!)).toBeGreaterThan(0);
      expectWithinErrors(evaluateInMemory({ ...shared, seed: 95, base, paired }, 'augmented'), exact, 0.015);
    },
  );

  it('`augmented` is exact for datasets made elsewhere, chain by chain, when chains are long', () => {
    const [, synthesized, alpha, datasets] = cases[0]!;
    const model = { classes: 2, concentration: { value: alpha } };
    const long = { chains: 16, draws: 1_500, burnIn: 50, thin: 1 };
    const found = evaluateInMemory(
      { codes, sizes, datasets, model, synthesized, seed: 96, base, paired: long },
      'augmented',
    );
    expectWithinErrors(found, exactProbabilities(codes, sizes, datasets, synthesized, 2, alpha), 0.015);
  });

  it('`importance` is exact within four of its standard errors, with draws to spare', () => {
    const [, synthesized, alpha, datasets] = cases[2]!;
    const model = { classes: 2, concentration: { value: alpha } };
    const found = evaluateInMemory(
      {
        codes,
        sizes,
        datasets,
        model,
        synthesized,
        seed: 97,
        base: { ...base, chains: 40, draws: 500 },
        paired,
      },
      'importance',
    );
    expect(Math.min(...found.risk.effectiveDraws)).toBeGreaterThan(500);
    expectWithinErrors(found, exactProbabilities(codes, sizes, datasets, synthesized, 2, alpha), 0.015);
  });
});

describe('partial synthesis with one class and 300 records of four variables', () => {
  const sizes = [2, 3, 4, 5];
  const model = { classes: 1, concentration: { value: 1 } };
  const random = new RandomStream(75, 'partial/table');
  const codes = Uint16Array.from({ length: 300 * 4 }, (_, i) =>
    Math.floor(sizes[i % 4]! * random.uniform() ** 1.5),
  );
  const base = { chains: 60, draws: 25, burnIn: 0, thin: 1 };
  const paired = { chains: 40, draws: 25, burnIn: 1, thin: 1 };

  it.each([[[2]], [[1, 3]]])(
    '`augmented` and `parameters` are exact within their errors: variables %j',
    (synthesized) => {
      const { datasets, generating } = release(codes, sizes, model, 2, 0, 76, synthesized);
      const shared = { codes, sizes, datasets, model, generating, synthesized, seed: 77, base, paired };
      const exact = exactProbabilities(codes, sizes, datasets, synthesized, 1, 1);
      expect(Math.max(...exact) - Math.min(...exact)).toBeGreaterThan(0.02);
      expectWithinErrors(evaluateInMemory(shared, 'augmented'), exact, 0.01);

      // With one class f2(x, z) / f2(x_i, z) is f(x) / f(x_i), and E[phi_to / phi_from | D] is in closed form.
      const offsets = categoryOffsets(sizes);
      const counts = new Float64Array(offsets.at(-1)!);
      for (const [i, code] of codes.entries()) counts[offsets[i % 4]! + code]!++;
      const space = unknownSpace(sizes, synthesized);
      const closed = Array.from({ length: 300 }, (_, record) => {
        const own = codes.subarray(4 * record, 4 * record + 4);
        const logs = Array.from({ length: space.perCombination }, (_, x) => {
          let rest = x;
          return synthesized.toReversed().reduce((sum, k) => {
            const [from, to] = [offsets[k]! + own[k]!, offsets[k]! + (rest % sizes[k]!)];
            rest = Math.floor(rest / sizes[k]!);
            const expected = from === to ? 1 : (1 + counts[to]!) / counts[from]!;
            return generating.reduce(
              (all, { probabilities }) =>
                all + Math.log(probabilities[to]! / probabilities[from]! / expected),
              sum,
            );
          }, 0);
        });
        return 1 / logs.reduce((sum, value) => sum + Math.exp(value), 0);
      });
      expectWithinErrors(evaluateInMemory(shared, 'parameters'), closed, 0.01);
    },
  );
});

describe('records drawn from the prior, synthesized from their own classes, with two classes', () => {
  const sizes = [2, 2, 3];
  const synthesized = [1, 2];
  const RECORDS = 5;
  const TABLES = 400;
  const alpha = 1;
  const model = { classes: 2, concentration: { value: alpha } };
  const space = unknownSpace(sizes, synthesized);
  let found: Calibration;

  beforeAll(() => {
    const random = new RandomStream(82, 'partial/prior');
    const targets = TABLES * RECORDS;
    const logLikelihoods = new Float64Array(targets * space.perCombination);
    const truths = new Uint32Array(targets);
    for (let repeat = 0; repeat < TABLES; repeat++) {
      // Records that agree on the first variable agree more often than not on the others.
      const table = Uint16Array.from(
        { length: 3 * RECORDS },
        (_, i) => (Math.floor(i / 3) % 2) * (i % 3 === 2 ? 2 : 1),
      );
      const altered = drawTargets(table, space, RECORDS, random);
      const { datasets } = release(altered.codes, sizes, model, 2, 60, 5_000 + repeat, synthesized);
      for (const [t, record] of altered.records.entries()) {
        const codes = altered.codes.slice();
        codes.set(altered.centres.subarray(3 * t, 3 * t + 3), 3 * record);
        const at = repeat * RECORDS + t;
        logLikelihoods.set(
          exactPartialLogLikelihoods({ codes, datasets, space }, synthesized, record, 2, alpha),
          at * space.perCombination,
        );
        truths[at] = altered.truths[t]!;
      }
    }
    found = calibration(logLikelihoods, truths, space.perCombination);
  }, 300_000);

  it('have exact posteriors that achieve what they claim, at the slope 1, within the errors', () => {
    expect(found.claimed).toBeGreaterThan(0.02);
    expect(Math.abs(found.excess)).toBeLessThan(3 * found.excessSe);
    expect(Math.abs(found.slope - 1)).toBeLessThan(3 * found.slopeSe);
    expect(found.slopeSe).toBeLessThan(0.15);
  });
});
