import { describe, expect, it } from 'vitest';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import { drawDistinct } from '../../../shared/random/draw-distinct.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { logDensities, spreads } from '../../../shared/risk/attack/log-densities.ts';
import { membershipOutcome } from '../../../shared/risk/attack/membership-outcome.ts';
import { membershipTests } from '../../../shared/risk/attack/membership-tests.ts';
import { chosenRecords, type Table } from '../../../shared/table/table.ts';
import { attackTables, drawTable, lehmer } from './reference-tables.ts';

// Plain programs that go through all pairs, in the order of the formulas of docs/explanation/compared.md.

const { table, dataset, control } = attackTables();
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]) => {
  const center = mean(values);
  return values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1);
};
const cellOf = ({ columns }: Table, v: number, record: number) => {
  const column = columns[v]!;
  return column.type === 'categorical' ? column.codes[record]! : column.values[record]!;
};
const records = (of: Table) => Array.from({ length: of.records }, (_, record) => of.columns.map((_, v) => cellOf(of, v, record)));
const isNumber = (v: number) => table.columns[v]!.type === 'continuous';

/** AUC and its error from all pairs, and the share found by raising the threshold one score at a time. */
function plainOutcome(members: readonly number[], others: readonly number[]) {
  const wins = (a: number, b: number) => (a > b ? 1 : a === b ? 0.5 : 0);
  const ofMembers = members.map((a) => mean(others.map((b) => wins(a, b))));
  const ofOthers = others.map((b) => mean(members.map((a) => wins(a, b))));
  const foundAt = (falseAlarms: number) => {
    let [x0, y0] = [0, 0];
    for (const threshold of [...new Set([...members, ...others])].sort((a, b) => b - a)) {
      const x = mean(others.map((b) => Number(b >= threshold)));
      const y = mean(members.map((a) => Number(a >= threshold)));
      if (x > falseAlarms + 1e-9) return y0 + ((y - y0) * (falseAlarms - x0)) / (x - x0);
      [x0, y0] = [x, y];
    }
    return 1;
  };
  return {
    auc: mean(ofMembers),
    aucSe: Math.sqrt(variance(ofMembers) / members.length + variance(ofOthers) / others.length),
    foundAt1Percent: foundAt(0.01),
    foundAt10Percent: foundAt(0.1),
  };
}

const random = () => seededStreams(1).open('resamples');
const close = (found: object, expected: Readonly<Record<string, number>>) => {
  for (const [name, value] of Object.entries(expected)) {
    expect((found as Record<string, number>)[name], name).toBeCloseTo(value, 9);
  }
};

describe('what a test finds', () => {
  it.each([
    ['many ties', 3, 70, 40],
    ['few ties', 50, 60, 90],
    ['hardly any tie', 100_000, 33, 200],
    ['the fewest people', 4, 2, 2],
  ])('is what all pairs say, with %s', (_, scores, m, n) => {
    const below = lehmer(scores);
    const members = Array.from({ length: m }, () => below(scores) + 1);
    const others = Array.from({ length: n }, () => below(scores));
    const found = membershipOutcome({ members: Float64Array.from(members), others: Float64Array.from(others) }, random());
    close(found, plainOutcome(members, others));
    expect(found).toMatchObject({ members: m, others: n });
  });

  it('has the errors of shares that are drawn of both samples', () => {
    // Two fifths of the members score 1 and nobody else does: nine tenths of that share vary, as the rest is taken at random.
    const members = Float64Array.from({ length: 300 }, (_, i) => Number(i % 5 < 2));
    const { foundAt1PercentSe, foundAt10PercentSe } = membershipOutcome({ members, others: new Float64Array(100) }, random());
    const error = Math.sqrt((0.4 * 0.6) / 300);
    expect(Math.abs(foundAt10PercentSe / (0.9 * error) - 1)).toBeLessThan(0.15);
    expect(Math.abs(foundAt1PercentSe / (0.99 * error) - 1)).toBeLessThan(0.15);
    // Whom others are is a sample as well: one of twenty that scores highest moves the share from nothing to all.
    const equal = membershipOutcome(
      { members: new Float64Array(50).fill(1), others: Float64Array.from({ length: 20 }, (_, i) => Number(i < 2) * 2) },
      random(),
    );
    expect(equal.foundAt10PercentSe).toBeGreaterThan(0.3);
    expect(equal).toMatchObject({ auc: 0.9, foundAt10Percent: 1 });
  });

  it('is certain where all members score higher', () => {
    const all = membershipOutcome({ members: Float64Array.of(2, 3), others: Float64Array.of(0, 1) }, random());
    expect(all).toMatchObject({ auc: 1, aucSe: 0, foundAt1Percent: 1, foundAt1PercentSe: 0 });
  });
});

