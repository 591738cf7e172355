import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { refuseUnplanned } from '../../../shared/pipeline/plan/check-run.ts';
import { refuseUnscored } from '../../../shared/pipeline/plan/planned-files.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { smallConfig } from '../small-run.ts';

const zeros = { structuralZeros: 'zeros.csv' };
const impute = { missing: 'impute' };
const kept = { synthesized: ['age'] };

const codeOf = (refuse: () => void) => {
  try {
    refuse();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('refuseUnscored()', () => {
  it.each<[Plan['purpose'], object, object | undefined, string | null]>([
    ['synthesize', { ...zeros, ...impute }, undefined, null],
    ['evaluate', {}, undefined, null],
    ['calibrate', {}, undefined, null],
    ['evaluate', zeros, undefined, null],
    ['evaluate', impute, undefined, null],
    ['evaluate', { ...zeros, ...impute }, undefined, 'no-attribute-risk'],
    ['evaluate', { ...zeros, ...kept }, undefined, null],
    ['evaluate', { ...impute, ...kept }, undefined, null],
    ['assess', { ...impute, ...kept }, undefined, 'no-attribute-risk'],
    ['calibrate', zeros, undefined, 'uncalibrated'],
    ['calibrate', impute, undefined, 'uncalibrated'],
    ['evaluate', zeros, { candidates: 'all-cells' }, 'cells-beyond-support'],
    ['evaluate', zeros, { candidates: 'two-changes' }, null],
    ['evaluate', impute, { candidates: 'two-changes' }, 'candidates-of-missing'],
    ['evaluate', impute, { candidates: 'all-cells' }, 'candidates-of-missing'],
  ])('of %s with %j and %j: %s', (purpose, synthesis, attributeRisk, code) => {
    const config = smallConfig({ synthesis, ...(attributeRisk ? { attributeRisk } : {}) });
    expect(codeOf(() => refuseUnscored(purpose, config))).toBe(code);
  });
});

describe('refuseUnplanned()', () => {
  const counts = { model: { name: 'dirichlet-multinomial', epsilon: 2 } };
  const cart = { model: { name: 'cart' }, synthesis: kept };

  it.each<[RunRequest['purpose'], Record<string, unknown>, string | null]>([
    ['assess', counts, 'exact-risk'],
    ['calibrate', counts, 'exact-risk'],
    ['evaluate', counts, null],
    ['synthesize', counts, null],
    ['calibrate', { attributeRisk: { candidates: { unknown: ['age'] }, prior: 'model' } }, 'uncalibrated-prior'],
    ['evaluate', { attributeRisk: { candidates: { unknown: ['age'] }, prior: 'model' } }, null],
    ['assess', cart, null],
    ['calibrate', cart, 'no-attribute-risk'],
    ['evaluate', cart, null],
    ['synthesize', cart, null],
    ['assess', {}, null],
    ['calibrate', {}, null],
  ])('of %s with %j: %s', (purpose, settings, code) => {
    const config = smallConfig(settings);
    expect(codeOf(() => refuseUnplanned({ purpose, config }))).toBe(code);
  });
});
