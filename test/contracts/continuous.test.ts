import { describe, expect, it } from 'vitest';
import { type DensityFields, declaredContinuous } from '../../shared/contracts/continuous.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';

describe('declaredContinuous()', () => {
  it('takes the masses off the ends of the range', () => {
    expect(declaredContinuous('X', { range: [0, 100], masses: [0, 100, 40], scale: 'log' })).toEqual({
      range: [0, 100],
      scale: 'log',
      masses: [0, 100, 40],
      decimals: 0,
      span: [1, 99],
      within: { share: 0.1 },
      cells: 64,
    });
    expect(declaredContinuous('X', { range: [0, 1], masses: [0, 0.1, 0.2], decimals: 1 }).span).toEqual([0.3, 1]);
  });

  it.each<[string, DensityFields, RegExp]>([
    ['no-range', {}, /X: \{ type: continuous, range: \[LOWEST, HIGHEST\]/],
    ['unordered-range', { range: [5, 5] }, /lowest value before the highest/],
    ['more-decimals', { range: [0, 10.5] }, /decimals/],
    ['more-decimals', { range: [0, 10], masses: [0.25], decimals: 1 }, /decimals/],
    ['repeated-mass', { range: [0, 10], masses: [1, 1] }, /more than once/],
    ['mass-outside-range', { range: [0, 10], masses: [11] }, /widen the range/],
    ['nothing-but-masses', { range: [0, 2], masses: [0, 1] }, /--categorical X/],
    ['scale-of-range', { range: [-5, 10], masses: [0], scale: 'log' }, /use scale: asinh/],
    ['scale-of-range', { range: [0, 10], scale: 'log' }, /declare masses: \[0\]/],
    ['scale-of-range', { range: [-5, 10], scale: 'sqrt' }, /use scale: asinh/],
  ])('refuses with %s and what to write', (code, fields, message) => {
    expect(() => declaredContinuous('X', fields)).toThrow(
      expect.objectContaining({ name: 'InvalidConfigError', code, message: expect.stringMatching(message) }),
    );
    expect(() => declaredContinuous('X', fields)).toThrow(/^variables\.X: /);
  });
});

describe('a config of the model mixed', () => {
  const mixed = (settings: object) => completeConfig({ model: { name: 'mixed' }, ...settings });
  const income = { type: 'continuous', range: [0, 1e6] };

  it('has a prior that is a constant', () => {
    expect(mixed({}).model).toEqual({
      name: 'mixed',
      classes: 40,
      concentration: { shape: 0.25, rate: 0.25 },
      meanRecords: 0.001,
      variance: { shape: 1, rate: 0.0003 },
    });
  });

  it.each<[string, object, RegExp]>([
    ['invalid-config', { variables: { X: { ...income, range: [0, Number.POSITIVE_INFINITY] } } }, /expected a finite number/],
    ['no-range', { variables: { X: { type: 'continuous' } } }, /needs the range/],
    ['no-range', { variables: { X: { scale: 'log' } } }, /needs the range/],
    ['candidates-without-trees', { variables: { X: { ...income, candidates: { grid: [0, 5] } } } }, /its masses and a grid/],
    ['exact-without-counts', { attributeRisk: { estimator: 'exact' } }, /augmented/],
    ['zeros-without-dpmpm', { synthesis: { structuralZeros: 'zeros.csv' } }, /dpmpm, not by mixed/],
    ['marginals-without-cells', { attributeRisk: { marginals: [['X']] } }, /all-cells/],
  ])('is refused with %s', (code, settings, message) => {
    expect(() => mixed(settings)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });

  it('is not asked for the range of a variable that is dropped', () => {
    expect(mixed({ variables: { X: { drop: true } } }).variables).toEqual({ X: { drop: true } });
  });

  it.each(['dpmpm', 'cart'])('has declarations that %s does not take', (name) => {
    const settings = { model: { name }, variables: { X: { ...income, masses: [0] } }, synthesis: { synthesized: ['X'] } };
    expect(() => completeConfig(settings)).toThrow(
      expect.objectContaining({
        code: 'densities-without-mixed',
        message: expect.stringContaining('variables.X.masses is of the model mixed'),
      }),
    );
  });
});
