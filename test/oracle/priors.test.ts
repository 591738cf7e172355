import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { allValues, exactLogLikelihoods, logMarginal, normalized, oneClassLogLikelihoods } from '../exact-posterior.ts';
import { type ExactTable, FORGETFUL_CHAINS, largest, type RiskRow, recordOf, runExactly, textOf } from './exact-run.ts';

/**
 * Priors of runs from their plans to their files, against enumeration: with one class the likelihood and the model's own
 * prior are Dirichlet-multinomial in closed form, with two classes and a few records they are finite sums.
 */
const sizes = [2, 3, 4];
const unknown = [1, 2];
const candidates = { unknown: ['v1', 'v2'] };
const model = { classes: 1, concentration: { value: 1 } };
const mcmc = { chains: 40, burnIn: 0, draws: 25, thin: 1, pairedChains: 24, pairedDraws: 25, pairedThin: 1 };

function skewed(records: number): ExactTable {
  const random = new RandomStream(21, 'priors/table');
  const codes = Uint16Array.from({ length: records * sizes.length }, (_, i) =>
    Math.floor(sizes[i % sizes.length]! * random.uniform() ** 1.6),
  );
  return { codes, sizes };
}

const table = skewed(120);

/** Weights of v2, then of v0 and v1 together; one cell of the latter has none. */
const ofOne = [0.5, 3, 1, 2];
const ofTwo = [
  [1, 2, 3],
  [4, 0.5, 2],
];
const files = [
  encodeCsv(
    ['weight', 'v2'],
    ofOne.map((weight, code) => [weight, textOf(code)]),
  ),
  encodeCsv(
    ['v1', 'weight', 'v0'],
    ofTwo.flatMap((row, v0) => row.map((weight, v1) => [textOf(v1), weight, textOf(v0)])),
  ),
];

const withoutOne = ({ codes }: ExactTable, row: readonly number[]): number[][] => {
  const rows = Array.from({ length: codes.length / sizes.length }, (_, i) => [...codes.subarray(i * sizes.length, (i + 1) * sizes.length)]);
  const own = rows.findIndex((one) => one.join() === row.join());
  return rows.toSpliced(own, 1);
};

/** What each prior is by its definition, of the candidates of a row, the truth first; up to a constant. */
const PRIORS: Record<string, (own: ExactTable, row: readonly number[], of?: number[]) => number[]> = {
  uniform: (_, row, of = unknown) => allValues(row, sizes, of).map(() => 1),
  empirical: (own, row, of = unknown) => {
    const others = withoutOne(own, row);
    const listed = allValues(row, sizes, of);
    return listed.map((x) => others.filter((one) => one.join() === x.join()).length + 1 / listed.length);
  },
  model: (own, row, of = unknown) => {
    const others = withoutOne(own, row);
    return allValues(row, sizes, of).map((x) => Math.exp(logMarginal([...others, x].flat(), sizes, 1, 1)));
  },
  file: (_, row, of = unknown) => allValues(row, sizes, of).map((x) => ofOne[x[2]!]! * ofTwo[x[0]!]![x[1]!]!),
};

