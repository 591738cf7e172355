import { describe, expect, it } from 'vitest';
import { createReferenceMixed } from '../../../bench/plain/mixed-reference.ts';
import { mixedRows } from '../../../bench/tables/mixed-rows.ts';
import { createMixed, type MixedSettings } from '../../../shared/model/mixed/mixed.ts';
import type { MixedRows } from '../../../shared/model/mixed/mixed-rows.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';

/** Both programs run side by side must give the same bits: states, likelihood, allocation and what the stream gives next. */
function expectSameBits(table: MixedRows, settings: MixedSettings, iterations: number): void {
  const kernel = createMixed(table, settings);
  const reference = createReferenceMixed(table, settings);
  const ours = new RandomStream(7, 'test/bits');
  const theirs = new RandomStream(7, 'test/bits');
  expect(normal(ours)).toBe(normal(theirs));
  let a = kernel.init(ours);
  let b = reference.init(theirs);
  for (let i = 0; i <= iterations; i++) {
    expect(a).toEqual(b);
    expect(kernel.logLikelihood(a)).toBe(reference.logLikelihood(b));
    expect(ours.uniform()).toBe(theirs.uniform());
    a = kernel.step(a, ours, 2);
    b = reference.step(reference.step(b, theirs), theirs);
    expect(kernel.allocation!()).toEqual(reference.allocation());
  }
}

const gammaPrior = { concentration: { shape: 0.25, rate: 0.25 } };

describe('the kernel of the model mixed gives the bits of the plain program', () => {
  it.each([
    ['parts, values and a mass', { rows: 200, sizes: [3, 2, 5], masses: [0, 1] }, 11],
    ['as many classes as fill the vectors', { rows: 200, sizes: [3, 2, 5], masses: [0, 1] }, 16],
    ['missing values', { rows: 150, sizes: [4, 3], masses: [2, 0, 0], missing: 0.3 }, 7],
    ['values alone', { rows: 120, sizes: [], masses: [0, 0] }, 5],
    ['categories alone', { rows: 120, sizes: [3, 4], masses: [] }, 6],
    ['one class', { rows: 60, sizes: [3], masses: [0] }, 1],
    ['coarse values, whose variances reach the smallest', { rows: 150, sizes: [2], masses: [0, 0], smallest: 0.05 }, 9],
    ['more classes than rows', { rows: 12, sizes: [2], masses: [1] }, 40],
  ])('%s', (_, shape, classes) => {
    expectSameBits(mixedRows(shape, classes), { ...gammaPrior, classes }, 15);
  });

  it('with values far from every class, whose densities are below any number', () => {
    const table = mixedRows({ rows: 100, sizes: [2], masses: [0, 0] }, 3);
    table.values.set([1, 0], 50);
    expectSameBits(table, { ...gammaPrior, classes: 6, normal: { kappa: 1, shape: 50, rate: 1e-5 } }, 10);
  });

  it('with columns of one variable beside each other, as in partial synthesis', () => {
    const table = mixedRows({ rows: 100, sizes: [3, 4], masses: [1, 0], missing: 0.1 }, 8);
    const { rows, codes, values } = table;
    const beside = {
      ...table,
      codes: Uint16Array.of(...codes, ...codes.slice(rows, 2 * rows).reverse()),
      values: Float64Array.of(...values, ...values.slice(0, rows).reverse()),
      columns: { parts: [0, 1, 2, 1], continuous: [0, 1, 0] },
    };
    expectSameBits(beside, { ...gammaPrior, classes: 5 }, 10);
    expectSameBits({ ...beside, released: { column: 2 } }, { ...gammaPrior, classes: 5 }, 10);
  });

  it.each([
    ['near to an end of the range', 0.3],
    ['far from both', 0.01],
  ])('with rows of a release, %s', (_, width) => {
    const table = mixedRows({ rows: 120, sizes: [3], masses: [1, 0], missing: 0.1 }, 6);
    const values = table.values.map((value) => Math.min(1, Math.max(0, 0.5 + (value - 0.5) * (width > 0.1 ? 1.5 : width))));
    expectSameBits({ ...table, values, released: { row: 70 } }, { ...gammaPrior, classes: 5 }, 15);
  });

  it('with a fixed concentration and no moves', () => {
    expectSameBits(mixedRows({ rows: 80, sizes: [3], masses: [1] }, 5), { classes: 6, concentration: { value: 0.5 }, labelMoves: 0 }, 8);
  });
});
