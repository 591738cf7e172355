import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectedDisclosures } from '../../../bench/ny/expected-disclosures.ts';
import { studyFindings } from '../../../bench/ny/findings.ts';
import { joinedTable } from '../../../bench/ny/joined-table.ts';
import {
  type SampledReleases,
  SYNTHESIZERS,
  sampleReleases,
  TRACES,
} from '../../../bench/ny/sample-releases.ts';
import type { SimulatedFindings } from '../../../bench/ny/simulated-findings.ts';
import { simulatedTable } from '../../../bench/ny/simulated-table.ts';
import { simulatedTables, studyTables } from '../../../bench/ny/tables.ts';
import { insertTables } from '../../../bench/pages/insert-tables.ts';
import { synthesizeFromOwnClass } from '../../../shared/model/dpmpm/own-class-synthesis.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { countedRows } from '../../../shared/table/counted-rows.ts';
import { uniqueCombinations } from '../../../shared/table/distinct-rows.ts';
import type { Table } from '../../../shared/table/table.ts';
import { type Patterns, patternsOf } from '../../../shared/utility/pattern-distributions.ts';

/** A table of categorical variables with as many categories as are said, from rows of codes. */
function tableOf(sizes: readonly number[], rows: readonly (readonly number[])[]): Table {
  const categories = (size: number) => Array.from({ length: size }, (_, code) => `v${code}`);
  return {
    schema: {
      variables: sizes.map((size, v) => ({
        name: `V${v}`,
        type: 'categorical',
        categories: categories(size),
      })),
    },
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
    expect(joined.columns).toEqual([
      table.columns[0],
      { type: 'categorical', codes: Uint16Array.of(0, 1, 0, 2) },
    ]);
  });

  it('refuses a variable that the table does not have', () => {
    expect(() => joinedTable(table, ['V0'], ['V3'])).toThrow('no categorical variable V3');
  });
});

describe('expectedDisclosures()', () => {
  // Two classes; the kept variable tells them apart in part, and the synthesized one has three values.
  const state = {
    weights: Float64Array.of(0.4, 0.6),
    probabilities: Float64Array.of(0.9, 0.2, 0.1, 0.8, 0.7, 0.1, 0.2, 0.3, 0.1, 0.6),
  };
  const sizes = [2, 3];
  const table = tableOf(
    sizes,
    Array.from({ length: 60 }, (_, i) => [i % 2, i % 5 < 2 ? 0 : i % 3]),
  );

  it('is what datasets disclose on average', () => {
    const ofRecords = uniqueCombinations(table);
    const expected = expectedDisclosures(state, ofRecords.combinations, sizes, 1);
    const truth = table.columns[1]!;
    if (truth.type !== 'categorical') throw new Error('categorical');
    const counts = Array.from({ length: 400 }, (_, l) => {
      const [codes] = synthesizeFromOwnClass(state, ofRecords, sizes, [1], new RandomStream(1, `test/${l}`));
      return codes!.filter((code, record) => code === truth.codes[record]).length;
    });
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    // A dataset's count has a standard deviation below sqrt(60) / 2, its mean over 400 one below 0.2.
    expect(Math.abs(mean - expected)).toBeLessThan(0.8);
    expect(expected).toBeGreaterThan(20);
  });

  it('refuses parameters under which a record cannot be', () => {
    const impossible = { ...state, probabilities: state.probabilities.map((p, at) => (at < 4 ? 0 : p)) };
    const { combinations } = uniqueCombinations(table);
    expect(() => expectedDisclosures(impossible, combinations, sizes, 1)).toThrow(RangeError);
  });
});

