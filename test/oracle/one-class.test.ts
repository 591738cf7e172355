import { describe, expect, it } from 'vitest';
import { readDraws } from '../../shared/artifacts/stored-draws.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { normalized, oneChange, oneClassLogLikelihoods } from '../exact-posterior.ts';
import { csvRows } from '../pipeline/small-run.ts';
import { largest, mistakenReleases, type RiskRow, runExactly, standardized } from './exact-run.ts';

/**
 * With one class everything is Dirichlet-multinomial in closed form for any number of records and datasets, and
 * successive draws are independent (allocation leaves no choice), so that standard errors by resampling must be right.
 */
const sizes = [2, 3, 4, 5];
const all = [0, 1, 2, 3];
const model = { classes: 1, concentration: { value: 1 } };
const mcmc = { chains: 40, burnIn: 0, draws: 25, thin: 1, pairedChains: 24, pairedDraws: 25, pairedThin: 1 };

/** A table whose categories are far from equally frequent, with about 80 combinations. */
function skewedTable(rows: number, name = 'one class/table', power = 1.5): Uint16Array {
  const random = new RandomStream(73, name);
  return Uint16Array.from({ length: rows * sizes.length }, (_, i) => {
    const size = sizes[i % sizes.length]!;
    return Math.floor(size * random.uniform() ** power);
  });
}

const codes = skewedTable(300);
const table = { codes, sizes };

/** The exact probability of the truth of every row of a run's table. */
const exactOf = (rows: readonly RiskRow[], own: typeof table, datasets: readonly Uint16Array[]) =>
  rows.map((row) => normalized(oneClassLogLikelihoods(own, datasets, all, row.codes, oneChange(row.codes, sizes)))[0]!);

/** What must hold of a run, and would not if it left a dataset out or took one twice. */
function expectExact(rows: readonly RiskRow[], own: typeof table, datasets: readonly Uint16Array[]): void {
  const exact = exactOf(rows, own, datasets);
  const z = standardized(rows, exact);
  expect(largest(z)).toBeLessThan(4);
  // Errors are neither too large nor too small: the mean of z squared is 1 when they are right.
  const meanSquare = z.reduce((sum, value) => sum + value * value, 0) / z.length;
  expect(meanSquare).toBeGreaterThan(0.2);
  expect(meanSquare).toBeLessThan(2.5);
  for (const mistaken of mistakenReleases(datasets)) {
    expect(largest(standardized(rows, exactOf(rows, own, mistaken)))).toBeGreaterThan(8);
  }
}