/** The density by its formula, one kernel after the other. */
function plainDensity(sample: Table, point: readonly number[], scales: readonly (number | null)[]): number {
  const n = sample.records;
  const q = scales.filter((scale) => scale !== null).length;
  return mean(
    records(sample).map((row) =>
      row.reduce((product, value, v) => {
        if (isNumber(v)) {
          const h = scales[v]! * (4 / ((q + 2) * n)) ** (1 / (q + 4));
          return (product * Math.exp(-(((value - point[v]!) / h) ** 2) / 2)) / (h * Math.sqrt(2 * Math.PI));
        }
        const variable = sample.schema.variables[v]!;
        const c = variable.type === 'categorical' ? variable.categories.length : 0;
        const b = ((c - 1) / c) * n ** (-2 / (q + 4));
        return product * (value === point[v] ? 1 - b : b / (c - 1));
      }, 1),
    ),
  );
}

describe('a density of a sample', () => {
  const scales = spreads(dataset);

  it('is the mean of products of kernels, with variables of both kinds', () => {
    // A row that is there twice counts twice.
    const sample = chosenRecords(dataset, Uint32Array.of(0, 1, 2, 3, 1, 5, 6, 7));
    const found = logDensities(sample, table, scales);
    for (const [i, point] of records(table).entries()) expect(found[i]).toBeCloseTo(Math.log(plainDensity(sample, point, scales)), 8);
  });

  it('sums to one over all cells of categorical variables, and smooths by the root of the records', () => {
    const schema: TableSchema = {
      variables: ['A', 'B'].map((name, v) => ({ name, type: 'categorical', categories: ['x', 'y', 'z', 'w'].slice(0, 3 + v) })),
    };
    const of = (rows: readonly (readonly number[])[]): Table => ({
      schema,
      records: rows.length,
      columns: [0, 1].map((v) => ({ type: 'categorical', codes: Uint8Array.from(rows, (row) => row[v]!) })),
    });
    const cells = of(Array.from({ length: 12 }, (_, cell) => [cell % 3, Math.floor(cell / 3)]));
    const densities = logDensities(
      of([
        [0, 0],
        [0, 0],
        [1, 2],
        [2, 3],
      ]),
      cells,
      [null, null],
    ).map(Math.exp);
    expect(densities.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
    // Four records: b is half of (c - 1) / c, so that 2/3 and 5/8 stay.
    const kernel = (equalA: boolean, equalB: boolean) => (equalA ? 2 / 3 : 1 / 6) * (equalB ? 5 / 8 : 1 / 8);
    expect(densities[0]).toBeCloseTo((2 * kernel(true, true) + 2 * kernel(false, false)) / 4, 12);
  });

  it('is finite far from all rows, and where a variable has one value', () => {
    const constant: Table = {
      ...dataset,
      columns: dataset.columns.map((column, v) => (v === 5 ? { type: 'continuous', values: new Float64Array(80).fill(7) } : column)),
    };
    expect(spreads(constant)[5]).toBe(1);
    const far: Table = {
      ...table,
      columns: table.columns.map((column) =>
        column.type === 'continuous' ? { type: 'continuous', values: column.values.map((value) => value * 1e6) } : column,
      ),
    };
    expect(logDensities(dataset, far, scales).every(Number.isFinite)).toBe(true);
  });
});

describe('tests of who is in the table', () => {
  const open = (name: string) => seededStreams(4).open(name);
  const tested = (input: Partial<Parameters<typeof membershipTests>[0]> = {}) => [
    ...membershipTests({ table, datasets: [dataset], control, ...input }, null, open),
  ];
  const other = drawTable(lehmer(77), 60);
  const drawn = drawDistinct(open('attack/membership/control'), 50, 50);
  const [reference, rest] = [chosenRecords(control, drawn.slice(0, 25)), chosenRecords(control, drawn.slice(25))];

  it('by the distance to the closest row of any dataset are what all pairs say', () => {
    const rows = [...records(dataset), ...records(other)];
    const ranges = table.columns.map((_, v) => Math.max(...rows.map((row) => row[v]!)) - Math.min(...rows.map((row) => row[v]!)));
    const gower = (a: readonly number[], b: readonly number[]) =>
      a.reduce((sum, value, v) => sum + (isNumber(v) ? Math.abs(value - b[v]!) / ranges[v]! : Number(value !== b[v])), 0);
    const scores = (of: Table) => records(of).map((one) => -Math.min(...rows.map((row) => gower(one, row))));
    const [found] = tested({ datasets: [dataset, other] });
    close(found!, plainOutcome(scores(table), scores(rest)));
    expect(found).toMatchObject({ test: 'closestRecord', members: 80, others: 25, syntheticRows: 140, referenceRecords: 0 });
  });

  it('by the ratio of densities are what all pairs say', () => {
    const synthetic = chosenRecords(
      dataset,
      Uint32Array.from({ length: 80 }, (_, i) => i),
    );
    const both = [...records(synthetic), ...records(reference)];
    const scales = table.columns.map((_, v) => (isNumber(v) ? Math.sqrt(variance(both.map((row) => row[v]!))) : null));
    const scores = (of: Table) =>
      records(of).map((one) => Math.log(plainDensity(synthetic, one, scales) / plainDensity(reference, one, scales)));
    const [, found] = tested();
    close(found!, plainOutcome(scores(table), scores(rest)));
    expect(found).toMatchObject({ test: 'domias', syntheticRows: 80, referenceRecords: 25 });
  });

  it('by a classifier take the share of synthetic rows among those alike, mean over datasets', () => {
    // With one variable of two categories there is one division, and two leaves.
    const one = (of: Table): Table => ({
      schema: { variables: [of.schema.variables[3]!] },
      records: of.records,
      columns: [of.columns[3]!],
    });
    const share = (rows: Table, code: number) => {
      const alike = (of: Table) => records(of).filter((row) => row[3] === code).length;
      return alike(rows) / (alike(rows) + alike(reference));
    };
    const scores = (of: Table) => records(of).map((row) => (share(dataset, row[3]!) + share(other, row[3]!)) / 2);
    const found = tested({ table: one(table), control: one(control), datasets: [one(dataset), one(other)] })[2]!;
    expect(found.test).toBe('classifier');
    close(found, plainOutcome(scores(table), scores(rest)));
  });

  it('find everybody in a release that is the table, and nobody in one of other people', () => {
    const [below, many] = [lehmer(9), 400];
    const [members, people, others] = [drawTable(below, many), drawTable(below, many), drawTable(below, 2 * many)];
    const copied = tested({ table: members, datasets: [members], control: others });
    expect(copied[0]).toMatchObject({ auc: 1, foundAt1Percent: 1 });
    for (const { auc, aucSe } of copied.slice(1)) expect((auc - 0.5) / aucSe).toBeGreaterThan(4);
    for (const { test, auc, aucSe } of tested({ table: members, datasets: [people], control: others })) {
      expect(Math.abs(auc - 0.5) / aucSe, test).toBeLessThan(4);
      expect(aucSe, test).toBeLessThan(0.03);
    }
  });

  it('use 5,000 of the records of a file that has more, and as many rows of each dataset', () => {
    const below = lehmer(5);
    const [large, more] = [drawTable(below, 5200), drawTable(below, 10_100)];
    const narrow = (of: Table): Table => ({
      ...of,
      schema: { variables: of.schema.variables.slice(0, 2) },
      columns: of.columns.slice(0, 2),
    });
    const [members, small] = [narrow(large), narrow(other)];
    expect(tested({ table: members, datasets: [members, small], control: narrow(more) })).toMatchObject([
      { members: 5000, others: 5000, syntheticRows: 5260, referenceRecords: 0 },
      { members: 5000, others: 5000, syntheticRows: 2560, referenceRecords: 5000 },
      { syntheticRows: 2560, referenceRecords: 5000 },
    ]);
  });

  it('need four records of a control at least', () => {
    const few = (count: number) =>
      chosenRecords(
        control,
        Uint32Array.from({ length: count }, (_, i) => i),
      );
    for (const { others, auc } of tested({ control: few(4) })) expect([others, Number.isFinite(auc)]).toEqual([2, true]);
  });
});
