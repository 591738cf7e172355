import { describe, expect, it } from 'vitest';
import { identificationScenarioSchema } from '../../../shared/contracts/config/identification-scenario.ts';
import { identificationRiskSummarySchema } from '../../../shared/contracts/results/identification.ts';
import { finish } from '../../../shared/contracts/stepwise.ts';
import {
  fullySyntheticRisk,
  identificationUnits,
  identifyRelease,
  recordRisk,
} from '../../../shared/risk/identification/identification-risk.ts';
import { openScenario, refuseRepeatedScenarios } from '../../../shared/risk/identification/opened-scenario.ts';
import type { Table } from '../../../shared/table/table.ts';

const SEXES = ['f', 'm', 'x'];

/** A table of a categorical variable SEX, a continuous AGE, a categorical JOB and a continuous INCOME. */
function people(rows: readonly (readonly [sex: number, age: number, job: number, income: number])[]): Table {
  const codes = (v: 0 | 2) => ({ type: 'categorical' as const, codes: Uint8Array.from(rows, (row) => row[v]) });
  const values = (v: 1 | 3) => ({ type: 'continuous' as const, values: Float64Array.from(rows, (row) => row[v]) });
  return {
    schema: {
      variables: [
        { name: 'SEX', type: 'categorical', categories: SEXES },
        { name: 'AGE', type: 'continuous' },
        { name: 'JOB', type: 'categorical', categories: ['a', 'b', 'c'] },
        { name: 'INCOME', type: 'continuous' },
      ],
    },
    records: rows.length,
    columns: [codes(0), values(1), codes(2), values(3)],
  };
}

const TABLE = people([
  [0, 30, 0, 1000],
  [0, 31, 1, 2000],
  [1, 40, 0, 1000],
  [1, 60, 2, 0],
]);
/** Incomes alone are synthesized. */
const FIRST = people([
  [0, 30, 0, 1050],
  [0, 31, 1, 1000],
  [1, 40, 0, 3000],
  [1, 60, 2, 0],
]);
const SECOND = people([
  [0, 30, 0, 2050],
  [0, 31, 1, 1000],
  [1, 40, 0, 990],
  [1, 60, 2, 1],
]);

async function identify(scenario: object, datasets: readonly Table[] = [FIRST, SECOND], table = TABLE) {
  const opened = openScenario(table.schema, identificationScenarioSchema.parse(scenario));
  return finish(identifyRelease(table, datasets, [opened]))[0]!;
}

async function applied(scenario: object, datasets?: readonly Table[]) {
  const { summary, records } = await identify(scenario, datasets);
  identificationRiskSummarySchema.parse(summary);
  if (!summary.applies) throw new Error(summary.reason);
  return { summary, records };
}

const refusal = (scenario: object, datasets?: readonly Table[]) =>
  identify(scenario, datasets).then(
    () => null,
    ({ name, code, message }) => ({ name, code, message }),
  );