describe('a run with one class on 300 records of four variables', () => {
  it('is exact with `augmented` on the datasets that it synthesizes, for every combination', async () => {
    const { rows, datasets, store, plan } = await runExactly(table, { model, mcmc, synthesis: { datasets: 3 } });
    expect(rows.length).toBeGreaterThan(60);
    expectExact(rows, table, datasets);
    // And for every candidate of one of them, to within a few of the errors of its truth.
    const bytes = await candidateTable(store, { runId: plan.runId, combination: 1 });
    const [header, ...lines] = csvRows(bytes) as [string[], ...string[][]];
    const listed = oneChange(rows[0]!.codes, sizes);
    const exact = normalized(oneClassLogLikelihoods(table, datasets, all, rows[0]!.codes, listed));
    expect(lines).toHaveLength(listed.length);
    for (const line of lines) {
      const own = all.map((k) => Number(line[header.indexOf(`v${k}`)]!.slice(1)));
      const x = listed.findIndex((candidate) => candidate.every((code, k) => code === own[k]));
      const found = Number(line[header.indexOf('probability')]);
      expect(Math.abs(found - exact[x]!)).toBeLessThan(0.004);
    }
    expect(largest([...exact].map((value) => value - 1 / listed.length))).toBeGreaterThan(0.012);
  });

  it.each(['drawn', 'integrated'] as const)(
    'has the exact probabilities of the true value of each variable, before and after the release, phi %s',
    async (phi) => {
      const { rows, datasets, store, keys } = await runExactly(table, { model, mcmc, synthesis: { datasets: 3 }, attributeRisk: { phi } });
      const [header, ...lines] = csvRows(await store.get(keys.confidential.table('variable-risk').csv)) as [string[], ...string[][]];
      expect(lines).toHaveLength(rows.length * sizes.length);
      const counts = sizes.map((size, k) =>
        Array.from({ length: size }, (_, code) => codes.filter((own, i) => i % 4 === k && own === code).length),
      );
      const scores: number[] = [];
      let gains = 0;
      for (const [i, line] of lines.entries()) {
        const cell = (name: string) => Number(line[header.indexOf(name)]);
        const row = rows[Math.floor(i / sizes.length)]!;
        const k = i % sizes.length;
        const own = row.codes[k]!;
        // The true value first, the others of the record as they are.
        const values = [own, ...counts[k]!.keys()].filter((code, at) => at === 0 || code !== own);
        const candidates = values.map((code) => row.codes.map((other, at) => (at === k ? code : other)));
        // Without the record a category has the probability (1 + its count) / (size + n - 1).
        const before = values.map((code) => (1 + counts[k]![code]! - (code === own ? 1 : 0)) / (sizes[k]! + 300 - 1));
        const tells = oneClassLogLikelihoods(table, datasets, all, row.codes, candidates);
        const weights = before.map((probability, v) => probability * Math.exp(tells[v]! - tells[0]!));
        const after = weights[0]! / weights.reduce((sum, weight) => sum + weight, 0);
        expect(cell('categories')).toBe(sizes[k]);
        expect(Math.abs(cell('probability_before') / before[0]! - 1)).toBeLessThan(0.03);
        expect(cell('gain_bits')).toBeCloseTo(Math.log2(cell('probability_after') / cell('probability_before')), 10);
        const off = cell('probability_after') - after;
        if (phi === 'drawn') scores.push(off / cell('probability_se'));
        else expect(Math.max(Math.abs(off), cell('probability_se'))).toBeLessThan(1e-12);
        gains += Math.abs(Math.log2(after / before[0]!));
      }
      // And the release does tell something of these values.
      expect(gains / lines.length).toBeGreaterThan(0.02);
      if (phi === 'integrated') return;
      expect(largest(scores)).toBeLessThan(4);
      const meanSquare = scores.reduce((sum, z) => sum + z * z, 0) / scores.length;
      expect(meanSquare).toBeGreaterThan(0.2);
      expect(meanSquare).toBeLessThan(2.5);
    },
  );

  it('is exact when all datasets come from one chain', async () => {
    const synthesis = { datasets: 3, chains: 'one' };
    const { rows, datasets } = await runExactly(table, { model, mcmc, synthesis });
    expectExact(rows, table, datasets);
  });

  it('is exact for datasets made elsewhere, which are compared chain by chain', async () => {
    const elsewhere = [1.2, 1.5, 2].map((power, l) => skewedTable(300, `elsewhere/${l}`, power));
    // The mean of logs over chains is biased by half a chain's variance: longer chains, so that it is nothing.
    const longer = { ...mcmc, pairedDraws: 150 };
    const { rows, datasets } = await runExactly(table, { model, mcmc: longer, elsewhere });
    expectExact(rows, table, datasets);
  });

  it('is exact with `parameters`: log r at the generating draws minus that of log E[r | D]', async () => {
    const { rows, store, plan } = await runExactly(table, {
      model,
      mcmc,
      synthesis: { datasets: 3 },
      attributeRisk: { estimator: 'parameters' },
    });
    const offsets = [0, 2, 5, 9];
    const generating = await Promise.all([1, 2, 3].map((l) => readDraws(store, plan.runId, `synthesis/${l}`)));
    const count = (k: number, code: number) => codes.filter((other, at) => at % 4 === k && other === code).length;
    const exactWith = (draws: typeof generating) =>
      rows.map((row) => {
        const logs = oneChange(row.codes, sizes).map((candidate) => {
          const k = candidate.findIndex((code, j) => code !== row.codes[j]);
          if (k === -1) return 0;
          const [from, to] = [row.codes[k]!, candidate[k]!];
          const expected = (1 + count(k, to)) / count(k, from);
          return draws.reduce(
            (sum, { probabilities }) => sum + Math.log(probabilities[offsets[k]! + to]! / probabilities[offsets[k]! + from]! / expected),
            0,
          );
        });
        return normalized(Float64Array.from(logs))[0]!;
      });
    expect(largest(standardized(rows, exactWith(generating)))).toBeLessThan(4);
    expect(largest(standardized(rows, exactWith(generating.with(0, generating[1]!))))).toBeGreaterThan(8);
  });

  it('is exact where values are missing and imputed', async () => {
    const random = new RandomStream(74, 'missing');
    const gaps = { codes: codes.map((code, at) => (random.uniform() < 0.2 ? sizes[at % 4]! : code)), sizes };
    const synthesis = { datasets: 3, missing: 'impute' };
    const { rows, datasets } = await runExactly(gaps, { model, mcmc, synthesis });
    for (const dataset of datasets) expect(dataset.every((code, at) => code < sizes[at % 4]!)).toBe(true);
    const known = rows.filter((row) => row.codes.some((code, k) => code < sizes[k]!));
    expect(known.filter((row) => row.codes.some((code, k) => code === sizes[k]!)).length).toBeGreaterThan(50);
    // Where one candidate is left there is no error.
    expectExact(
      known.filter(({ probabilitySe }) => probabilitySe > 0),
      gaps,
      datasets,
    );
  });
});

describe('a run with one class on 12 records', () => {
  it('is exact with `importance`, because enough draws remain effective', async () => {
    const few = { codes: skewedTable(12), sizes };
    const { rows, datasets } = await runExactly(few, {
      model,
      mcmc: { ...mcmc, chains: 60, draws: 500 },
      synthesis: { datasets: 2 },
      attributeRisk: { estimator: 'importance' },
    });
    expect(Math.min(...rows.map(({ effectiveDraws }) => effectiveDraws))).toBeGreaterThan(100);
    expect(largest(standardized(rows, exactOf(rows, few, datasets)))).toBeLessThan(4);
    expect(largest(rows.map(({ probabilitySe }) => probabilitySe))).toBeLessThan(0.02);
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(standardized(rows, exactOf(rows, few, mistaken)))).toBeGreaterThan(6);
    }
  });
});
