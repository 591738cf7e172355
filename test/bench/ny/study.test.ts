import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { studyCharts } from '../../../bench/ny/charts.ts';
import { boundedDeviations, utilityBounds } from '../../../bench/ny/findings.ts';
import { joinedTable } from '../../../bench/ny/joined-table.ts';
import { runConfig, type StudyRuns, studyRuns } from '../../../bench/ny/runs.ts';
import { sampleReleases, TRIED_SYNTHESIZERS } from '../../../bench/ny/sample-releases.ts';
import { AGES, JOINT } from '../../../bench/ny/setting.ts';
import type { SimulatedFindings } from '../../../bench/ny/simulated-findings.ts';
import { simulatedTable } from '../../../bench/ny/simulated-table.ts';
import { simulatedTables, studyTables } from '../../../bench/ny/tables.ts';
import { divideTables } from '../../../scripts/pages/insert-tables.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { countedRows } from '../../../shared/table/counted-rows.ts';
import type { Table } from '../../../shared/table/table.ts';
import { type Patterns, patternsOf } from '../../../shared/utility/pattern-distributions.ts';
import { synthrisk, temporaryFolder } from '../../run-command.ts';

/** A table of categorical variables with as many categories as are said, from rows of codes. */
function tableOf(sizes: readonly number[], rows: readonly (readonly number[])[]): Table {
  const categories = (size: number) => Array.from({ length: size }, (_, code) => `v${code}`);
  return {
    schema: { variables: sizes.map((size, v) => ({ name: `V${v}`, type: 'categorical', categories: categories(size) })) },
    records: rows.length,
    columns: sizes.map((_, v) => ({ type: 'categorical', codes: Uint8Array.from(rows, (row) => row[v]!) })),
  };
}

/** The patterns of all variables of a table but the last. */
const patternsOfLast = (table: Table): Patterns => {
  const last = table.columns.length - 1;
  return patternsOf(countedRows(table), [...Array(last).keys()], last);
};

describe('joinedTable()', () => {
  const table = tableOf(
    [2, 3, 3],
    [
      [0, 2, 1],
      [1, 0, 0],
      [1, 2, 1],
      [0, 0, 1],
    ],
  );

  it('keeps the known variables and joins the others into one of the combinations that occur', () => {
    const joined = joinedTable(table, ['V0'], ['V1', 'V2']);
    expect(joined.schema.variables).toEqual([
      table.schema.variables[0],
      { name: 'V1 and V2', type: 'categorical', categories: ['v2, v1', 'v0, v0', 'v0, v1'] },
    ]);
    expect(joined.columns).toEqual([table.columns[0], { type: 'categorical', codes: Uint16Array.of(0, 1, 0, 2) }]);
  });

  it('refuses a variable that the table does not have', () => {
    expect(() => joinedTable(table, ['V0'], ['V3'])).toThrow('no categorical variable V3');
  });
});

describe('the releases of both synthesizers, by the commands', () => {
  const folder = temporaryFolder();
  const random = new RandomStream(1, 'test/findings');
  /** People of all ages, with a value that follows their sex in half of the records. */
  const table: Table = {
    schema: {
      variables: [
        { name: 'SEX', type: 'categorical', categories: ['1', '2'] },
        { name: 'AGE', type: 'categorical', categories: AGES },
        { name: 'MARST', type: 'categorical', categories: ['1', '6'] },
        { name: 'joined', type: 'categorical', categories: ['a', 'b', 'c', 'd'] },
      ],
    },
    records: 200,
    columns: [2, AGES.length, 2, 4].map((size) => ({
      type: 'categorical',
      codes: Uint8Array.from({ length: 200 }, (_, i) => (i < size ? i : random.below(size))),
    })),
  };
  let runs: StudyRuns;
  beforeAll(async () => {
    const commands = { datasets: 3, resamples: 20, burnIn: 20 };
    const run = async (args: readonly string[]) => {
      const { code, stderr } = await synthrisk(folder, [...args, '--quiet'], { keys: 'its-own' });
      expect(code, stderr).toBe(0);
    };
    runs = await studyRuns(table, join(folder, 'study'), commands, run);
  });

  it('are placed by their own datasets, whose deviations are those of the files', async () => {
    const { inherent, utility } = runs[1]!;
    expect(utility.synthesized).toEqual([JOINT]);
    const categories = table.schema.variables[3] as { categories: readonly string[] };
    const counts = await Promise.all(
      [1, 2, 3].map(async (dataset) => {
        const file = join(folder, 'study/areal/release', `synthetic-${dataset}.csv`);
        const rows: Record<string, string>[] = parse(readFileSync(file), { columns: true, bom: true });
        return categories.categories.map((value) => rows.filter((row) => row[JOINT] === value).length);
      }),
    );
    const truth = categories.categories.map(
      (_, code) => (table.columns[3] as { codes: Uint8Array }).codes.filter((one) => one === code).length,
    );
    const bounds = utilityBounds(table, 1);
    const { release } = boundedDeviations({ runs, bounds }, 1, 1);
    const plain = counts.map((own) => own.reduce((sum, count, v) => sum + Math.abs(count - truth[v]!), 0));
    expect(release!.byDataset.map((sum) => Math.round(sum! * 1e9) / 1e9)).toEqual(plain);
    expect(inherent.attributeDisclosures.all.release!.byDataset).toHaveLength(3);
  });

  it('have a place on the page for every figure, and tables for its places', async () => {
    const page = readFileSync(new URL('../../../docs/studies/many-categories.md', import.meta.url), 'utf8');
    const tables = studyTables({ runs, bounds: utilityBounds(table, 1) });
    const { page: filled, apart } = divideTables(page, tables);
    for (const text of Object.values(tables)) expect(filled + apart).toContain(text);
    expect(filled).toContain(tables['ny-disclosures']);
    expect(tables['ny-coefficients']).toContain('| SEX');
    const shown = [...page.matchAll(/\(\.\.\/images\/(.*?)\)/g)].map(([, file]) => file);
    const charts = await studyCharts(runs);
    expect(Object.keys(charts).toSorted()).toEqual(shown.toSorted());
    for (const svg of Object.values(charts)) expect(svg).not.toMatch(/NaN|undefined/);
  });

  it('have their values compared with one that is found at most ages', () => {
    const config = runConfig(table, 'joined.csv', 'dpmpm', { datasets: 3, resamples: 20 }) as {
      variables: Record<string, { categories: string[] }>;
    };
    const { codes } = table.columns[3] as { codes: Uint8Array };
    const ages = (value: string) => {
      const code = 'abcd'.indexOf(value);
      const age = table.columns[1] as { codes: Uint8Array };
      return new Set([...age.codes].filter((_, record) => codes[record] === code)).size;
    };
    const [reference, ...others] = config.variables[JOINT]!.categories;
    expect(others).toHaveLength(3);
    for (const other of others) expect(ages(other)).toBeLessThanOrEqual(ages(reference!));
  });
});