describe('studyFindings()', () => {
  const CATEGORIES = 8;
  const random = new RandomStream(1, 'test/findings');
  // Values of the last variable follow the first in half of the records.
  const table = tableOf(
    [2, 3, 2, CATEGORIES],
    Array.from({ length: 90 }, () => {
      const known = [random.below(2), random.below(3), random.below(2)];
      return [...known, random.below(2) === 0 ? known[0]! : random.below(CATEGORIES)];
    }),
  );
  const truth = table.columns[3]!;
  if (truth.type !== 'categorical') throw new Error('categorical');
  /** Chains of two datasets, which keep the true values of the first so many records and lose those of the others. */
  const chainsKeeping = (kept: number): SampledReleases[] =>
    Array.from({ length: 2 }, () => ({
      traces: Object.fromEntries(
        TRACES.map((trace) => [trace, Float64Array.from({ length: 40 }, () => random.uniform())]),
      ) as SampledReleases['traces'],
      datasets: Array.from({ length: 2 }, () =>
        Uint16Array.from(truth.codes, (code, record) => (record < kept ? code : (code + 1) % CATEGORIES)),
      ),
    }));
  const findings = studyFindings(table, [chainsKeeping(90), chainsKeeping(20)], 1);

  it('places each release by its own datasets', () => {
    const [copy, other] = findings.synthesizers;
    expect(copy!.inherent.attributeDisclosures.all.release!.byDataset).toEqual([90, 90, 90, 90]);
    expect(other!.inherent.attributeDisclosures.all.release!.byDataset).toEqual([20, 20, 20, 20]);
    expect(copy!.deviations.map(({ release }) => release!.mean)).toEqual([0, 0, 0]);
    expect(Math.max(...copy!.distances)).toBe(0);
    expect(Math.max(...other!.distances)).toBeGreaterThan(0);
  });

  it('finds under the minimum the expected match risk that blind draws have', () => {
    // 1 - (1 - 1/G)^n_g, summed over the groups g of records that share what is known.
    const groups = new Map<string, number>();
    const scenarios = findings.synthesizers[0]!.inherent.identificationRisk;
    for (const [scenario, { known, expectedMatchRisk }] of scenarios.entries()) {
      expect(known).toEqual(['V0', 'V1', 'V2'].slice(0, scenario + 1));
      groups.clear();
      for (let record = 0; record < table.records; record++) {
        const key = known.map((_, v) => (table.columns[v] as { codes: Uint8Array }).codes[record]).join();
        groups.set(key, (groups.get(key) ?? 0) + 1);
      }
      const expected = [...groups.values()].reduce((sum, n) => sum + 1 - (1 - 1 / CATEGORIES) ** n, 0);
      const { mean, standardError } = expectedMatchRisk.minimum;
      expect(Math.abs(mean! - expected)).toBeLessThan(5 * standardError!);
    }
  });

  it('has a place on the page for every table', () => {
    const page = readFileSync(new URL('../../../docs/matching.md', import.meta.url), 'utf8');
    const tables = studyTables(findings, patternsOfLast(table));
    const filled = insertTables(page, tables);
    for (const text of Object.values(tables)) expect(filled).toContain(text);
    expect(tables['ny-disclosures']).toContain('| 90 | 20 |');
  });
});

describe('simulatedTable()', () => {
  it.each([0, 0.75])('has what 001 tells of its table, with a dependence of %d', (dependence) => {
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
      return patterns.counts.reduce(
        (sum, count, cell) => sum + (count * count) / patterns.records[Math.floor(cell / 133)]!,
        0,
      );
    });
    const mean = maxima.reduce((sum, maximum) => sum + maximum, 0) / 3;
    // 001 has 175.33 (Table 5); tables differ by their sampled counts.
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
      const { datasets } = sampleReleases(table, { ...SYNTHESIZERS.dpmpm, schedule, classes }, 1, 1);
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
      synthesizers: {
        unmoved: figures(at),
        prior: figures(at + 100),
        dpmpm: figures(at + 200),
        areal: figures(at + 300),
      },
      maximum: { ...figures(at + 400), occupied: null },
    });
    const tables = simulatedTables([
      [found(900), found(1_000)],
      [found(100), found(120)],
    ]);
    expect(tables['ny-simulated']).toContain(
      '| 1-way deviations | 909 | 950 (71) | 1,150 (71) | 1,050 (71) | 1,711 | 1,250 (71) |  | 1,350 (71) |',
    );
    const page = readFileSync(new URL('../../../docs/matching.md', import.meta.url), 'utf8');
    const filled = insertTables(page, tables);
    for (const text of Object.values(tables)) expect(filled).toContain(text);
  });
});
