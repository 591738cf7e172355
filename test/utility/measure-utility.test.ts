import { describe, expect, it } from 'vitest';
import { UTILITY_DEFAULTS, type UtilitySettings } from '../../shared/contracts/config/utility.ts';
import { utilitySummarySchema } from '../../shared/contracts/results/utility.ts';
import { finish } from '../../shared/contracts/stepwise.ts';
import { standardDeviation } from '../../shared/numeric/spread.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { countedRows, rowsOfRecords } from '../../shared/table/counted-rows.ts';
import type { Table } from '../../shared/table/table.ts';
import { measureUtility, utilityUnits } from '../../shared/utility/measure-utility.ts';
import { openUtility, refuseConstantResponses } from '../../shared/utility/open-utility.ts';
import { splitRows } from '../../shared/utility/prepare-utility.ts';
import { utilityRows } from '../../shared/utility/utility-rows.ts';
import { withoutMissing } from '../../shared/utility/without-missing.ts';
import { REFERENCE_SCHEMA, referenceTables } from './reference-tables.ts';
import { tableOf } from './table-of.ts';

const QUICK = { ...UTILITY_DEFAULTS, permutations: 3 };

function measure(
  kind: 'full' | 'partial',
  settings: Partial<UtilitySettings> = {},
  seed = 1,
  tables: readonly Table[] = referenceTables(3, kind),
) {
  const synthesized = kind === 'full' ? tables[0]!.columns.map((_, v) => v) : [2, 3];
  const opened = openUtility({ ...QUICK, ...settings }, {}, tables[0]!.schema, synthesized);
  const [table, ...datasets] = tables.map(kind === 'full' ? countedRows : rowsOfRecords);
  return finish(measureUtility({ table: table!, datasets }, opened, (name) => seededStreams(seed).open(name)));
}

