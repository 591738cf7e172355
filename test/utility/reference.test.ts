import { describe, expect, it } from 'vitest';
import { rowsOfRecords } from '../../shared/table/counted-rows.ts';
import { association } from '../../shared/utility/associations.ts';
import { propensityUtility } from '../../shared/utility/propensity.ts';
import { compareRegression } from '../../shared/utility/regression/compare-regression.ts';
import { prepareRegression } from '../../shared/utility/regression/fit-regression.ts';
import { openRegression } from '../../shared/utility/regression/open-regression.ts';
import { compareTable } from '../../shared/utility/table-deviations.ts';
import { stackTables, treePropensity } from '../../shared/utility/tree-propensity.ts';
import { REFERENCE_SCHEMA, referenceTables } from './reference-tables.ts';
import { subsets } from './subsets.ts';

// All numbers of this file are what test/utility/reference.R prints: R's glm and lm, polr of MASS, rpart, and the formulas
// of synthpop's utility.gen written out.

const compared = (formula: string, kind: 'full' | 'partial') => {
  const [table, ...datasets] = referenceTables(5, kind).map(rowsOfRecords);
  const opened = openRegression(formula, 1, REFERENCE_SCHEMA, new Set(['EDUC']));
  const prepared = prepareRegression(opened, REFERENCE_SCHEMA);
  return compareRegression(
    prepared,
    prepared.fit(table!),
    datasets.map((dataset) => prepared.fit(dataset)),
    kind,
    1,
  );
};

/** Estimates and standard errors as R prints them, in its order of terms. */
const ofTable = (formula: string) =>
  compared(formula, 'full').coefficients.map(({ term, original }) => [term, original!.estimate, original!.se]);

const ofDatasets = (formula: string, kind: 'full' | 'partial', chosen: string) => {
  const { synthetic } = compared(formula, kind).coefficients.find(({ term }) => term === chosen)!;
  const { estimate, se, df, low, high } = synthetic!;
  return [estimate, se, df, low, high];
};

function expectClose(found: readonly unknown[], expected: readonly unknown[], digits = 1e-6): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) {
    const own = found[i];
    if (typeof value !== 'number' || typeof own !== 'number') expect(own).toEqual(value);
    else expect(Math.abs(own - value), `${own} for ${value}`).toBeLessThan(digits * Math.abs(value));
  }
}

const LOGISTIC = 'EDUC == 2 ~ SEX + AGE + INCOME';
const LINEAR = 'INCOME ~ AGE * SEX + EDUC';
const ORDERED = 'EDUC ~ AGE + SEX';

describe('regressions on the table', () => {
  it('has the coefficients and standard errors of glm', () => {
    expectClose(
      ofTable(LOGISTIC).flat(),
      [
        ['(intercept)', -3.72168390389e-1, 0.619425369431513],
        ['SEX=2', 4.49954701007e-2, 0.203682049780446],
        ['AGE=2', -1.33305174753e-1, 0.368494269956666],
        ['AGE=3', 4.46908785909e-2, 0.357616302783054],
        ['AGE=4', 2.27348847909e-1, 0.312033567082604],
        ['INCOME', 1.15882214391e-5, 0.000329707755716],
      ].flat(),
      1e-8,
    );
  });

  it('has those of lm, with an interaction', () => {
    expectClose(
      ofTable(LINEAR)
        .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
        .flat(),
      [
        ['(intercept)', 1586.5922807766, 64.630452603],
        ['AGE=2', 37.3433379208, 82.2889275365],
        ['AGE=2:SEX=2', 90.3875570743, 107.1470947526],
        ['AGE=3', 68.7778046597, 80.5348148483],
        ['AGE=3:SEX=2', 122.1929542405, 104.5615571047],
        ['AGE=4', 260.3265936011, 67.2974714023],
        ['AGE=4:SEX=2', -27.6275499343, 87.44559786],
        ['EDUC=2', 155.8818452525, 38.3838968157],
        ['EDUC=3', 270.7197139133, 41.6299304382],
        ['SEX=2', -58.9580814742, 76.7602018681],
      ].flat(),
      1e-9,
    );
  });

  it('has those of polr, thresholds among them', () => {
    // polr ends its search at about six digits.
    expectClose(
      ofTable(ORDERED)
        .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))
        .flat(),
      [
        ['1|2', -0.0682900490257, 0.266323451203],
        ['2|3', 1.9917718576988, 0.287215861572],
        ['AGE=2', 0.4973990659829, 0.343885901673],
        ['AGE=3', 1.3875180661624, 0.333798316168],
        ['AGE=4', 1.3659478625802, 0.280824491886],
        ['SEX=2', 0.199850834762, 0.190129065157],
      ].flat(),
      2e-4,
    );
  });
});