describe('simulatedTable()', () => {
  it.each([0, 0.75])('has what Hu & Savitsky 2018 say of their table, with a dependence of %d', (dependence) => {
    const maxima = [1, 2, 3].map((number) => {
      const table = simulatedTable(dependence, new RandomStream(number, 'test/simulated'));
      expect(table.records).toBe(6_208);
      const patterns = patternsOfLast(table);
      expect(patterns.records).toHaveLength(40);
      expect([Math.min(...patterns.records), Math.max(...patterns.records)]).toEqual([3, 454]);
      const byCounty = Array.from({ length: 133 }, (_, x) =>
        patterns.records.reduce((sum, _records, b) => sum + patterns.counts[b * 133 + x]!, 0),
      );
      expect(Math.min(...byCounty)).toBeGreaterThan(0);
      // Exact disclosures that Max is expected to have: sum over patterns and counties of n_bx squared over n_b.
      return patterns.counts.reduce((sum, count, cell) => sum + (count * count) / patterns.records[Math.floor(cell / 133)]!, 0);
    });
    const mean = maxima.reduce((sum, maximum) => sum + maximum, 0) / 3;
    // Hu & Savitsky (2018) have 175.33 (Table 5); tables differ by their sampled counts.
    expect(Math.abs(mean - 175.33)).toBeLessThan(20);
  });

  it('refuses a dependence that discloses too much by itself', () => {
    expect(() => simulatedTable(3, new RandomStream(1, 'test/simulated'))).toThrow('too much dependence');
  });
});

describe('sampleReleases()', () => {
  it('draws classes from pi, whatever a record keeps, where a synthesizer says so', () => {
    // The last variable repeats the first.
    const table = tableOf(
      [2, 2],
      Array.from({ length: 400 }, (_, i) => [i % 2, i % 2]),
    );
    const schedule = { burnIn: 50, thin: 1, spacing: 5, datasets: 4 };
    const kept = (classes: 'own' | 'prior') => {
      const { datasets } = sampleReleases(table, { ...TRIED_SYNTHESIZERS.dpmpm, schedule, classes }, 1, 1);
      expect(datasets).toHaveLength(4);
      return datasets.flatMap((codes) => [...codes]).filter((code, i) => code === i % 2).length / 1_600;
    };
    expect(kept('own')).toBeGreaterThan(0.9);
    expect(Math.abs(kept('prior') - 0.5)).toBeLessThan(0.06);
  });
});

describe('simulatedTables()', () => {
  it('have places on the page, and give means with their spread between tables', () => {
    const figures = (at: number) => ({ deviations: [at, 2 * at, 3 * at], disclosures: at / 10, occupied: 7 });
    const found = (at: number): SimulatedFindings => ({
      synthesizers: { unmoved: figures(at), prior: figures(at + 100), dpmpm: figures(at + 200), areal: figures(at + 300) },
      maximum: { ...figures(at + 400), occupied: null },
    });
    const tables = simulatedTables([
      [found(900), found(1_000)],
      [found(100), found(120)],
    ]);
    expect(tables['ny-simulated']).toContain(
      '| 1-way deviations | 909 | 950 (71) | 1,150 (71) | 1,050 (71) | 1,711 | 1,250 (71) |  | 1,350 (71) |',
    );
    const page = readFileSync(new URL('../../../docs/studies/many-categories.md', import.meta.url), 'utf8');
    const { page: filled, apart } = divideTables(page, tables);
    for (const text of Object.values(tables)) expect(filled + apart).toContain(text);
    expect(filled).toContain(tables['ny-simulated']);
  });
});