const shares = (weights: readonly number[]) => {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

/** Probabilities, Bayes factor and loss of a row by enumeration. */
function exactOf(own: ExactTable, datasets: readonly Uint16Array[], row: RiskRow, prior: string) {
  const listed = allValues(row.codes, sizes, unknown);
  const logs = oneClassLogLikelihoods(own, datasets, [...sizes.keys()], row.codes, listed);
  const before = shares(PRIORS[prior]!(own, row.codes));
  const likelihoods = [...normalized(logs)];
  const after = shares(likelihoods.map((value, x) => value * before[x]!));
  const others = likelihoods.reduce((sum, value, x) => sum + (x === 0 ? 0 : value * before[x]!), 0);
  const bits = after.reduce((sum, p, x) => sum + (p > 0 ? p * Math.log2(p / before[x]!) : 0), 0);
  return {
    before: before[0]!,
    after: after[0]!,
    bits,
    factor: (likelihoods[0]! * (1 - before[0]!)) / others,
    loss: Math.max(...[...logs].map((value) => Math.abs(value - logs[0]!))),
  };
}

describe('a run with one class and unknown variables, under each prior', () => {
  it.each(Object.keys(PRIORS))('is exact: %s', async (prior) => {
    const { rows, datasets } = await runExactly(table, {
      model,
      mcmc,
      synthesis: { datasets: 2 },
      attributeRisk: { candidates, prior: prior === 'file' ? { file: ['a.csv', 'b.csv'] } : prior },
      ...(prior === 'file' ? { prior: files } : {}),
    });
    expect(rows.length).toBeGreaterThan(15);
    let moved = 0;
    for (const row of rows) {
      const exact = exactOf(table, datasets, row, prior);
      // Nothing is left to simulate with one class: phi is integrated out.
      expect(row.figure('prior_probability')).toBeCloseTo(exact.before, 10);
      expect(row.probability).toBeCloseTo(exact.after, 10);
      expect(row.informationBits).toBeCloseTo(exact.bits, 9);
      expect(row.figure('bayes_factor') / exact.factor).toBeCloseTo(1, 9);
      expect(row.figure('privacy_loss')).toBeCloseTo(exact.loss, 9);
      // Values are judged by the model's own prior, whatever the prior of the other figures.
      const known = exactOf(table, datasets, row, 'model');
      const resolved = 1 - Math.log2(known.after) / Math.log2(known.before);
      expect(row.figure('uncertainty_resolved')).toBeCloseTo(resolved, 9);
      moved = Math.max(moved, Math.abs(exact.after - exact.before));
    }
    // The release tells something, and another prior would have been noticed.
    expect(moved).toBeGreaterThan(0.02);
    for (const other of Object.keys(PRIORS).filter((name) => name !== prior)) {
      const mistaken = rows.map((row) => row.probability - exactOf(table, datasets, row, other).after);
      expect(largest(mistaken)).toBeGreaterThan(0.02);
    }
  });

  it('has posteriors in the ratio of likelihoods times prior odds', async () => {
    const run = { model, mcmc, synthesis: { datasets: 2 } };
    const first = await runExactly(table, { ...run, attributeRisk: { candidates } });
    const second = await runExactly(table, {
      ...run,
      attributeRisk: { candidates, prior: { file: ['a.csv', 'b.csv'] } },
      prior: files,
      elsewhere: first.datasets,
    });
    const third = await runExactly(table, { ...run, attributeRisk: { candidates }, elsewhere: first.datasets });
    // The odds of the truth against all others are the prior's times the Bayes factor, in every row.
    for (const { rows } of [first, second, third]) {
      for (const row of rows) {
        const before = row.figure('prior_probability');
        const odds = (row.figure('bayes_factor') * before) / (1 - before);
        expect(row.probability / (1 - row.probability) / odds).toBeCloseTo(1, 9);
      }
    }
    // The likelihood does not know of the prior.
    for (const [r, row] of second.rows.entries()) {
      expect(row.figure('privacy_loss')).toBeCloseTo(third.rows[r]!.figure('privacy_loss'), 10);
    }
  });
});

describe('a release that carries no information', () => {
  /**
   * Of a variable with counts n_c + 1 of the others and the prior, a dataset of just these counts has the same probability
   * whatever the value of the record.
   */
  it.each(['uniform', 'empirical', 'model'])('leaves the prior as it is: %s', async (prior) => {
    const truth = 0;
    const counts = new Array<number>(sizes[2]!).fill(1);
    for (let i = 2; i < table.codes.length; i += sizes.length) counts[table.codes[i]!]!++;
    counts[truth]!--;
    const released = counts.flatMap((count, code) => Array.from({ length: count }, () => [0, 0, code]).flat());
    const { rows } = await runExactly(table, {
      model,
      mcmc,
      attributeRisk: { candidates: { unknown: ['v2'] }, prior },
      elsewhere: [Uint16Array.from(released)],
    });
    const own = rows.filter(({ codes }) => codes[2] === truth);
    expect(own.length).toBeGreaterThan(3);
    for (const row of own) {
      const before = row.figure('prior_probability');
      expect(row.probability).toBeCloseTo(before, 10);
      expect(row.figure('bayes_factor')).toBeCloseTo(1, 9);
      expect(row.figure('privacy_loss')).toBeCloseTo(0, 9);
      expect(row.informationBits).toBeCloseTo(0, 9);
    }
    const others = rows.filter(({ codes }) => codes[2] !== truth);
    expect(others.every((row) => row.figure('privacy_loss') > 0.01)).toBe(true);
  });
});

describe('all cells of a release that carries no information', () => {
  /** The release says the same of every cell: one record of each. */
  it.each(['empirical', 'model', 'file'])('leave the prior as it is: %s', async (prior) => {
    const one = { codes: Uint16Array.from(table.codes.filter((_, i) => i % 3 === 2)), sizes: [sizes[2]!] };
    const truth = 0;
    const counts = new Array<number>(one.sizes[0]!).fill(1);
    for (const code of one.codes) counts[code]!++;
    counts[truth]!--;
    const isFile = prior === 'file';
    const weights = ofOne.map((weight, code) => [textOf(code), weight]);
    const { rows } = await runExactly(one, {
      model,
      mcmc: { ...mcmc, chains: 20, draws: 40, pairedChains: 16, pairedDraws: 60 },
      attributeRisk: { candidates: 'all-cells', prior: isFile ? { file: 'a.csv' } : prior },
      elsewhere: [Uint16Array.from(counts.flatMap((count, code) => new Array<number>(count).fill(code)))],
      ...(isFile ? { prior: [encodeCsv(['v0', 'weight'], weights)] } : {}),
    });
    const own = rows.find(({ codes }) => codes[0] === truth)!;
    const before = own.figure('prior_probability');
    expect(Math.abs(own.probability - before)).toBeLessThan(3.5 * own.probabilitySe);
    expect(own.probabilitySe).toBeLessThan(0.02);
    expect(own.informationBits).toBeLessThan(0.001);
    // Of the others it does say something: with D_-i and the record elsewhere, its counts are not those any more.
    const apart = rows.map((row) => Math.abs(row.figure('bayes_factor') - 1));
    expect(Math.max(...apart)).toBeGreaterThan(0.02);
  });
});

describe('a run with two classes and five records', () => {
  const few = { codes: Uint16Array.of(0, 0, 3, 1, 2, 3, 0, 0, 1, 1, 1, 0, 0, 2, 3), sizes };
  const concentration = 0.7;

  it.each([
    ['empirical', candidates],
    ['model', candidates],
    ['empirical', 'all-cells'],
    ['model', 'all-cells'],
    ['file', 'all-cells'],
  ] as const)('is exact but for simulation: %s, %j', async (prior, considered) => {
    const isFile = prior === 'file';
    const { rows, datasets } = await runExactly(few, {
      model: { classes: 2, concentration: { value: concentration } },
      mcmc: FORGETFUL_CHAINS,
      synthesis: { datasets: 1 },
      attributeRisk: { candidates: considered, prior: isFile ? { file: ['a.csv', 'b.csv'] } : prior },
      ...(isFile ? { prior: files } : {}),
    });
    const names = ['v0', 'v1', 'v2'];
    const isAll = considered === 'all-cells';
    const of = isAll ? [0, 1, 2] : unknown;
    const space = candidateSpace(isAll ? { unknown: names } : considered, names, sizes);
    let moved = 0;
    for (const row of rows) {
      const listed = allValues(row.codes, sizes, of);
      const others = withoutOne(few, row.codes);
      const ofModel = listed.map((x) => Math.exp(logMarginal([...others, x].flat(), sizes, 2, concentration)));
      const before = shares(prior === 'model' ? ofModel : PRIORS[prior]!(few, row.codes, of));
      const release = { codes: few.codes, datasets, space };
      const logs = exactLogLikelihoods(release, recordOf(few, row), 2, concentration);
      const after = shares([...normalized(logs)].map((value, x) => value * before[x]!));
      const others1 = after.slice(1).reduce((sum, p) => sum + p, 0);
      const factor = (after[0]! / others1) * ((1 - before[0]!) / before[0]!);
      const loss = Math.max(...[...logs].map((value) => Math.abs(value - logs[0]!)));
      expect(Math.abs(row.figure('prior_probability') - before[0]!)).toBeLessThan(0.012);
      const z = [
        (row.probability - after[0]!) / row.probabilitySe,
        (row.figure('bayes_factor') - factor) / row.figure('bayes_factor_se'),
        ...(isAll ? [] : [(row.figure('privacy_loss') - loss) / row.figure('privacy_loss_se')]),
      ];
      const bits = after.reduce((sum, p, x) => sum + p * Math.log2(p / before[x]!), 0);
      expect(Math.abs(row.informationBits - bits)).toBeLessThan(0.1);
      moved = Math.max(moved, Math.abs(after[0]! - before[0]!) / row.probabilitySe);
      expect(largest(z)).toBeLessThan(4.5);
      expect(row.probabilitySe).toBeLessThan(0.1);
      expect(row.figure('bayes_factor_se')).toBeLessThan(0.3 * factor);
      if (!isAll) expect(row.figure('privacy_loss_se')).toBeLessThan(0.3);
    }
    // The prior alone would have been noticed.
    expect(moved).toBeGreaterThan(4.5);
  });
});
