import { describe, expect, it } from 'vitest';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import { sweptRuns } from '../../../shared/contracts/settings/sweep-grid.ts';

const names = (settings: object) => sweptRuns({ ...settings }).map(({ name }) => name);

describe('sweptRuns()', () => {
  it('crosses all values, and leaves all else as it is', () => {
    const runs = sweptRuns({
      ...{ seed: 7, model: { concentration: { value: 1 } }, synthesis: { chains: 'one' } },
      grid: { datasets: [1, 5], classes: [10, 20], synthesized: [['B', 'A']] },
    });
    expect(runs.map(({ name }) => name)).toEqual([
      ...['datasets-1_classes-10', 'datasets-1_classes-20', 'datasets-5_classes-10', 'datasets-5_classes-20'],
    ]);
    const configs = runs.map(({ settings }) => completeConfig(settings));
    expect(configs.map(({ model, synthesis }) => ({ model, synthesis }))).toEqual(
      [1, 5].flatMap((datasets) =>
        [10, 20].map((classes) => ({
          model: { name: 'dpmpm', classes, concentration: { value: 1 } },
          synthesis: expect.objectContaining({ datasets, chains: 'one', synthesized: ['B', 'A'] }),
        })),
      ),
    );
    expect(configs.every(({ seed }) => seed === 7)).toBe(true);
  });

  it('lets models take part with what they have, and with what is said of them alone', () => {
    const runs = sweptRuns({
      model: { name: 'dpmpm', concentration: { value: 2 } },
      variables: { A: { categories: ['x', 'y'] } },
      grid: { model: ['dpmpm', 'dirichlet-multinomial'], classes: [5, 6], epsilon: [0.5, 1, 2] },
    });
    expect(runs.map(({ name }) => name)).toEqual([
      ...['dpmpm_classes-5', 'dpmpm_classes-6'],
      ...[0.5, 1, 2].map((epsilon) => `dirichlet-multinomial_epsilon-${epsilon}`),
    ]);
    const models = runs.map(({ settings }) => completeConfig(settings).model);
    expect(models[0]).toEqual({ name: 'dpmpm', classes: 5, concentration: { value: 2 } });
    expect(models[3]).toEqual({ name: 'dirichlet-multinomial', epsilon: 1 });
  });

  it('takes a set of variables in several orders for trees, whose order counts, and once for other models', () => {
    const grid = { model: ['cart', 'dpmpm'], synthesized: [['A', 'B'], ['B', 'A'], 'all'] };
    expect(names({ grid })).toEqual([
      ...['cart_synthesized-1', 'cart_synthesized-2', 'cart_synthesized-3'],
      ...['dpmpm_synthesized-1', 'dpmpm_synthesized-3'],
    ]);
  });

  it('tells models of one name apart by their places, and sets of variables by theirs', () => {
    const grid = { model: ['cart', { name: 'cart', predictors: 'none' }, 'dpmpm'], synthesized: [['A'], ['A', '../B']] };
    expect(names({ grid })).toEqual([
      ...['cart-1_synthesized-1', 'cart-1_synthesized-2', 'cart-2_synthesized-1', 'cart-2_synthesized-2'],
      ...['dpmpm_synthesized-1', 'dpmpm_synthesized-2'],
    ]);
  });

  it.each([
    ['no grid', {}, 'no-grid'],
    ['a dimension that there is not', { grid: { PLANTED: [1] } }, 'invalid-grid'],
    ['a dimension without values', { grid: { datasets: [] } }, 'invalid-grid'],
    ['a value that is none', { grid: { datasets: [1, 'PLANTED'] } }, 'invalid-grid'],
    ['a model that there is not', { grid: { model: ['PLANTED', 'cart'] } }, 'invalid-grid'],
    ['a value twice', { grid: { datasets: [3, 3] } }, 'repeated-value'],
    [
      'a set of variables in two orders',
      {
        grid: {
          datasets: [1, 5],
          synthesized: [
            ['A', 'PLANTED'],
            ['PLANTED', 'A'],
          ],
        },
      },
      'repeated-value',
    ],
    ['a dimension of other models', { grid: { model: ['cart'], classes: [5, 6] } }, 'unused-dimension'],
    ['a single run', { grid: { datasets: [3] } }, 'too-few-runs'],
    ['too many runs', { grid: { datasets: Array.from({ length: 201 }, (_, i) => i + 1) } }, 'too-many-runs'],
    ['datasets that all runs have', { synthesis: { datasets: 3 }, grid: { datasets: [1, 5] } }, 'said-twice'],
    [
      'variables that all runs synthesize',
      { synthesis: { synthesized: ['PLANTED'] }, grid: { synthesized: [['A'], ['B']] } },
      'said-twice',
    ],
    ['classes of the model of all runs', { model: { classes: 3 }, grid: { classes: [5, 6] } }, 'said-twice'],
    ['classes of a model of the grid', { grid: { model: [{ name: 'dpmpm', classes: 3 }], classes: [5, 6] } }, 'said-twice'],
    ['settings of masking', { grid: { k: [3, 5] } }, 'masked-runs'],
  ])('refuses %s, and repeats no value', (_, settings, code) => {
    expect(() => sweptRuns(settings)).toThrow(expect.objectContaining({ code, exitCode: 2 }));
    expect(() => sweptRuns(settings)).not.toThrow(/PLANTED/);
  });
});
