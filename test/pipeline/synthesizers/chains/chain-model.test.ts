import { describe, expect, it } from 'vitest';
import { type Config, configSchema, integratesPhi, keepsLatent } from '../../../../shared/contracts/config/config.ts';
import { addedCount, plannedCount } from '../../../../shared/model/conjugate/added-count.ts';
import { type Chains, chainModel } from '../../../../shared/pipeline/synthesizers/chain-model.ts';
import { synthesizerOf } from '../../../../shared/pipeline/synthesizers/synthesizers.ts';
import { RandomStream } from '../../../../shared/random/random-stream.ts';
import { combinationsFromCodes } from '../../../../shared/table/distinct-rows.ts';
import type { Table } from '../../../../shared/table/table.ts';

const SIZES = [3, 2, 4];
const ROWS = [
  [0, 0, 1],
  [0, 1, 1],
  [2, 0, 3],
  [1, 0, 3],
  [1, 1, 0],
];

function tableOf(rows: readonly (readonly number[])[]): Table {
  return {
    records: rows.length,
    schema: {
      variables: SIZES.map((size, k) => ({
        name: `V${k}`,
        type: 'categorical',
        categories: Array.from({ length: size }, (_, code) => `${code}`),
      })),
    },
    columns: SIZES.map((_, k) => ({ type: 'categorical', codes: Uint8Array.from(rows, (row) => row[k]!) })),
  };
}

const table = tableOf(ROWS);
const { combinations } = combinationsFromCodes(Uint16Array.from(ROWS.flat()), ROWS.length, 3);

const config = (model: object, more: Record<string, unknown> = {}) => configSchema.parse({ model, ...more });
const own = { synthesis: { synthesized: ['V2'] } };
const dpmpm = config({ name: 'dpmpm', classes: 7 });
const areal = config({ name: 'dp-areal', clusters: 9 }, own);
const cart = config({ name: 'cart' }, own);
const chainsOf = (one: Config) => synthesizerOf(one).chains as Chains;
const modelOf = (one: Config) => chainModel(chainsOf(one), one, table.schema);

describe('the model of a run', () => {
  it('says what is synthesized from each own class, and nothing where all of it is', () => {
    expect(modelOf(dpmpm).synthesized).toBeNull();
    expect(modelOf(areal).synthesized).toEqual([2]);
    expect(modelOf(config({ name: 'dpmpm' }, own)).synthesized).toEqual([2]);
  });

  it('is the one that the config names', () => {
    const random = () => new RandomStream(4, 'model');
    const ofClasses = modelOf(dpmpm).bind(combinations);
    const draw = ofClasses.init(random());
    expect(draw.weights).toHaveLength(7);
    expect(draw.latent).toBeUndefined();
    // Classes of DP-areal are the patterns of V0 and V1: five of six.
    const ofPatterns = modelOf(areal).bind(combinations);
    expect(ofPatterns.init(random()).weights).toHaveLength(5);
    expect(synthesizerOf(cart).chains).toBeNull();
  });

  it.each([
    ['dpmpm', config({ name: 'dpmpm', classes: 1 }, own)],
    ['dp-areal', areal],
  ])('sees the values of a dataset beside those of the table, %s', (_, settings) => {
    const model = modelOf(settings);
    const other = tableOf(ROWS.map(([a, b, c]) => [a!, b!, 3 - c!]));
    const state = model.bind(combinations).init(new RandomStream(4, 'beside'));
    const likelihoods = [table, other].map((dataset) => model.bindBeside(table, dataset).logLikelihood(state));
    expect(likelihoods[0]).not.toBe(likelihoods[1]);
    // Of one class the values of the dataset are independent of all else.
    if (settings.model.name === 'dpmpm') {
      const phi = (code: number) => Math.log(state.probabilities[5 + code]!);
      const added = ROWS.reduce((sum, [, , code]) => sum + phi(code!), 0);
      expect(likelihoods[0]).toBeCloseTo(model.bind(combinations).logLikelihood(state) + added, 10);
    }
  });
});

describe('what a draw holds', () => {
  it('is known from the settings', () => {
    expect([dpmpm, areal].map((one) => chainsOf(one).truncation(one))).toEqual([7, 9]);
    expect([dpmpm, areal].map((one) => chainsOf(one).classes(one, table.schema, combinations))).toEqual([7, 5]);
  });

  it('are the latent numbers of the state of a chain', () => {
    expect(chainsOf(dpmpm).latentNumbers(dpmpm, table.schema, 7)).toBe(0);
    const state = modelOf(areal).bind(combinations).init(new RandomStream(4, 'latent'));
    expect(chainsOf(areal).latentNumbers(areal, table.schema, 5)).toBe(state.latent!.length);
  });

  it('are such numbers, and allocations, where they are of use', () => {
    const withRisk = (attributeRisk: object) => config({ name: 'dpmpm' }, { attributeRisk });
    const estimators = ['importance', 'augmented'] as const;
    expect(estimators.map((estimator) => keepsLatent(withRisk({ estimator })))).toEqual([true, false]);
    const phis = ['integrated', 'drawn'] as const;
    expect(phis.map((phi) => integratesPhi(withRisk({ phi })))).toEqual([true, false]);
  });
});

describe('plannedCount()', () => {
  const plan = (model: object) => ({ config: config(model), table: { records: 50 } as never, datasets: { count: 4 } as never });

  it('spends the epsilon on the records of all datasets', () => {
    expect(plannedCount(plan({ name: 'dirichlet-multinomial', epsilon: 3 }))).toBe(addedCount(3, 200));
  });

  it('is of models of counts alone', () => {
    expect(() => plannedCount(plan({ name: 'dpmpm' }))).toThrow(/dpmpm adds no counts/);
  });
});