describe('identifyRelease()', () => {
  it('counts c, T and the figures of Hu & Savitsky 2018 by hand', async () => {
    const { summary, records } = await applied({ known: ['SEX'], radius: { INCOME: 0.1 } });
    // In the first dataset the women have 1050 and 1000, the men 3000 and 0: record 1 is matched by rows 1 and 2, record
    // 2 by none, record 3 by none, record 4 by its own row.
    expect(records[0]).toEqual({ matches: Uint32Array.of(2, 0, 0, 1), ownMatches: Uint8Array.of(1, 0, 0, 1) });
    // In the second: 2050 and 1000; 990 and 1. Record 1 is matched by row 2, record 2 by row 1, record 3 by its own.
    expect(records[1]).toEqual({ matches: Uint32Array.of(1, 1, 1, 0), ownMatches: Uint8Array.of(0, 0, 1, 0) });
    expect([0, 1, 2, 3].map((record) => recordRisk(records[0]!, record))).toEqual([0.5, 0, 0, 1]);
    expect(summary).toMatchObject({
      scenario: 'known: SEX',
      known: ['SEX'],
      synthesized: ['INCOME'],
      records: 4,
      radii: { INCOME: { relative: 0.1 } },
      datasets: [
        { expectedMatchRisk: 1.5, trueMatchRate: 0.25, falseMatchRate: 0, uniqueMatches: 1 },
        { expectedMatchRisk: 1, trueMatchRate: 0.25, falseMatchRate: 2 / 3, uniqueMatches: 3 },
      ],
      mean: { expectedMatchRisk: 1.25, trueMatchRate: 0.25, falseMatchRate: 1 / 3, uniqueMatches: 2 },
      minimum: { expectedMatchRisk: 1, uniqueMatches: 1 },
      maximum: { expectedMatchRisk: 1.5, uniqueMatches: 3 },
    });
    expect(summary.standardDeviation!.expectedMatchRisk).toBeCloseTo(Math.sqrt(0.125), 12);
    // Means over the datasets: 0.25, 0, 0.5 and 0.5.
    expect(summary.recordRisks.filter((one) => one.records > 0)).toEqual([
      { above: null, upTo: 0, records: 1 },
      { above: 0.2, upTo: 0.5, records: 3 },
    ]);
  });

  it('gives a known continuous variable a radius of its own', async () => {
    const { records } = await applied({ known: ['AGE'], radius: { AGE: 'abs:1', INCOME: 'abs:60' } }, [FIRST]);
    expect(records[0]!.matches).toEqual(Uint32Array.of(2, 0, 0, 1));
  });

  it('leaves the false match rate undefined, with the reason, where no record has a unique match', async () => {
    const none = people(
      TABLE.columns[1]!.type === 'continuous'
        ? [
            [0, 30, 0, 9],
            [0, 31, 1, 9],
            [1, 40, 0, 9],
            [1, 60, 2, 9],
          ]
        : [],
    );
    const { summary } = await applied({ known: ['SEX'], radius: { INCOME: 0.1 } }, [none]);
    const figures = {
      expectedMatchRisk: 0,
      trueMatchRate: 0,
      falseMatchRate: null,
      falseMatchRateReason: 'no record has a unique match',
      uniqueMatches: 0,
    };
    expect(summary).toMatchObject({
      datasets: [figures],
      mean: figures,
      minimum: figures,
      maximum: figures,
      standardDeviation: null,
      standardDeviationReason: 'there is one dataset',
    });
    // Of two datasets, one has a rate, and the mean is over that.
    const both = await applied({ known: ['SEX'], radius: { INCOME: 0.1 } }, [none, SECOND]);
    expect(both.summary.mean.falseMatchRate).toBe(2 / 3);
    expect(both.summary.standardDeviation).toMatchObject({
      falseMatchRate: null,
      falseMatchRateReason: 'fewer than two datasets have a record with a unique match',
    });
  });

  it('finds the own row of every record in a copy of the table', async () => {
    const { summary, records } = await applied({ known: ['SEX', 'JOB'], synthesized: [] }, [TABLE]);
    expect(records[0]!.ownMatches).toEqual(Uint8Array.of(1, 1, 1, 1));
    expect(summary.mean).toMatchObject({ expectedMatchRisk: 4, trueMatchRate: 1, falseMatchRate: 0 });
  });

  it('sweeps radii, and reports at the one of the largest mean', async () => {
    const sweep = { radii: [3, 0.001, 0.5] };
    const { summary, records } = await applied({ known: [], sweep });
    const at = async (INCOME: number) => (await applied({ known: [], radius: { INCOME } })).summary;
    const singles = [await at(0.001), await at(0.5), await at(3)];
    expect(summary.sweep).toEqual({
      variables: ['INCOME'],
      jointly: false,
      points: singles.map(({ radii, datasets, mean }) => ({
        radii,
        expectedMatchRisk: datasets.map(({ expectedMatchRisk }) => expectedMatchRisk),
        expectedMatchRiskMean: mean.expectedMatchRisk,
      })),
      maximum: 1,
    });
    const { sweep: _, ...figures } = summary;
    expect(figures).toEqual(singles[1]);
    expect(records).toHaveLength(2);
  });

  it('sweeps several radii jointly, those of their own held fixed', async () => {
    const sweep = { radii: [0.02, 0.1], jointly: true };
    const { summary } = await applied({ known: ['AGE', 'SEX'], sweep });
    expect(summary.sweep!.points.map(({ radii }) => radii)).toEqual(
      [0.02, 0.1].flatMap((AGE) => [0.02, 0.1].map((INCOME) => ({ AGE: { relative: AGE }, INCOME: { relative: INCOME } }))),
    );
    const own = await applied({ known: ['AGE', 'SEX'], radius: { AGE: 'abs:1' }, sweep });
    expect(own.summary.sweep).toMatchObject({ variables: ['INCOME'], jointly: true });
    expect(own.summary.sweep!.points).toHaveLength(2);
    expect(own.summary.radii.AGE).toEqual({ absolute: 1 });
  });

  it('tells of every record of each pass', () => {
    const scenarios = [
      { known: ['SEX'], sweep: {} },
      { known: ['SEX'], radius: { INCOME: 1 } },
    ].map((one) => openScenario(TABLE.schema, identificationScenarioSchema.parse(one)));
    const told = [...identifyRelease(TABLE, [FIRST], scenarios)];
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe((3 + 2) * TABLE.records);
    expect(identificationUnits(TABLE, [FIRST], scenarios)).toBe(told.at(-1));
    const ofBoth = [...identifyRelease(TABLE, [FIRST, SECOND], scenarios)].at(-1);
    expect(identificationUnits(TABLE, [FIRST, SECOND], scenarios)).toBe(ofBoth);
  });

  it('does not apply to data in which nothing is kept row by row', async () => {
    const full = people([
      [1, 31, 1, 5],
      [2, 29, 2, 6],
      [0, 33, 1, 7],
      [2, 61, 0, 8],
    ]);
    for (const known of [['SEX'], []]) {
      const { summary, records } = await identify({ known, radius: { INCOME: 0.1 } }, [full]);
      expect(identificationRiskSummarySchema.parse(summary)).toMatchObject({
        known,
        applies: false,
        reason: expect.stringContaining('no row belongs to a record'),
      });
      expect(records).toEqual([]);
    }
  });
});

