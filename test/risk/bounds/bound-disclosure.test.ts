import { describe, expect, it } from 'vitest';
import { identificationScenarioSchema } from '../../../shared/contracts/config/identification-scenario.ts';
import { type DisclosureMeasures, measureDisclosure, summarizeBounds } from '../../../shared/risk/bounds/bound-disclosure.ts';
import { type BoundsSettings, openBounds, prepareBounds, withRadii } from '../../../shared/risk/bounds/open-bounds.ts';
import type { Table } from '../../../shared/table/table.ts';

/** Four records, two of which are alone in their patterns of SEX and AGE in two bands. */
const table: Table = {
  records: 4,
  schema: {
    variables: [
      { name: 'SEX', type: 'categorical', categories: ['f', 'm'] },
      { name: 'JOB', type: 'categorical', categories: ['a', 'b', 'c'] },
      { name: 'AGE', type: 'continuous' },
      { name: 'PAY', type: 'continuous' },
    ],
  },
  columns: [
    { type: 'categorical', codes: Uint8Array.of(0, 0, 1, 1) },
    { type: 'categorical', codes: Uint8Array.of(0, 1, 2, 0) },
    { type: 'continuous', values: Float64Array.of(20, 21, 21, 70) },
    { type: 'continuous', values: Float64Array.of(1, 2, 3, 4) },
  ],
};
const radius = { AGE: { relative: 0.1 }, PAY: { absolute: 2 } };

const opened = (settings: Partial<BoundsSettings> = {}) =>
  openBounds(table.schema, { seed: 1, synthesized: ['JOB', 'PAY'], identification: [], radius, resamples: 2, bands: 2, ...settings });
const request = (settings?: Partial<BoundsSettings>, datasets: readonly Table[] = []) => prepareBounds(table, datasets, opened(settings));

/** Measures that are all different, counting from a number. */
const measuresFrom = (first: number, falseMatchRate: number | null = first / 100): DisclosureMeasures => ({
  disclosures: { count: first, countByVariable: [first + 10, first + 20] },
  matchFigures: [{ expectedMatchRisk: first + 30, trueMatchRate: first / 1000, falseMatchRate, uniqueMatches: first + 40 }],
});

describe('summarizeBounds()', () => {
  const measures = {
    minimum: [measuresFrom(1), measuresFrom(3)],
    maximum: [measuresFrom(5), measuresFrom(9)],
    release: [measuresFrom(7), measuresFrom(8)],
  };

  it('puts every measure in its place', () => {
    const { found, rows } = summarizeBounds(request({}, [table, table]), measures);
    const means = (minimum: number, maximum: number, release: number) => ({
      minimum: { mean: expect.closeTo(minimum, 12) },
      maximum: { mean: expect.closeTo(maximum, 12) },
      release: { mean: expect.closeTo(release, 12) },
    });
    expect(found).toMatchObject({
      seed: 1,
      table: { records: 4, variables: 4 },
      synthesized: ['JOB', 'PAY'],
      kept: ['SEX', 'AGE'],
      patterns: { count: 3, bands: 2, banded: ['AGE'], loneRecords: 2, loneRecordShare: 0.5 },
      resamples: 2,
      datasets: 2,
      attributeDisclosures: {
        radii: { PAY: { absolute: 2 } },
        all: means(2, 7, 7.5),
        byVariable: [
          { variable: 'JOB', ...means(12, 17, 17.5) },
          { variable: 'PAY', ...means(22, 27, 27.5) },
        ],
      },
      identificationRisk: [
        {
          scenario: 'known: SEX, AGE',
          known: ['SEX', 'AGE'],
          synthesized: ['JOB', 'PAY'],
          radii: radius,
          shape: 'box',
          expectedMatchRisk: means(32, 37, 37.5),
          trueMatchRate: means(0.002, 0.007, 0.0075),
          falseMatchRate: means(0.02, 0.07, 0.075),
          uniqueMatches: means(42, 47, 47.5),
        },
      ],
      // Half of the records are alone, and not more; the release lies below the largest resample.
      warnings: [],
    });
    expect(Object.keys(found.attributeDisclosures.radii)).toEqual(['PAY']);
    expect(rows).toEqual(
      (['minimum', 'maximum'] as const).flatMap((bound) =>
        measures[bound].map(({ disclosures, matchFigures: [figures] }, index) => ({
          bound,
          resample: index + 1,
          scenario: 'known: SEX, AGE',
          exact_disclosures: disclosures.count,
          expected_match_risk: figures!.expectedMatchRisk,
          true_match_rate: figures!.trueMatchRate,
          false_match_rate: figures!.falseMatchRate,
          unique_matches: figures!.uniqueMatches,
        })),
      ),
    );
  });

  it('warns of a release that is beyond every resample of the maximum, and of what', () => {
    const release = [measuresFrom(10), measuresFrom(9)];
    const { warnings } = summarizeBounds(request({}, [table, table]), { ...measures, release }).found;
    expect(warnings.map(({ code }) => code)).toEqual(['release-beyond-maximum', 'release-beyond-maximum']);
    expect(warnings[0]!.message).toContain('exact attribute disclosures');
    expect(warnings[1]!.message).toContain('known: SEX, AGE');
    const asLarge = { ...measures, release: [measuresFrom(9)] };
    expect(summarizeBounds(request({}, [table]), asLarge).found.warnings).toEqual([]);
  });

  it('gives no place to a release that there is not', () => {
    const { found } = summarizeBounds(request(), { ...measures, release: [] });
    expect('release' in found.attributeDisclosures.all).toBe(false);
    expect(found.warnings).toEqual([]);
  });

  it('warns where more than half of the records are alone in their patterns', () => {
    const { found } = summarizeBounds(request({ bands: 4 }), { ...measures, release: [] });
    expect(found.patterns.loneRecordShare).toBe(1);
    expect(found.warnings).toEqual([{ code: 'patterns-of-one-record', message: expect.stringMatching(/^100\.0 % of the records/) }]);
  });
});

