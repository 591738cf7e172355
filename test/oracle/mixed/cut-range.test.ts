import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { mixedRows, mixedView } from '../../../shared/model/mixed/mixed-view.ts';
import { logNormalMass } from '../../../shared/numeric/normal-mass.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { logClass, logSum } from '../../mixed-posterior.ts';
import { csvRows, runInMemory } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';

/**
 * A range that cuts through where most values are, one class: a release has its numbers drawn again while they are beyond it, so that
 * p(D, Z) is a closed form times an expectation over mu and sigma, which is added up here over a grid.
 */
const PRIOR = { kappa: 0.1, shape: 2, rate: 0.01 };
const CELLS = 24;
const NEAR = 5;
const variables = {
  group: { type: 'categorical', categories: ['x', 'y'] },
  age: { type: 'continuous', range: [15, 75], cells: CELLS, within: { amount: NEAR } },
} as const;
const records = [15, 16, 15, 17, 19, 22, 18, 25, 31, 28, 40, 23, 36, 47, 20].map((age, i) => [i % 2 === 0 ? 'x' : 'y', age] as const);
const settings = {
  model: { name: 'mixed', classes: 1, meanRecords: PRIOR.kappa, variance: { shape: PRIOR.shape, rate: PRIOR.rate } },
  variables,
  mcmc: { chains: 4, burnIn: 20, draws: 100, thin: 2, pairedChains: 8, pairedDraws: 250, pairedThin: 2, reproducibility: 'off' },
  utility: 'off',
};
const schema = {
  variables: [
    { name: 'group', type: 'categorical' as const, categories: ['x', 'y'] },
    { name: 'age', type: 'continuous' as const },
  ],
};
const view = mixedView(schema, configSchema.parse(settings).variables);
const { scale, smallest } = view.continuous[0]!;
const model = { sizes: view.sizes, continuous: view.continuous, prior: PRIOR };

const rowsOf = (ages: readonly number[]) =>
  mixedRows(view, [
    {
      schema,
      records: ages.length,
      columns: [
        // Missing: what the groups come to does not depend on the ages.
        { type: 'categorical', codes: new Uint16Array(ages.length).fill(2) },
        { type: 'continuous', values: Float64Array.from(ages) },
      ],
    },
  ]);

const closedForm = (ages: readonly number[]) => logClass(model, rowsOf(ages), [...ages.keys()]);

/** log E[exp(g(mu, sigma))] over mu and sigma given values, by a grid. */
function logExpectation(ages: readonly number[], g: (mu: number, sigma: number) => number): number {
  const values = ages.map(scale.toUnit);
  const n = values.length;
  const mean = values.reduce((sum, one) => sum + one, 0) / n;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const kappa = PRIOR.kappa + n;
  const location = (PRIOR.kappa * 0.5 + n * mean) / kappa;
  const shape = PRIOR.shape + n / 2;
  const rate = PRIOR.rate + squares / 2 + (PRIOR.kappa * n * (mean - 0.5) ** 2) / (2 * kappa);
  const POINTS = 48;
  const terms: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i <= POINTS; i++) {
    // log sigma, six of its standard deviations to either side.
    const logSigma = Math.log(rate / shape) / 2 + ((12 * i) / POINTS - 6) / Math.sqrt(2 * shape);
    const sigma = Math.exp(logSigma);
    if (sigma < smallest) continue;
    for (let k = 0; k <= POINTS; k++) {
      const z = (16 * k) / POINTS - 8;
      const mu = location + (z * sigma) / Math.sqrt(kappa);
      const logWeight = -2 * shape * logSigma - rate / (sigma * sigma) - (z * z) / 2;
      weights.push(logWeight);
      terms.push(logWeight + g(mu, sigma));
    }
  }
  return logSum(terms) - logSum(weights);
}

/** log E[M^-r], M what the normal has within the range. */
const logCut = (ages: readonly number[], released: number) =>
  logExpectation(ages, (mu, sigma) => -released * logNormalMass(-mu / sigma, (1 - mu) / sigma));

/** Probability that a record's age lies near the truth, with or without what the range cuts off. */
function withinOf(record: number, dataset: readonly number[], cuts: boolean): number {
  const ages = records.map(([, age]) => age);
  const logAfter = (own: readonly number[]) => closedForm([...own, ...dataset]) + (cuts ? logCut([...own, ...dataset], dataset.length) : 0);
  const truth = { age: ages[record]!, log: logAfter(ages) };
  let [near, all] = [0, 0];
  for (let c = 0; c < CELLS; c++) {
    const [from, middle, to] = [c, c + 0.5, c + 1].map((own) => scale.fromUnit(own / CELLS)) as [number, number, number];
    const weight = Math.exp(logAfter(ages.with(record, middle)) - truth.log);
    all += weight;
    near += (weight * Math.max(0, Math.min(to, truth.age + NEAR) - Math.max(from, truth.age - NEAR))) / (to - from);
  }
  return near / all;
}

describe('a range that cuts through the values', () => {
  it('has a grid that is fine enough: a further value has the density of its closed form', () => {
    const ages = records.map(([, age]) => age);
    for (const age of [15, 30, 60]) {
      const unit = scale.toUnit(age);
      const logDensity = (mu: number, sigma: number) => -(((unit - mu) / sigma) ** 2) / 2 - Math.log(sigma) - Math.log(2 * Math.PI) / 2;
      expect(logExpectation(ages, logDensity)).toBeCloseTo(closedForm([...ages, age]) - closedForm(ages), 5);
    }
  });

  it.each([
    { name: 'all variables synthesized', synthesis: { datasets: 1 } },
    { name: 'some', synthesis: { datasets: 1, synthesized: ['age'] } },
  ])('is known to the estimate: $name', async ({ synthesis }) => {
    const config = configSchema.parse({ ...settings, synthesis });
    const table = encodeCsv(['group', 'age'], records);
    const { store, keys } = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', config, table });
    const released = csvRows(await store.get(keys.release.dataset(1)))
      .slice(1)
      .map(([, age]) => Number(age));
    const [header, ...lines] = csvRows(await store.get(keys.confidential.table('continuous-risk').csv)) as [string[], ...string[][]];
    const distances: { readonly found: number; readonly whole: number }[] = [];
    for (const line of lines.filter((_, i) => i % 3 === 0)) {
      const figure = (name: string) => Number(line[header.indexOf(name)]);
      const record = figure('record') - 1;
      const se = figure('within_se');
      const distance = (cuts: boolean) => Math.abs(figure('within_after') - withinOf(record, released, cuts));
      expect(se).toBeLessThan(0.005);
      expect(distance(true), `record ${record + 1}`).toBeLessThan(4 * se + 1e-4);
      distances.push({ found: distance(true) / se, whole: distance(false) / se });
    }
    // Whole normals, which the program took for those of a release, are far off.
    expect(Math.max(...distances.map(({ whole }) => whole))).toBeGreaterThan(8);
  });
});