describe('measureUtility()', () => {
  it('measures what makes sense for the variables where nothing is named', () => {
    const { summary } = measure('partial');
    expect(utilitySummarySchema.parse(summary)).toEqual(summary);
    expect(summary.synthesized).toEqual(['EDUC', 'INCOME']);
    // Of four variables, two of them kept: the tables that hold a synthesized one.
    expect(summary.tables.map(({ tables }) => tables)).toEqual([2, 5, 4]);
    expect(summary.propensity.map(({ terms, expectedBy }) => [terms, expectedBy])).toEqual([
      ['main', 'pairs of rows'],
      ['pairs', 'pairs of rows'],
      ['tree', 'permutation'],
    ]);
    expect(summary.regressions.map(({ formula, family, asked }) => [formula.split(' ~')[0], family, asked])).toEqual([
      [expect.stringMatching(/^EDUC == [123]$/), 'logistic', false],
      ['INCOME', 'linear', false],
    ]);
    expect(summary.patterns!.by).toEqual(['SEX', 'AGE']);
    expect(summary.patterns!.variables.map(({ of }) => of)).toEqual(['EDUC', 'INCOME']);
    for (const figure of Object.values(summary.figures)) expect(figure).not.toBeNull();
    for (const { heldOut } of summary.regressions) expect('reason' in heldOut).toBe(false);
  });

  it.each(['full', 'partial'] as const)('counts all units of work that it announces, however the table is synthesized: %s', (kind) => {
    const [first, ...others] = referenceTables(3, kind).map(kind === 'full' ? countedRows : rowsOfRecords);
    const opened = openUtility(QUICK, {}, first!.schema, kind === 'full' ? [0, 1, 2, 3] : [2, 3]);
    const input = { table: first!, datasets: others };
    const told = [...measureUtility(input, opened, (name) => seededStreams(1).open(name))];
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)! / utilityUnits(input, opened)).toBeCloseTo(1, 9);
    // No step but a tree or a regression takes long: tables and associations are counted one by one.
    expect(told.length).toBeGreaterThan(20);
  });

  it('states how other permutations would move the ratio by a tree', () => {
    const found = Array.from({ length: 40 }, (_, seed) => measure('full', { propensity: ['tree'], permutations: 10 }, seed).summary);
    const ratios = found.map(({ figures }) => figures.propensityRatioTree!);
    const byDatasets = found.map(
      ({ propensity }) => standardDeviation(propensity[0]!.datasets.map((score) => score!.ratio!)) / Math.sqrt(3),
    );
    const stated = found.map(({ figuresSe }, i) => Math.sqrt(figuresSe.propensityRatioTree! ** 2 - byDatasets[i]! ** 2));
    const rms = Math.sqrt(stated.reduce((sum, error) => sum + error * error, 0) / stated.length);
    // The datasets are the same; 40 spreads of 10 are within 30 % of each other.
    expect(standardDeviation(ratios) / rms).toBeGreaterThan(0.7);
    expect(standardDeviation(ratios) / rms).toBeLessThan(1.3);
    const { summary } = measure('full', { propensity: ['tree'], permutations: 1 });
    expect(summary.figuresSe.propensityRatioTree).toBeNull();
    expect(summary.figuresSeReason).toContain('Of one permutation');
  });

  it('states the errors between datasets, and why others are not known', () => {
    const { figures, figuresSe, figuresSeReason, propensity, tables } = measure('partial').summary;
    const spread = (values: readonly number[]) => standardDeviation(values) / Math.sqrt(3);
    expect(figuresSe.oneWayTotalVariation).toBe(spread(tables[0]!.totalVariationByDataset));
    const { datasets, mean } = propensity[2]!;
    const byPermutations = (mean!.ratio! * mean!.expectedDeviation!) / (mean!.expected * Math.sqrt(3));
    const byDatasets = spread(datasets.map((score) => score!.ratio!));
    expect(figuresSe.propensityRatioTree).toBeCloseTo(Math.hypot(byDatasets, byPermutations), 12);
    expect(Object.keys(figuresSe)).toEqual(Object.keys(figures));
    expect(figuresSe).toMatchObject({ intervalOverlapMean: null, patternDistanceMean: null, associationDifferenceMax: null });
    expect(figuresSeReason).toContain('all datasets together');
    const { summary } = measure('full', {}, 1, referenceTables(1, 'full'));
    expect(Object.values(summary.figuresSe).every((error) => error === null)).toBe(true);
    expect(summary.figuresSeReason).toContain('One dataset');
    // What chance gives is known of one dataset as well.
    for (const { mean } of summary.propensity) {
      expect((mean!.pmse - mean!.expected) / mean!.expectedDeviation!).toBeCloseTo(mean!.standardized!, 12);
    }
  });

  it('finds nothing to tell apart where datasets are copies, and everything the same', () => {
    const [table] = referenceTables(0, 'full');
    const { summary } = measure('full', { propensity: ['main', 'tree'] }, 1, [table!, table!, table!]);
    expect(summary.figures).toMatchObject({
      oneWayTotalVariation: 0,
      threeWayTotalVariation: 0,
      associationDifferenceMax: 0,
      propensityPairs: null,
    });
    expect(summary.figures.propensityMain).toBeLessThan(1e-12);
    expect(summary.figures.propensityTree).toBeLessThan(1e-12);
    expect(summary.figures.standardizedDifferenceMean).toBeLessThan(1e-6);
    // The variance between them is none, so that combining rules give the interval of the table.
    expect(summary.figures.intervalOverlapMean).toBeCloseTo(1, 2);
    expect(summary.patterns).toBeNull();
    expect(summary.patternsReason).toContain('utility.patterns');
  });

  it('gives the same for the same streams, and other held-out records for others', () => {
    const [first, again, other] = [measure('full'), measure('full'), measure('full', {}, 2)];
    expect(again).toEqual(first);
    expect(other.tables).toEqual(first.tables);
    expect(other.summary.regressions[0]!.heldOut).not.toEqual(first.summary.regressions[0]!.heldOut);
  });

  it('holds a share of the records out and foretells them about as well from table and datasets', () => {
    const { summary } = measure('partial', { regressions: ['INCOME ~ EDUC + AGE'], heldOut: 0.25 });
    const [{ heldOut }] = summary.regressions as [(typeof summary.regressions)[0]];
    expect(heldOut.records).toBe(100);
    expect(heldOut.original!.distance).toBe(0);
    expect(heldOut.original!.quantiles).toHaveLength(11);
    // Incomes are uniform over a thousand, whatever is known: their variance is 1000^2 / 12.
    for (const one of [heldOut.original, ...heldOut.datasets]) {
      expect(one!.meanSquaredError).toBeGreaterThan(50_000);
      expect(one!.meanSquaredError).toBeLessThan(120_000);
    }
  });

  it('fits models to no more records than it may', () => {
    const { summary } = measure('full', { records: 150, propensity: ['main', 'tree'] });
    expect(summary.records).toBe(400);
    expect(summary.propensity.map(({ records }) => records)).toEqual([150, 150]);
    expect(summary.regressions.map(({ records }) => records)).toEqual([150, 150, 150, 150]);
    expect(summary.regressions[0]!.heldOut.records).toBe(30);
  });

  it('says why intervals are not there of a single dataset', () => {
    const { summary } = measure('partial', { propensity: ['main'] }, 1, referenceTables(1, 'partial'));
    for (const { low, reason } of summary.tables) expect([low, reason]).toEqual([null, expect.any(String)]);
    for (const { coefficients } of summary.regressions) {
      for (const { intervalOverlap, reason } of coefficients) {
        expect([intervalOverlap, reason]).toEqual([null, expect.stringContaining('one dataset')]);
      }
    }
  });

  it('says so where a dataset has one value of a response, or lacks a category', () => {
    const table = tableOf(
      [2, 3],
      Array.from({ length: 60 }, (_, i) => [i % 2, i % 3]),
    );
    const constant = tableOf(
      [2, 3],
      Array.from({ length: 60 }, (_, i) => [0, i % 2]),
    );
    const { summary } = measure('full', { regressions: ['V0 == v1 ~ V1', 'V1 == v2 ~ V0'] }, 1, [table, table, constant]);
    for (const { coefficients, heldOut } of summary.regressions) {
      for (const one of coefficients) expect(one.reason).toContain('in 1 of 2 datasets');
      expect(heldOut.datasets[1]).toBeNull();
      expect(heldOut.reason).toBeDefined();
    }
    // Cramér's V is undefined there, and so is what the pair differs by.
    expect(summary.associations.synthetic[0]![1]).toBeNull();
    expect(summary.figures.associationDifferenceMean).toBeNull();
  });

  it('gives every figure as a row, finite or none', () => {
    const rows = [...utilityRows(measure('full'))];
    expect(new Set(rows.map(({ measure: name }) => name))).toEqual(
      new Set(['table', 'propensity', 'regression', 'prediction', 'association']),
    );
    const ofTerms = rows.filter(({ measure: name }) => name === 'regression').map(({ figure }) => figure);
    const estimated = ['estimate', 'se', 'low', 'high'].flatMap((figure) => [`original_${figure}`, `synthetic_${figure}`]);
    expect(new Set(ofTerms)).toEqual(new Set([...estimated, 'synthetic_df', 'interval_overlap', 'standardized_difference']));
    for (const { value } of rows) expect(value === null || Number.isFinite(value)).toBe(true);
    expect(rows).toContainEqual({ measure: 'table', item: 'SEX:AGE', dataset: 1, figure: 'absolute_deviation', value: expect.any(Number) });
  });
});