describe('openBounds()', () => {
  const code = (settings: Partial<BoundsSettings>) => {
    try {
      opened(settings);
      return null;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('takes from 1 to 65,535 bands', () => {
    expect([1, 65_535].map((bands) => code({ bands }))).toEqual([null, null]);
    expect([0, 65_536, 1.5].map((bands) => code({ bands }))).toEqual(new Array(3).fill('invalid-bands'));
  });

  it('asks for a radius of each kept continuous variable, where nobody says who knows what', () => {
    expect(code({ radius: { PAY: { absolute: 2 } } })).toBe('no-radius');
    expect(code({ synthesized: ['AGE'], radius: { AGE: { absolute: 2 } } })).toBe('no-radius');
    expect(code({ synthesized: ['AGE', 'PAY'] })).toBeNull();
    expect(() => opened({ radius: {} })).toThrow(/continuous without a radius: `AGE`/);
    const { scenarios, radii, kept } = opened();
    expect(scenarios.map(({ name, known }) => ({ name, known }))).toEqual([{ name: 'known: SEX, AGE', known: [0, 2] }]);
    expect(radii).toEqual([undefined, undefined, undefined, { absolute: 2 }]);
    expect(kept).toEqual([0, 2]);
  });

  it('refuses a scenario that guesses what is kept, knows what is replaced, or sweeps', () => {
    const scenario = (given: object) => ({ identification: [identificationScenarioSchema.parse(given)] });
    expect(code(scenario({ known: ['SEX'], synthesized: ['AGE'] }))).toBe('not-synthesized');
    expect(code(scenario({ known: ['SEX', 'JOB'] }))).toBe('known-and-synthesized');
    expect(code(scenario({ known: ['SEX', 'JOB'], synthesized: ['PAY'] }))).toBe('known-and-synthesized');
    expect(code(scenario({ known: ['SEX'], synthesized: ['PAY'], sweep: {} }))).toBe('sweep-of-bounds');
    expect(code({ ...scenario({ known: ['SEX'], synthesized: ['JOB'] }), radius: {} })).toBeNull();
  });
});

describe('withRadii()', () => {
  const scenarios = [{ known: ['SEX'], synthesized: ['JOB'], radius: { PAY: 9 } }, { known: ['SEX', 'AGE'] }, { known: ['SEX'] }].map(
    (one) => identificationScenarioSchema.parse(one),
  );

  it('gives radii to the scenarios that match by their variables, before their own', () => {
    const found = withRadii(scenarios, radius, ['PAY']).map((one) => one.radius);
    expect(found).toEqual([{ PAY: { relative: 9 } }, { AGE: { relative: 0.1 }, PAY: { absolute: 2 } }, { PAY: { absolute: 2 } }]);
  });

  it('gives one that nobody matches by to the first, to be refused there', () => {
    const found = withRadii(scenarios, { TOWN: { relative: 1 } }, ['PAY']).map((one) => one.radius);
    expect(found).toEqual([{ PAY: { relative: 9 }, TOWN: { relative: 1 } }, {}, {}]);
  });
});

describe('prepareBounds()', () => {
  const withColumns = (columns: Table['columns']) => ({ ...table, columns });
  const code = (dataset: Table) => {
    try {
      request({}, [table, dataset]);
      return null;
    } catch (error) {
      const { code: found, message } = error as { code: string; message: string };
      return `${found}: ${message}`;
    }
  };

  it('matches as the scenarios say, and counts what is disclosed', () => {
    const { rule, resampling } = request();
    const jobs = { type: 'categorical' as const, codes: Uint8Array.of(0, 1, 0, 0) };
    const [sex, , age, pay] = table.columns;
    const found = measureDisclosure(resampling, rule, withColumns([sex!, jobs, age!, pay!]));
    expect(found.disclosures).toEqual({ count: 3, countByVariable: [3, 4] });
    // All ages and pays are near but those of the last record; jobs part the first two, whose own rows match alone.
    expect(found.matchFigures).toEqual([{ expectedMatchRisk: 3, trueMatchRate: 0.75, falseMatchRate: 0, uniqueMatches: 3 }]);
  });

  it('takes datasets that keep what is kept, and refuses others by their number', () => {
    const [sex, job, age, pay] = table.columns as [...[Table['columns'][0], Table['columns'][0], Table['columns'][0], Table['columns'][0]]];
    const otherJob = { type: 'categorical' as const, codes: Uint8Array.of(2, 2, 2, 2) };
    expect(code(withColumns([sex, otherJob, age, pay]))).toBeNull();
    const turned = { type: 'continuous' as const, values: Float64Array.of(70, 21, 21, 20) };
    expect(code(withColumns([sex, job, turned, pay]))).toMatch(/^rows-in-another-order: dataset 2 /);
    const other = { type: 'continuous' as const, values: Float64Array.of(71, 21, 21, 20) };
    expect(code(withColumns([otherJob, job, other, pay]))).toMatch(/^kept-variables-differ: dataset 2 .* in up to 4 of 4 rows/);
    expect(code({ ...table, records: 3 })).toMatch(/^other-record-count: dataset 2 has 3 rows/);
  });
});
