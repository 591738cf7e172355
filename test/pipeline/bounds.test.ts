import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, it } from 'vitest';
import { type Config, configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { foundBoundsSchema } from '../../shared/contracts/results/bounds.ts';
import { type BoundsRunRequest, planBounds } from '../../shared/pipeline/plan/plan-bounds.ts';
import { storeBounds } from '../../shared/pipeline/results/bound-run.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import { BOUNDS, type Bounds, measureBounds, measurementCount, summarizeBounds } from '../../shared/risk/bounds/bound-disclosure.ts';
import { resampleUniformly, resampleWithinPatterns } from '../../shared/risk/bounds/resample-synthesized.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows } from './small-run.ts';

const RECORDS = 240;

/** A survey of two categorical variables, a county of eight and an income, all related. */
function surveyRows(): (string | number)[][] {
  const stream = new RandomStream(5, 'survey');
  return Array.from({ length: RECORDS }, () => {
    const sex = stream.below(2);
    const age = stream.below(6);
    const county = (sex + age + stream.below(3)) % 8;
    return [`s${sex}`, `a${age}`, `c${county}`, 1000 * age + Math.round(5000 * stream.uniform())];
  });
}

const HEADER = ['SEX', 'AGE', 'COUNTY', 'INCOME'];
const survey = surveyRows();
const csv = (rows: (string | number)[][]) => encodeCsv(HEADER, rows);

const config = (settings: Record<string, unknown> = {}): Config =>
  configSchema.parse({ variables: { INCOME: { type: 'continuous' } }, ...settings });

const request = (over: Partial<BoundsRunRequest> = {}): BoundsRunRequest => ({
  ...TEST_KEYS,
  config: config({ synthesis: { synthesized: ['COUNTY'] }, identification: [{ known: ['SEX', 'AGE'] }] }),
  radius: {},
  resamples: 40,
  bands: 2,
  table: csv(survey),
  datasets: [],
  ...over,
});

async function boundsOf(over: Partial<BoundsRunRequest> = {}): Promise<Bounds & { runId: string }> {
  const { bounds, runId } = await planBounds(request(over));
  const measurements = measureBounds(bounds, seededStreams(over.config?.seed ?? 1));
  let count = 0;
  for (let next = measurements.next(); ; next = measurements.next()) {
    if (next.done) {
      expect(count).toBe(measurementCount(bounds));
      return { ...summarizeBounds(bounds, next.value), runId };
    }
    count = next.value;
  }
}

const withCounties = (county: (row: number) => string) => csv(survey.map((row, i) => [row[0]!, row[1]!, county(i), row[3]!]));

describe('the bounds of a table', () => {
  it('fit their contract, with the minimum below the maximum', async () => {
    const { found, rows, runId } = await boundsOf();
    foundBoundsSchema.parse({ ...found, version: '1.0.0', runId });
    expect(found).toMatchObject({
      synthesized: ['COUNTY'],
      kept: ['SEX', 'AGE', 'INCOME'],
      resamples: 40,
      datasets: 0,
      patterns: { bands: 2, banded: ['INCOME'] },
    });
    const { all } = found.attributeDisclosures;
    expect(all.minimum.mean! + 10 * all.minimum.standardError!).toBeLessThan(all.maximum.mean!);
    expect(Math.abs(all.minimum.mean! - RECORDS / 8)).toBeLessThan(4 * all.minimum.standardError!);
    const { expectedMatchRisk } = found.identificationRisk[0]!;
    expect(expectedMatchRisk.minimum.mean!).toBeLessThan(expectedMatchRisk.maximum.mean!);
    expect(rows).toHaveLength(2 * 40);
  });

  it('keep the resamples they have when more are drawn', async () => {
    const few = await boundsOf({ resamples: 5 });
    const many = await boundsOf({ resamples: 12 });
    for (const bound of BOUNDS) {
      const of = (rows: Bounds['rows']) => rows.filter((row) => row.bound === bound);
      expect(of(many.rows).slice(0, 5)).toEqual(of(few.rows));
    }
    expect(few.runId).not.toBe(many.runId);
  });

  it('change with the seed', async () => {
    const base = request().config;
    const [first, second] = [await boundsOf(), await boundsOf({ config: { ...base, seed: 2 } })];
    expect(second.rows).not.toEqual(first.rows);
  });

  it('form the same patterns whatever the intruders know', async () => {
    const identification = [{ known: ['SEX'] }, { known: ['SEX', 'AGE'] }, { known: ['AGE', 'INCOME'], radius: { INCOME: 0.1 } }];
    const synthesis = { synthesized: ['COUNTY'] };
    const { found, rows } = await boundsOf({ config: config({ synthesis, identification }) });
    const alone = await boundsOf();
    expect(found.attributeDisclosures).toEqual(alone.found.attributeDisclosures);
    expect(found.identificationRisk[1]).toEqual(alone.found.identificationRisk[0]);
    expect(found.identificationRisk.map(({ scenario }) => scenario)).toEqual(['known: SEX', 'known: SEX, AGE', 'known: AGE, INCOME']);
    expect(found.identificationRisk[2]!.radii).toEqual({ INCOME: { relative: 0.1 } });
    expect(rows).toHaveLength(2 * 40 * 3);
  });

  it('take an intruder who knows all kept variables where none is given', async () => {
    const { found } = await boundsOf({
      config: config({ synthesis: { synthesized: ['COUNTY', 'INCOME'] } }),
      radius: { INCOME: { absolute: 500 } },
    });
    expect(found.identificationRisk[0]).toMatchObject({ known: ['SEX', 'AGE'], synthesized: ['COUNTY', 'INCOME'] });
    expect(found.attributeDisclosures.radii).toEqual({ INCOME: { absolute: 500 } });
    const [county, income] = found.attributeDisclosures.byVariable;
    expect(found.attributeDisclosures.all.maximum.mean!).toBeLessThan(Math.min(county!.maximum.mean!, income!.maximum.mean!));
  });

  it('say when most records are alone in their pattern', async () => {
    const { found } = await boundsOf({ bands: RECORDS, resamples: 2 });
    expect(found.patterns.loneRecordShare).toBeGreaterThan(0.5);
    expect(found.warnings.map(({ code }) => code)).toContain('patterns-of-one-record');
    expect(found.attributeDisclosures.all.maximum.smallest).toBeGreaterThanOrEqual(found.patterns.loneRecords);
  });
});

describe('a release between the bounds', () => {
  it('lies beyond the maximum when it is a copy of the table', async () => {
    const { found } = await boundsOf({ datasets: [csv(survey)] });
    const release = found.attributeDisclosures.all.release!;
    expect(release).toMatchObject({ byDataset: [RECORDS], resamples: { maximum: { below: 40, above: 0 } } });
    expect(release.shareOfRange).toBeGreaterThan(1);
    expect(found.warnings.map(({ code }) => code)).toEqual(['release-beyond-maximum', 'release-beyond-maximum']);
  });

  it('lies below the minimum when it discloses nothing', async () => {
    const datasets = [withCounties((i) => `c${(Number(String(survey[i]![2]).slice(1)) + 4) % 8}`)];
    const { found } = await boundsOf({ datasets });
    const release = found.attributeDisclosures.all.release!;
    expect(release).toMatchObject({ mean: 0, resamples: { minimum: { below: 0, above: 40 } } });
    expect(release.shareOfRange).toBeLessThan(0);
    expect(found.identificationRisk[0]!.expectedMatchRisk.release!.mean).toBe(0);
    expect(found.warnings).toEqual([]);
  });
});

/** Identification risk and disclosures of a dataset by their definitions: every record against every row. */
function byDefinition(
  truth: readonly (readonly (string | number)[])[],
  dataset: readonly (readonly (string | number)[])[],
  {
    matched,
    synthesized,
    agree,
  }: {
    readonly matched: readonly number[];
    readonly synthesized: readonly number[];
    /** Whether a value x* of a variable agrees with a true x. */
    readonly agree: (variable: number, x: string | number, other: string | number) => boolean;
  },
) {
  const own = truth.map((record, i) => matched.every((v) => agree(v, record[v]!, dataset[i]![v]!)));
  const numbers = truth.map((record) => dataset.filter((row) => matched.every((v) => agree(v, record[v]!, row[v]!))).length);
  const unique = [...own.keys()].filter((i) => numbers[i] === 1);
  const found = unique.filter((i) => own[i]).length;
  return {
    expectedMatchRisk: numbers.reduce((sum, c, i) => sum + (own[i] ? 1 / c : 0), 0),
    trueMatchRate: found / truth.length,
    falseMatchRate: unique.length === 0 ? null : (unique.length - found) / unique.length,
    uniqueMatches: unique.length,
    disclosures: truth.filter((record, i) => synthesized.every((v) => agree(v, record[v]!, dataset[i]![v]!))).length,
  };
}

const FIGURES = ['expectedMatchRisk', 'trueMatchRate', 'falseMatchRate', 'uniqueMatches'] as const;

describe('every dataset has the figures that comparing all pairs of rows gives', () => {
  const settings = config({
    synthesis: { synthesized: ['COUNTY', 'INCOME'] },
    identification: [
      { known: ['SEX', 'AGE'], radius: { INCOME: 0.25 } },
      { name: 'county alone', known: ['SEX', 'AGE'], synthesized: ['COUNTY'] },
      { known: ['AGE'], radius: { INCOME: 0.25 } },
      { known: [], radius: { INCOME: 0.25 } },
    ],
  });
  /** Variables that each intruder matches by. */
  const matching = [
    [0, 1, 2, 3],
    [0, 1, 2],
    [1, 2, 3],
    [2, 3],
  ];
  const plain = (dataset: readonly (readonly (string | number)[])[], matched: readonly number[]) =>
    byDefinition(survey, dataset, {
      matched,
      synthesized: [2, 3],
      agree: (v, x, other) => (v < 3 ? x === other : Math.abs(Number(other) - Number(x)) <= 0.25 * Math.abs(Number(x)) * (1 + 1e-9)),
    });
  const radius = { INCOME: { relative: 0.25 } };

  it('of a release', async () => {
    const released = [
      survey.map((row, i) => [row[0]!, row[1]!, `c${i % 8}`, Number(row[3]) + 37 * (i % 90)]),
      survey.map((row, i) => [row[0]!, row[1]!, survey[(i * 7) % RECORDS]![2]!, 0.8 * Number(row[3])]),
    ];
    const { found } = await boundsOf({ config: settings, radius, datasets: released.map(csv), resamples: 2 });
    expect(found.identificationRisk).toHaveLength(matching.length);
    for (const [r, matched] of matching.entries()) {
      const expected = released.map((dataset) => plain(dataset, matched));
      for (const figure of FIGURES) {
        const { byDataset } = found.identificationRisk[r]![figure].release!;
        for (const [l, value] of byDataset.entries()) {
          if (expected[l]![figure] === null) expect(value).toBeNull();
          else expect(value).toBeCloseTo(expected[l]![figure]!, 10);
        }
      }
    }
    const { byDataset } = found.attributeDisclosures.all.release!;
    expect(byDataset).toEqual(released.map((dataset) => plain(dataset, matching[0]!).disclosures));
    // There is something to tell apart.
    const all = matching.map((matched) => plain(released[0]!, matched));
    expect(new Set(all.map(({ expectedMatchRisk }) => expectedMatchRisk)).size).toBe(matching.length);
    expect(all.some(({ uniqueMatches }) => uniqueMatches > 5)).toBe(true);
  });

  it.each(BOUNDS)('of resamples under the %s', async (bound) => {
    const over = { config: settings, radius, resamples: 3 };
    const { rows } = await boundsOf(over);
    const { bounds } = await planBounds(request(over));
    const { resampling } = bounds;
    const draw = bound === 'minimum' ? resampleUniformly : resampleWithinPatterns;
    for (const resample of [1, 2, 3]) {
      const { schema, columns } = draw(resampling, seededStreams(1).open(`inherent/${bound}/${resample}`));
      const dataset = survey.map((_, i) =>
        columns.map((column, k) => {
          const variable = schema.variables[k]!;
          if (column.type === 'continuous') return column.values[i]!;
          return variable.type === 'categorical' ? variable.categories[column.codes[i]!]! : '';
        }),
      );
      const own = rows.filter((row) => row.bound === bound && row.resample === resample);
      expect(own).toHaveLength(matching.length);
      for (const [r, matched] of matching.entries()) {
        const expected = plain(dataset, matched);
        expect(own[r]!.expected_match_risk).toBeCloseTo(expected.expectedMatchRisk, 10);
        expect(own[r]!.true_match_rate).toBeCloseTo(expected.trueMatchRate, 12);
        expect(own[r]!.unique_matches).toBe(expected.uniqueMatches);
        if (expected.falseMatchRate === null) expect(own[r]!.false_match_rate).toBeNull();
        else expect(own[r]!.false_match_rate).toBeCloseTo(expected.falseMatchRate, 12);
        expect(own[r]!.exact_disclosures).toBe(expected.disclosures);
      }
    }
  });
});

describe('what is stored', () => {
  it('has a row for each resample and scenario, in CSV and Parquet, and a page', async () => {
    const { found, rows, runId } = await boundsOf({ datasets: [csv(survey), withCounties(() => 'c1')] });
    const store = new MemoryStore();
    await storeBounds(store, { version: '1.0.0', runId, ...found }, rows);
    const keys = runKeys(runId).confidential;
    const [header, ...lines] = csvRows(await store.get(keys.table('inherent').csv));
    expect(header).toEqual([
      ...['bound', 'resample', 'scenario', 'exact_disclosures', 'expected_match_risk'],
      ...['true_match_rate', 'false_match_rate', 'unique_matches'],
    ]);
    expect(lines).toHaveLength(rows.length);
    expect(lines[0]!.slice(0, 4)).toEqual(['minimum', '1', 'known: SEX, AGE', `${rows[0]!.exact_disclosures}`]);
    const parquet = await store.get(keys.table('inherent').parquet);
    expect(await parquetReadObjects({ file: parquet.slice().buffer, compressors })).toEqual(rows);
    const stored = JSON.parse(new TextDecoder().decode(await store.get(keys.inherent)));
    expect(foundBoundsSchema.parse(stored)).toEqual(stored);
    const page = new TextDecoder().decode(await store.get(keys.inherentReport));
    expect(page).toContain('and a release of 2\u00a0datasets');
    expect(page).toContain('release-beyond-maximum');
  });
});

describe('what cannot be bounded is refused', () => {
  const settings = (synthesized: string[], ...identification: object[]) => ({
    config: config({ synthesis: { synthesized }, identification }),
  });
  const turned = csv([survey[survey.length - 1]!, ...survey.slice(0, -1)]);
  const changed = csv(survey.map((row, i) => (i === 7 ? ['s0', 'a0', row[2]!, 1] : row)));
  const cases: [string, Partial<BoundsRunRequest>, string][] = [
    ['no synthesized variable', { config: config() }, 'nothing-kept'],
    ['every variable synthesized', settings(HEADER), 'nothing-kept'],
    ['an unknown synthesized variable', settings(['TOWN']), 'unknown-variable'],
    ['an unknown known variable', settings(['COUNTY'], { known: ['TOWN'] }), 'unknown-variable'],
    ['a variable known and synthesized', settings(['COUNTY'], { known: ['COUNTY'] }), 'known-and-synthesized'],
    ['a kept variable synthesized in a scenario', settings(['COUNTY'], { known: ['SEX'], synthesized: ['AGE'] }), 'not-synthesized'],
    ['a continuous variable without a radius', settings(['INCOME'], { known: ['SEX'] }), 'no-radius'],
    [
      'a radius of a category',
      { ...settings(['COUNTY'], { known: ['SEX'] }), radius: { COUNTY: { relative: 1 } } },
      'radius-of-categorical',
    ],
    [
      'a radius of a variable that no scenario matches by',
      { ...settings(['COUNTY'], { known: ['SEX'] }), radius: { INCOME: { relative: 1 } } },
      'unused-radius',
    ],
    ['a radius of no variable', { ...settings(['COUNTY'], { known: ['SEX'] }), radius: { TOWN: { relative: 1 } } }, 'unknown-variable'],
    [
      'two radii of a synthesized variable',
      settings(['INCOME'], { known: ['SEX'], radius: { INCOME: 0.1 } }, { known: ['AGE'], radius: { INCOME: 0.2 } }),
      'radii-differ',
    ],
    ['a sweep', settings(['INCOME'], { known: ['SEX'], sweep: {} }), 'sweep-of-bounds'],
    ['two scenarios of one name', settings(['COUNTY'], { known: ['SEX'] }, { known: ['SEX'] }), 'repeated-scenario'],
    ['imputation', { config: config({ synthesis: { synthesized: ['COUNTY'], missing: 'impute' } }) }, 'impute-without-model'],
    ['no band', { bands: 0 }, 'invalid-bands'],
    ['too many bands', { bands: 65_536 }, 'invalid-bands'],
    ['resamples without an end', { resamples: 100_001 }, 'invalid-resamples'],
    ['a dataset with a row too few', { datasets: [csv(survey.slice(1))] }, 'other-record-count'],
    ['a dataset in another order', { datasets: [csv(survey), turned] }, 'rows-in-another-order'],
    ['a dataset that changes a kept variable', { datasets: [changed] }, 'kept-variables-differ'],
    ['a dataset with another category', { datasets: [withCounties(() => 'c9')] }, 'value-outside-categories'],
  ];
  it.each(cases)('%s', async (_, over, code) => {
    await expect(planBounds(request(over))).rejects.toMatchObject({ code });
  });

  it('unless a radius beside them settles which of several holds', async () => {
    const two = settings(['INCOME'], { known: ['SEX'], radius: { INCOME: 0.1 } }, { known: ['AGE'], radius: { INCOME: 0.2 } });
    const { bounds } = await planBounds(request({ ...two, radius: { INCOME: { relative: 0.05 } } }));
    expect(bounds.rule.radii).toEqual([undefined, undefined, undefined, { relative: 0.05 }]);
    expect(bounds.scenarios.map(({ radii }) => radii.INCOME)).toEqual([{ relative: 0.05 }, { relative: 0.05 }]);
  });

  it('and structural zeros, which play no part, raise a warning', async () => {
    const synthesis = { synthesized: ['COUNTY'], structuralZeros: 'zeros.csv' };
    const { warnings } = await planBounds(request({ config: config({ synthesis }), radius: { INCOME: { relative: 0 } } }));
    expect(warnings.map(({ code }) => code)).toContain('structural-zeros-ignored');
  });
});
