import { beforeAll, describe, expect, it } from 'vitest';
import { readDraws } from '../../shared/artifacts/stored-draws.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type Calibration, calibration } from '../../shared/risk/calibration/calibration.ts';
import { drawTargets } from '../../shared/risk/calibration/calibration-targets.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { allValues, exactPartialLogLikelihoods, normalized, oneClassLogLikelihoods } from '../exact-posterior.ts';
import { release } from './draw-release.ts';
import {
  type ExactTable,
  FORGETFUL_CHAINS,
  largest,
  mistakenReleases,
  nameOf,
  runExactly,
  standardized,
  synthesizedOf,
} from './exact-run.ts';

const unknownSpace = (sizes: readonly number[], synthesized: readonly number[]) =>
  candidateSpace(
    { unknown: synthesized.map(nameOf) },
    sizes.map((_, k) => nameOf(k)),
    sizes,
  );

/** The exact probability of the truth of every record, with two classes. */
function exactProbabilities(
  { codes, sizes }: ExactTable,
  datasets: readonly Uint16Array[],
  synthesized: readonly number[],
  alpha: number,
): number[] {
  const release = {
    codes,
    datasets: datasets.map((dataset) => synthesizedOf(dataset, sizes.length, synthesized)),
    space: unknownSpace(sizes, synthesized),
  };
  return Array.from(
    { length: codes.length / sizes.length },
    (_, record) => normalized(exactPartialLogLikelihoods(release, synthesized, record, 2, alpha))[0]!,
  );
}

describe('a run that keeps variables, with two classes and five records, whose risk is a finite sum', () => {
  const table: ExactTable = {
    codes: Uint16Array.of(...[0, 0, 1], ...[0, 0, 1], ...[1, 2, 0], ...[1, 1, 0], ...[0, 1, 1]),
    sizes: [2, 3, 2],
  };
  const mcmc = FORGETFUL_CHAINS;
  const cases: [name: string, synthesized: readonly number[], alpha: number, datasets: number][] = [
    ['one variable, two datasets', [1], 0.8, 2],
    ['one variable, one dataset', [0], 0.8, 1],
    ['two variables, three datasets', [0, 1], 4, 3],
  ];
  /** The exact answer to a release in which records have been given the values of the records before them. */
  const rotated = (datasets: readonly Uint16Array[]) =>
    datasets.map((dataset) => Uint16Array.from([...dataset.subarray(-3), ...dataset.subarray(0, -3)]));

  it.each(cases)('is exact with `augmented`: %s', async (_, synthesized, alpha, m) => {
    const { rows, datasets } = await runExactly(table, {
      model: { classes: 2, concentration: { value: alpha } },
      mcmc,
      synthesis: { datasets: m, synthesized: synthesized.map(nameOf) },
    });
    const exact = (own: readonly Uint16Array[]) => exactProbabilities(table, own, synthesized, alpha);
    expect(largest(standardized(rows, exact(datasets)))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.015);
    // A run that left a dataset out, took one twice, or lost which record has which values would be seen.
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(standardized(rows, exact(mistaken)))).toBeGreaterThan(5);
    }
    expect(largest(standardized(rows, exact(rotated(datasets))))).toBeGreaterThan(5);
  });

  it('is exact beside a kept variable that is the same for all records', async () => {
    const constant: ExactTable = {
      codes: Uint16Array.from([0, 1, 2, 3, 4].flatMap((i) => [0, ...table.codes.subarray(3 * i, 3 * i + 3)])),
      sizes: [1, ...table.sizes],
    };
    const { rows, datasets } = await runExactly(constant, {
      model: { classes: 2, concentration: { value: 0.8 } },
      mcmc,
      synthesis: { datasets: 1, synthesized: [nameOf(2)] },
    });
    const exact = exactProbabilities(constant, datasets, [2], 0.8);
    expect(largest(standardized(rows, exact))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.015);
  });

  const elsewhere = [
    Uint16Array.of(...[0, 0, 1], ...[0, 0, 1], ...[1, 2, 0], ...[1, 1, 0], ...[0, 0, 1]),
    Uint16Array.of(...[0, 0, 1], ...[0, 1, 1], ...[1, 2, 0], ...[1, 2, 0], ...[0, 0, 1]),
  ];

  it.each([
    ['augmented', { pairedChains: 16, pairedDraws: 1500, pairedThin: 1 }],
    ['importance', { chains: 40, draws: 500 }],
  ])('is exact with `%s` for datasets made elsewhere, when chains are long', async (estimator, numbers) => {
    const { rows } = await runExactly(table, {
      model: { classes: 2, concentration: { value: 0.8 } },
      mcmc: { ...mcmc, ...numbers },
      synthesis: { synthesized: [nameOf(1)] },
      attributeRisk: { estimator },
      elsewhere,
    });
    expect(largest(standardized(rows, exactProbabilities(table, elsewhere, [1], 0.8)))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.015);
    for (const mistaken of [...mistakenReleases(elsewhere), rotated(elsewhere)]) {
      expect(largest(standardized(rows, exactProbabilities(table, mistaken, [1], 0.8)))).toBeGreaterThan(5);
    }
  });
});