describe('splitRows()', () => {
  it('holds the same records back in datasets that keep some variables, and others in those that keep none', () => {
    const [table, ...datasets] = referenceTables(3, 'partial').map(rowsOfRecords);
    const heldOut = (kind: 'full' | 'partial') => {
      const split = splitRows({ table: table!, datasets }, 0.25, kind, (name) => seededStreams(2).open(name));
      expect(split.table.heldOut.records).toBe(Math.round(table!.records / 4));
      expect(split.table.heldOut.records + split.table.training.records).toBe(table!.records);
      // What is kept of a record tells which it is.
      return [split.table, ...split.datasets].map((own) => JSON.stringify(own.heldOut.columns.slice(0, 2)));
    };
    expect(new Set(heldOut('partial')).size).toBe(1);
    expect(new Set(heldOut('full')).size).toBe(3 + 1);
  });
});

describe('openUtility()', () => {
  const open = (settings: Partial<UtilitySettings>, overrides = {}) =>
    openUtility({ ...QUICK, ...settings }, overrides, REFERENCE_SCHEMA, [2, 3]);

  it.each([
    [{ patterns: { by: ['SEX'], of: ['NONE'] } }, 'unknown-variable'],
    [{ patterns: { by: ['SEX', 'SEX'], of: ['AGE'] } }, 'repeated-variable'],
    [{ patterns: { by: ['SEX'], of: ['SEX'] } }, 'pattern-of-itself'],
  ])('refuses patterns that are none', (settings, code) => {
    expect(() => open(settings)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses an order of numbers', () => {
    expect(() => open({}, { INCOME: { ordered: true } })).toThrow(expect.objectContaining({ code: 'ordered-number' }));
  });

  it('takes a number that varies as a response, and refuses one that does not', () => {
    const schema = { variables: [{ name: 'X', type: 'continuous' as const }, REFERENCE_SCHEMA.variables[0]!] };
    const codes = { type: 'categorical' as const, codes: Uint16Array.of(0, 1, 0) };
    const tableWith = (...values: number[]) => ({
      schema,
      records: 3,
      columns: [{ type: 'continuous' as const, values: Float64Array.from(values) }, codes],
    });
    const opened = openUtility({ ...QUICK, regressions: ['X ~ SEX'] }, {}, schema, [0]);
    expect(() => refuseConstantResponses(opened, tableWith(1, 1, 2))).not.toThrow();
    expect(() => refuseConstantResponses(opened, tableWith(1, 1, 1))).toThrow(expect.objectContaining({ code: 'constant-response' }));
  });

  it('refuses a response of one value in the table', () => {
    const table = tableOf(
      [3, 2],
      Array.from({ length: 8 }, (_, i) => [i % 2, i % 2]),
    );
    const opened = openUtility({ ...QUICK, regressions: ['V1 == v0 ~ V0', 'V0 == v2 ~ V1'] }, {}, table.schema, [0, 1]);
    expect(() => refuseConstantResponses(opened, table)).toThrow(
      expect.objectContaining({ code: 'constant-response', message: expect.stringContaining('formula 2') }),
    );
  });
});

describe('withoutMissing()', () => {
  it('leaves out records that lack a value, and their rows where these belong to them', () => {
    const table = tableOf(
      [2, 2],
      [
        [0, 1],
        [2, 0],
        [1, 2],
        [1, 1],
      ],
    );
    const dataset = tableOf(
      [2, 2],
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
    );
    const input = { table: rowsOfRecords(table), datasets: [rowsOfRecords(dataset)] };
    const partial = withoutMissing(input, 'partial')!;
    expect([partial.table.records, partial.datasets[0]!.records]).toEqual([2, 2]);
    expect(partial.datasets[0]!.columns[1]).toMatchObject({ codes: Uint16Array.of(0, 1) });
    expect(withoutMissing(input, 'full')!.datasets[0]!.records).toBe(4);
    const whole = { table: rowsOfRecords(dataset), datasets: [] };
    expect(withoutMissing(whole, 'full')).toEqual(whole);
    const none = { table: rowsOfRecords(tableOf([2, 2], [[2, 1]])), datasets: [] };
    expect(withoutMissing(none, 'full')).toBeNull();
  });
});