describe('regressions on the datasets', () => {
  it('combines those of partially synthetic ones with their degrees of freedom', () => {
    expectClose(ofDatasets(LOGISTIC, 'partial', 'SEX=2'), [0.05316618911, 0.235106886269, 72.3619992178, -0.415470769069, 0.521803147289]);
    expectClose(ofDatasets(LINEAR, 'partial', 'EDUC=3'), [288.10713778148, 47.4724998136, 37.8727988439, 191.9934852626, 384.2207903]);
  });

  it('combines those of fully synthetic ones, and takes the mean variance where theirs would be negative', () => {
    expectClose(ofDatasets(LINEAR, 'full', 'SEX=2'), [6.89565636983, 79.5612900774, 1.138557454513, -755.008637838, 768.799950578]);
    expectClose(ofDatasets(LOGISTIC, 'full', 'SEX=2'), [-0.054492319371, 0.204187180434, null, -0.454691839126, 0.345707200384]);
  });

  it('gives no interval below one degree of freedom', () => {
    expectClose(ofDatasets(LINEAR, 'full', 'AGE=4'), [286.91922091903, 30.6853152646, 0.165753238015, null, null]);
  });
});

describe('propensity scores', () => {
  const tables = (kind: 'full' | 'partial') => referenceTables(1, kind);
  const found = (terms: 'main' | 'pairs', kind: 'full' | 'partial') => {
    const [table, dataset] = tables(kind).map(rowsOfRecords);
    return propensityUtility(table!, dataset!, terms, kind === 'full' ? [0, 1, 2, 3] : [2, 3]);
  };

  it('have the rank, distance, expectation, ratio and standardized form of utility.gen', () => {
    const main = found('main', 'full');
    expectClose(
      [main.coefficients, main.score!.pmse, main.score!.expected, main.score!.ratio, main.score!.standardized],
      [8, 0.00352371360094, 0.00109375, 3.22168100657146, 4.15638457464674],
      1e-9,
    );
    const pairs = found('pairs', 'full');
    expectClose(
      [pairs.coefficients, pairs.score!.pmse, pairs.score!.expected, pairs.score!.ratio, pairs.score!.standardized],
      [25, 0.00925490261197, 0.00375, 2.46797402985937, 5.08521120781612],
      1e-9,
    );
  });

  it('have the same distance where some variables are kept', () => {
    expectClose([found('main', 'partial').score!.pmse], [0.000324740803039], 1e-9);
    expectClose([found('pairs', 'partial').score!.pmse], [0.00649552376717], 1e-9);
  });

  it('by trees are those of rpart', () => {
    for (const [kind, expected] of [
      ['full', 0.00912607976237],
      ['partial', 0.00457972798921],
    ] as const) {
      const [table, dataset] = tables(kind).map(({ schema, records, columns }) => ({
        schema: { variables: schema.variables.slice(0, 3) },
        records,
        columns: columns.slice(0, 3),
      }));
      expectClose([treePropensity(stackTables(table!, dataset!)).pmse], [expected], 1e-9);
    }
  });
});

describe('tables and associations', () => {
  it('are those of table(), chisq and lm', () => {
    const [table, dataset] = referenceTables(1, 'full').map(rowsOfRecords);
    const sums = [1, 2, 3].map((way) =>
      [...subsets([0, 1, 2], way)].reduce((sum, set) => sum + compareTable(table!, [dataset!], set, 'partial').deviations[0]!, 0),
    );
    expect(sums).toEqual([104, 212, 114]);
    const pairs = [
      [0, 1],
      [1, 2],
      [2, 3],
      [1, 3],
    ] as const;
    expectClose(
      [table!, dataset!].flatMap((rows) => pairs.map(([a, b]) => association(rows, a, b))),
      [
        ...[0.0638553193677, 0.2052421775379, 0.3753329111383, 0.3663141003579],
        ...[0.141164496137, 0.13750988032, 0.385681210267, 0.359800625651],
      ],
      1e-9,
    );
  });
});
