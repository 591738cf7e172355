import { expect, it } from 'vitest';
import type { TableSchema } from '../../shared/contracts/schema.ts';
import { defaultRegressions } from '../../shared/utility/default-regressions.ts';

type Variable = TableSchema['variables'][number];
const categories = (size: number) => Array.from({ length: size }, (_, code) => `c ${code}`);
const categorical = (name: string, values: string[]): Variable => ({ name, type: 'categorical', categories: values });
const variables: Variable[] = [
  categorical('sex', ['f', 'm']),
  { name: 'net income', type: 'continuous' },
  categorical('2nd', categories(21)),
  categorical('grade', ['a b', 'c"d', 'low']),
  categorical('.', ['x', 'y']),
];
const codes = (...own: number[]) => ({ type: 'categorical' as const, codes: Uint16Array.from(own) });
const rows = {
  schema: { variables },
  rows: 3,
  records: 8,
  columns: [
    codes(0, 1, 1),
    { type: 'continuous' as const, values: Float64Array.of(1, 2, 3) },
    codes(20, 0, 1),
    codes(0, 1, 2),
    codes(0, 0, 1),
  ],
  counts: Float64Array.of(2, 5, 1),
};

it('is each synthesized variable on all others of few categories, each by the family of its values', () => {
  const formulas = (synthesized: number[], ordered: string[] = []) =>
    defaultRegressions(rows, { synthesized, ordered: new Set(ordered) }).map(({ formula, family, category }) => [
      formula,
      family,
      category,
    ]);
  // Of categories without an order the commonest, by records; names and categories are quoted where a formula needs it.
  expect(formulas([0, 1, 2, 3, 4])).toEqual([
    ['sex == m ~ `net income` + grade + `.`', 'logistic', 1],
    ['`net income` ~ sex + grade + `.`', 'linear', null],
    ['`2nd` == "c 0" ~ sex + `net income` + grade + `.`', 'logistic', 0],
    [`grade == 'c"d' ~ sex + \`net income\` + \`.\``, 'logistic', 1],
    ['`.` == x ~ sex + `net income` + grade', 'logistic', 0],
  ]);
  expect(formulas([3], ['grade'])).toEqual([['grade ~ sex + `net income` + `.`', 'ordered', null]]);
});

it('has no more coefficients than 200, no more regressions than twelve, and none without another variable', () => {
  const many = Array.from({ length: 30 }, (_, v) => categorical(`v${v}`, categories(11)));
  const wide = { ...rows, schema: { variables: many }, columns: many.map(() => codes(0, 1, 2)) };
  const found = defaultRegressions(wide, { synthesized: [...many.keys()], ordered: new Set() });
  expect(found).toHaveLength(12);
  // An intercept and ten of each: 19 variables have 191.
  expect(found.map(({ terms }) => terms.length)).toEqual(new Array(12).fill(19));
  expect(found[0]!.terms).toEqual(Array.from({ length: 19 }, (_, j) => [j + 1]));
  const alone = { ...rows, schema: { variables: variables.slice(0, 1) }, columns: rows.columns.slice(0, 1) };
  expect(defaultRegressions(alone, { synthesized: [0], ordered: new Set() })).toEqual([]);
});
