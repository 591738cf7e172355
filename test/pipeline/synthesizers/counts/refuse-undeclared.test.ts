import { describe, expect, it } from 'vitest';
import { refuseUndeclared } from '../../../../shared/pipeline/synthesizers/counts/counts.ts';
import type { Table } from '../../../../shared/table/table.ts';
import { smallConfig } from '../../small-run.ts';

const tableOf = (...sizes: number[]): Table => ({
  records: 10,
  schema: {
    variables: sizes.map((size, k) => ({
      name: `V${k}`,
      type: 'categorical',
      categories: Array.from({ length: size }, (_, code) => `${code}`),
    })),
  },
  columns: sizes.map(() => ({ type: 'categorical', codes: new Uint8Array(10) })),
});
const declared = (table: Table, count = table.schema.variables.length) =>
  Object.fromEntries(
    table.schema.variables.slice(0, count).map((one) => [one.name, { categories: one.type === 'categorical' ? one.categories : [] }]),
  );
const codeOf = (model: object, table: Table, variables: object = declared(table)) => {
  try {
    refuseUndeclared(smallConfig({ model, variables }), table);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('refuseUndeclared()', () => {
  const dirichlet = { name: 'dirichlet-multinomial', epsilon: 2 };
  const beta = { name: 'beta-binomial', epsilon: 2 };

  it('asks for all categories', () => {
    const table = tableOf(2, 3);
    expect(codeOf(dirichlet, table)).toBeNull();
    expect(codeOf(dirichlet, table, declared(table, 1))).toBe('undeclared-categories');
    expect(codeOf(dirichlet, table, {})).toBe('undeclared-categories');
  });

  it('asks for one variable of two categories where the model is beta-binomial', () => {
    expect(codeOf(beta, tableOf(2))).toBeNull();
    expect([tableOf(3), tableOf(2, 2), tableOf(1)].map((table) => codeOf(beta, table))).toEqual(new Array(3).fill('not-binary'));
    expect(codeOf(dirichlet, tableOf(3))).toBeNull();
  });

  it('asks for an epsilon within double precision', () => {
    // Over 20 records of two datasets: exp(epsilon / 20) must be a number, and so must 1 / (epsilon / 20).
    const of = (epsilon: number) => codeOf({ ...dirichlet, epsilon }, tableOf(2, 3));
    expect([14_000, 1e-300].map(of)).toEqual([null, null]);
    expect([15_000, 1e-310].map(of)).toEqual(['invalid-epsilon', 'invalid-epsilon']);
  });
});