describe('a run that keeps variables, with one class and 300 records', () => {
  const sizes = [2, 3, 4, 5];
  const model = { classes: 1, concentration: { value: 1 } };
  const random = new RandomStream(75, 'partial/table');
  const codes = Uint16Array.from({ length: 300 * 4 }, (_, i) => Math.floor(sizes[i % 4]! * random.uniform() ** 1.5));
  const table = { codes, sizes };
  const mcmc = { chains: 40, burnIn: 0, draws: 25, thin: 1, pairedChains: 24, pairedDraws: 25, pairedThin: 1 };

  it.each([[[2]], [[1, 3]]])('is exact with `augmented` and `parameters`: variables %j', async (synthesized) => {
    const settings = { model, mcmc, synthesis: { datasets: 3, synthesized: synthesized.map(nameOf) } };
    const { rows, datasets } = await runExactly(table, settings);
    const exact = (own: readonly Uint16Array[]) =>
      rows.map(
        ({ codes: row }) => normalized(oneClassLogLikelihoods(table, own, synthesized, row, allValues(row, sizes, synthesized)))[0]!,
      );
    expect(rows).toHaveLength(300);
    expect(largest(standardized(rows, exact(datasets)))).toBeLessThan(4);
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(standardized(rows, exact(mistaken)))).toBeGreaterThan(5);
    }

    // With one class f2(x, z) / f2(x_i, z) is f(x) / f(x_i), and E[phi_to / phi_from | D] is in closed form.
    const known = await runExactly(table, { ...settings, attributeRisk: { estimator: 'parameters' } });
    const generating = await Promise.all([1, 2, 3].map((l) => readDraws(known.store, known.plan.runId, `synthesis/${l}`)));
    const offsets = [0, 2, 5, 9];
    const count = (k: number, code: number) => codes.filter((other, at) => at % 4 === k && other === code).length;
    const closed = known.rows.map(({ codes: row }) => {
      const logs = allValues(row, sizes, synthesized).map((candidate) =>
        synthesized.reduce((sum, k) => {
          const [from, to] = [row[k]!, candidate[k]!];
          if (from === to) return sum;
          const expected = (1 + count(k, to)) / count(k, from);
          return generating.reduce(
            (rest, { probabilities }) => rest + Math.log(probabilities[offsets[k]! + to]! / probabilities[offsets[k]! + from]! / expected),
            sum,
          );
        }, 0),
      );
      return normalized(Float64Array.from(logs))[0]!;
    });
    expect(largest(standardized(known.rows, closed))).toBeLessThan(4);
  });
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
      const table = Uint16Array.from({ length: 3 * RECORDS }, (_, i) => (Math.floor(i / 3) % 2) * (i % 3 === 2 ? 2 : 1));
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
