import { describe, expect, it } from 'vitest';
import { refuseContradiction, synthpopSettings } from '../../../shared/contracts/settings/synthpop.ts';

/** A release whose columns AGE and SEX were kept, visited before those that were synthesized. */
const PARTIAL = {
  method: { JOB: 'cart', AGE: '', PAY: 'cart', SEX: '' },
  visitSequence: ['AGE', 'SEX', 'PAY', 'JOB'],
  predictors: { SEX: ['AGE'], PAY: ['AGE', 'SEX'], JOB: ['AGE', 'PAY', 'SEX'] },
};

/** One of which no column was kept, as synthpop does by default. */
const FULL = { method: { AGE: 'sample', SEX: 'cart' }, visitSequence: ['AGE', 'SEX'], predictors: { SEX: ['AGE'] } };

const settingsOf = (document: object) => synthpopSettings(new TextEncoder().encode(JSON.stringify(document)), 'synthpop.json');

describe('synthpopSettings()', () => {
  it('gives the order of visits, the leaves and the predictors', () => {
    expect(settingsOf({ ...PARTIAL, minbucket: 7, cp: 1e-4 })).toEqual({
      model: { name: 'cart', minimumLeaf: 7, complexity: 1e-4, predictors: 'kept', smoothing: false, proper: false },
      synthesis: { synthesized: ['PAY', 'JOB'] },
    });
  });

  it.each(['["AGE"]', '5', '"cart"'])('says how the file is written where it holds %s', (text) => {
    const settings = () => synthpopSettings(new TextEncoder().encode(text), 's.json');
    expect(settings).toThrow(/^s\.json holds no fields, and so not the settings of synthpop\. Write them in R/);
    expect(settings).toThrow(expect.objectContaining({ code: 'invalid-synthpop', where: { file: 's.json' } }));
  });

  it("takes synthpop's defaults where nothing is said", () => {
    expect(settingsOf(PARTIAL).model).toMatchObject({ minimumLeaf: 5, complexity: 1e-8 });
    expect(settingsOf({ ...PARTIAL, proper: true }).model).toMatchObject({ proper: true });
  });

  it('has kept columns predict nothing where none of them was visited', () => {
    const alone = { ...PARTIAL, visitSequence: ['PAY', 'JOB'], predictors: { PAY: [], JOB: ['PAY'] } };
    expect(settingsOf(alone)).toMatchObject({ model: { predictors: 'none' }, synthesis: { synthesized: ['PAY', 'JOB'] } });
  });

  it('has all columns synthesized where none was kept, in their order, the first by `sample`', () => {
    expect(settingsOf(FULL)).toMatchObject({ model: { predictors: 'none' }, synthesis: { synthesized: 'all' } });
    const otherwise = { ...FULL, method: { SEX: 'cart', AGE: 'sample' } };
    expect(() => settingsOf(otherwise)).toThrow(expect.objectContaining({ code: 'synthpop-order', where: expect.anything() }));
  });

  it('leaves constant columns as they are, which predict nothing', () => {
    const constant = { ...PARTIAL, method: { ...PARTIAL.method, YEAR: 'constant' } };
    expect(settingsOf(constant)).toMatchObject({ synthesis: { synthesized: ['PAY', 'JOB'] } });
  });

  it.each(['ctree', 'ranger', 'catall', 'ipf', 'norm', 'normrank', 'logreg', 'polyreg', '~I(A + B)', 'nested'])(
    'refuses the method %s by name, and says what measures such a release',
    (how) => {
      const refused = { ...PARTIAL, method: { ...PARTIAL.method, PAY: how } };
      expect(() => settingsOf(refused)).toThrow(expect.objectContaining({ code: 'synthpop-method' }));
      expect(() => settingsOf(refused)).toThrow(`PAY was made by the method \`${how}\``);
      expect(() => settingsOf(refused)).toThrow(/`attack` and `utility` take the datasets/);
    },
  );

  it.each([
    ['synthpop-method', /that others predict/, { ...FULL, method: { AGE: 'sample', SEX: 'sample' } }],
    ['synthpop-smoothing', /PAY was smoothed by `spline`/, { ...PARTIAL, smoothing: { PAY: 'spline' } }],
    ['synthpop-argument', /`rules`, `semicont`/, { ...PARTIAL, others: ['rules', 'semicont'] }],
    ['synthpop-predictors', /PAY is not predicted by `SEX`/, { ...PARTIAL, predictors: { ...PARTIAL.predictors, PAY: ['AGE'] } }],
    [
      'synthpop-predictors',
      /JOB is predicted by .*`ZIP`/,
      { ...PARTIAL, predictors: { ...PARTIAL.predictors, JOB: ['AGE', 'PAY', 'SEX', 'ZIP'] } },
    ],
    ['synthpop-kept-all', /nothing was synthesized/, { ...PARTIAL, method: { JOB: '', AGE: '', PAY: '', SEX: '' } }],
    ['invalid-synthpop', /did you mean method/, { ...PARTIAL, methods: {} }],
    ['invalid-synthpop', /minbucket/, { ...PARTIAL, minbucket: 0 }],
  ])('refuses (%s) what trees here do not do: %s', (code, message, document) => {
    expect(() => settingsOf(document)).toThrow(expect.objectContaining({ code }));
    expect(() => settingsOf(document)).toThrow(message);
  });

  it('says which field of the document it refuses', () => {
    const predictors = { ...PARTIAL.predictors, PAY: ['AGE'] };
    expect(() => settingsOf({ ...PARTIAL, predictors })).toThrow(expect.objectContaining({ where: { field: 'predictors' } }));
  });

  it('says where a file is no document', () => {
    expect(() => synthpopSettings(new TextEncoder().encode('{"method":'), 'synthpop.json')).toThrow(/synthpop\.json, line 1/);
  });
});

describe('refuseContradiction()', () => {
  it.each([
    [{ model: { minimumLeaf: 9 } }, 'model.minimumLeaf'],
    [{ model: { name: 'dpmpm' } }, 'model.name'],
    [{ synthesis: { synthesized: ['JOB', 'PAY'] } }, 'synthesis.synthesized'],
  ])('refuses %j, with the field', (given, field) => {
    expect(() => refuseContradiction(settingsOf(PARTIAL), given)).toThrow(
      expect.objectContaining({ code: 'contradicts-synthpop', message: expect.stringContaining(field) }),
    );
  });

  it('takes what says the same, and what synthpop does not say', () => {
    const given = { model: { name: 'cart', minimumLeaf: 5 }, synthesis: { missing: 'category' }, acceptance: [] };
    expect(() => refuseContradiction(settingsOf(PARTIAL), given)).not.toThrow();
  });
});
