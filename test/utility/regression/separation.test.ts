import { describe, expect, it } from 'vitest';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import type { CountedRows } from '../../../shared/table/counted-rows.ts';
import { prepareRegression } from '../../../shared/utility/regression/fit-regression.ts';
import { openRegression } from '../../../shared/utility/regression/open-regression.ts';

const variable = (name: string, size: number) => ({
  name,
  type: 'categorical' as const,
  categories: Array.from({ length: size }, (_, code) => `${code}`),
});
const schema: TableSchema = { variables: [variable('Y', 3), variable('A', 3), variable('B', 2)] };

/** Rows [Y, A, B, records]. */
function rowsOf(rows: readonly (readonly [number, number, number, number])[]): CountedRows {
  const column = (v: 0 | 1 | 2) => ({ type: 'categorical' as const, codes: Uint8Array.from(rows, (row) => row[v]) });
  const counts = Float64Array.from(rows, (row) => row[3]);
  return {
    schema,
    rows: rows.length,
    records: counts.reduce((sum, count) => sum + count, 0),
    columns: [column(0), column(1), column(2)],
    counts,
  };
}

function fitted(formula: string, rows: CountedRows) {
  const prepared = prepareRegression(openRegression(formula, 1, schema, new Set(['Y'])), schema);
  const { coefficients, reason } = prepared.fit(rows);
  return { reason, byTerm: Object.fromEntries(prepared.names.map((name, f) => [name, coefficients?.[f] ?? null])) };
}

/** Y is 1 in half of the records, whatever A and B. */
const mixed: [number, number, number, number][] = [0, 1].flatMap((y) =>
  [0, 1, 2].flatMap((a) => [0, 1].map((b): [number, number, number, number] => [y, a, b, 10 + a + y * b])),
);

describe('a regression of which some estimate is infinite', () => {
  it('says so of the category that decides the response, and estimates the others', () => {
    const rows = rowsOf(mixed.filter(([y, a]) => !(y === 0 && a === 2)));
    const { byTerm } = fitted('Y == 1 ~ A + B', rows);
    expect(byTerm['A=2']).toMatchObject({ estimate: null, reason: expect.stringContaining('separation') });
    // As if the records with A = 2 were not there: they say nothing of the others.
    const without = fitted('Y == 1 ~ A + B', rowsOf(mixed.filter(([, a]) => a !== 2))).byTerm;
    for (const term of ['(intercept)', 'A=1', 'B=1']) {
      const [own, other] = [byTerm[term], without[term]] as { estimate: number; se: number }[];
      expect(own!.estimate).toBeCloseTo(other!.estimate, 8);
      expect(own!.se).toBeCloseTo(other!.se, 8);
    }
    expect(without['A=2']).toMatchObject({ estimate: null, reason: expect.stringContaining('singular') });
  });

  it('says so of all that go away together, where it is the first category that decides', () => {
    const { byTerm } = fitted('Y == 1 ~ A + B', rowsOf(mixed.filter(([y, a]) => !(y === 1 && a === 0))));
    for (const term of ['(intercept)', 'A=1', 'A=2']) {
      expect(byTerm[term]).toMatchObject({ estimate: null, reason: expect.stringContaining('separation') });
    }
    expect(byTerm['B=1']!.estimate).not.toBeNull();
  });

  it('says so where the response is told without error', () => {
    const { byTerm } = fitted('Y == 1 ~ B', rowsOf(mixed.filter(([y, , b]) => y === b)));
    for (const coefficient of Object.values(byTerm)) expect(coefficient!.estimate).toBeNull();
  });

  it('says so of ordered regressions', () => {
    const rows = rowsOf([...mixed.filter(([, a]) => a !== 2), [2, 0, 0, 9], [2, 1, 1, 8], [2, 2, 0, 30], [2, 2, 1, 20]]);
    const { byTerm } = fitted('Y ~ A + B', rows);
    expect(byTerm['A=2']).toMatchObject({ estimate: null, reason: expect.stringContaining('separation') });
    expect(byTerm['A=1']!.estimate).not.toBeNull();
    expect(byTerm['0|1']!.estimate).not.toBeNull();
  });
});

describe('a regression that cannot be fitted', () => {
  it('says that its response has one value, or a category nobody', () => {
    expect(fitted('Y == 2 ~ A', rowsOf(mixed)).reason).toBe('its response has one value');
    expect(fitted('Y ~ A', rowsOf(mixed)).reason).toBe('a category of its response has no record');
  });
});

describe('openRegression()', () => {
  const refused = (formula: string, ordered: string[] = []) => {
    try {
      openRegression(formula, 3, schema, new Set(ordered));
    } catch (error) {
      return error as { code: string; message: string };
    }
    return { code: 'none', message: '' };
  };

  it.each([
    ['Secret ~ A', 'unknown-variable'],
    ['Y == 1 ~ Secret', 'unknown-variable'],
    ['Y == Secret ~ A', 'unknown-category'],
    ['Y == 1 ~ A + Y', 'response-among-terms'],
    ['Y == 1 ~ A:B', 'missing-main-effect'],
    ['Y == 1 ~ B + A:B', 'missing-main-effect'],
    ['Y ~ A', 'unordered-response'],
    ['Secret', 'malformed-formula'],
  ])('refuses %s, and tells the number of the formula in place of its text', (formula, code) => {
    const error = refused(formula);
    expect(error.code).toBe(code);
    expect(error.message).toContain('formula 3');
    expect(error.message).not.toContain('Secret');
  });

  it('refuses a category of a number, and more coefficients than it has room for', () => {
    const numbers: TableSchema = { variables: [{ name: 'N', type: 'continuous' }, variable('A', 600), variable('C', 2)] };
    expect(() => openRegression('N == 1 ~ C', 1, numbers, new Set())).toThrow('category of a continuous variable');
    expect(() => openRegression('N ~ A', 1, numbers, new Set())).toThrow('coefficients');
  });
});