describe('fullySyntheticRisk()', () => {
  it('says whence it is known that nothing is kept', () => {
    const reasons = (['declared', 'seen'] as const).map((evidence) => {
      const summary = fullySyntheticRisk('name', ['SEX'], ['JOB'], evidence);
      expect(summary).toMatchObject({ scenario: 'name', known: ['SEX'], synthesized: ['JOB'], applies: false });
      return summary.applies ? '' : summary.reason;
    });
    expect(reasons[0]).toContain('no variable was named as kept');
    expect(reasons[1]).toContain('no variable of the table is kept');
    for (const reason of reasons) expect(reason).toContain('no row belongs to a record');
  });
});

describe('identifyRelease() refuses', () => {
  it.each([
    ['an unknown variable', { known: ['SEKS'] }, 'unknown-variable', /no variable SEKS/],
    ['a variable named twice', { known: ['SEX', 'SEX'] }, 'repeated-variable', /SEX twice/],
    ['a variable that is known and synthesized', { known: ['SEX', 'JOB'], synthesized: ['JOB'] }, 'known-and-synthesized', /JOB/],
    [
      'a radius of a categorical variable',
      { known: ['SEX'], radius: { SEX: 1, INCOME: 1 } },
      'radius-of-categorical',
      /SEX is categorical/,
    ],
    ['a radius of a variable that is not matched', { known: ['SEX'], radius: { AGE: 1, INCOME: 1 } }, 'unused-radius', /AGE/],
    ['a continuous variable without a radius', { known: ['SEX'] }, 'no-radius', /--radius INCOME=0\.1/],
    ['a sweep without a variable to sweep', { known: ['SEX'], radius: { INCOME: 1 }, sweep: {} }, 'nothing-to-sweep', /there is none/],
    ['nothing to match by', { known: [], synthesized: [] }, 'nothing-to-match', /nothing to match/],
    [
      'more combinations of radii than can be tried',
      { known: ['AGE'], sweep: { radii: Array.from({ length: 101 }, (_, i) => i / 100), jointly: true } },
      'too-many-radii',
      /10201 combinations/,
    ],
    [
      'a known variable that was synthesized',
      { known: ['INCOME'], radius: { INCOME: 0.1 } },
      'known-variables-differ',
      /Dataset 1 has other values of INCOME than the table, in up to 3 of 4 rows/,
    ],
  ])('%s', async (_, scenario, code, message) => {
    expect(await refusal(scenario)).toMatchObject({ name: 'InvalidConfigError', code, message: expect.stringMatching(message) });
  });

  it('a dataset with another number of rows', async () => {
    const short = people([[0, 30, 0, 1]]);
    expect(await refusal({ known: ['SEX'] }, [FIRST, short])).toMatchObject({
      name: 'InvalidTableError',
      code: 'other-record-count',
      message: 'dataset 2 has 1 row and the table 4: expected one for each record, in the same order',
    });
  });

  it('a dataset whose rows were put into another order', async () => {
    const rows = [
      [1, 60, 2, 0],
      [1, 40, 0, 3000],
      [0, 31, 1, 1000],
      [0, 30, 0, 1050],
    ] as const;
    expect(await refusal({ known: ['SEX', 'AGE'] }, [people(rows)])).toMatchObject({
      name: 'InvalidTableError',
      code: 'rows-in-another-order',
    });
  });

  it('a dataset whose rows were put into another order, as far as what is not synthesized can tell', async () => {
    const rows = [
      [1, 60, 2, 0],
      [1, 40, 0, 3000],
      [0, 31, 1, 1000],
      [0, 30, 0, 1050],
    ] as const;
    const scenario = { known: ['SEX'], synthesized: ['INCOME'], radius: { INCOME: 0.1 } };
    expect(await refusal(scenario, [people(rows)])).toMatchObject({ code: 'rows-in-another-order' });
    // With other jobs, and ages as they were, this is no order of the table's rows, though SEX has the same values.
    const ages = [30, 31, 40, 60];
    const jobs = people(rows.map(([sex, , job, income], i) => [sex, ages[i]!, i === 0 ? 1 : job, income]));
    expect(await refusal(scenario, [jobs])).toMatchObject({ code: 'known-variables-differ' });
  });

  it('known variables that differ, saying in how many rows at most', async () => {
    const rows = [
      [1, 30, 0, 1000],
      [0, 99, 1, 2000],
      [1, 98, 0, 1000],
      [1, 97, 2, 0],
    ] as const;
    expect(await refusal({ known: ['SEX', 'AGE'] }, [people(rows)])).toMatchObject({
      code: 'known-variables-differ',
      message: expect.stringMatching(/Dataset 1 has other values of SEX, AGE than the table, in up to 3 of 4 rows/),
    });
  });

  it('scenarios that are called alike', () => {
    const twice = [{ known: ['SEX'] }, { known: ['SEX'], shape: 'ellipse' }];
    const parsed = twice.map((one) => identificationScenarioSchema.parse(one));
    expect(() => refuseRepeatedScenarios(parsed)).toThrow(/called "known: SEX"/);
    expect(() => refuseRepeatedScenarios([parsed[0]!, { ...parsed[1]!, name: 'ellipse' }])).not.toThrow();
  });
});
