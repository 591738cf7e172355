import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { studyCharts } from '../../../bench/ce/charts.ts';
import { datasetSource } from '../../../bench/ce/dataset-source.ts';
import { type CountingRule, fileRisk } from '../../../bench/ce/file-risk.ts';
import { guessingRisk, independentRisk } from '../../../bench/ce/independent-risk.ts';
import { measureReading, RULES } from '../../../bench/ce/measure-reading.ts';
import {
  AGE_RADIUS,
  KNOWN,
  READINGS,
  SCENARIOS,
  VARIABLES,
  variableIndex,
} from '../../../bench/ce/scenarios.ts';
import { meanOf } from '../../../bench/ce/spread.ts';
import { largestRisk, type StudyResults } from '../../../bench/ce/study-results.ts';
import { studyTables } from '../../../bench/ce/tables.ts';
import { insertTables } from '../../../bench/pages/insert-tables.ts';
import { DEFAULT_SWEEP_RADII } from '../../../shared/contracts/config/identification-scenario.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { readTable } from '../../../shared/table/files/read-table.ts';
import type { Table } from '../../../shared/table/table.ts';

const RECORDS = 300;

/** A table with the variables of the survey, and with ages and amounts that fall on the borders of intervals. */
async function surveyTable(): Promise<Table> {
  const random = new RandomStream(1, 'survey');
  const rows = Array.from({ length: RECORDS }, () => {
    const age = 20 + random.below(60);
    const tenure = 1 + random.below(3);
    const income = random.below(8) === 0 ? 0 : 500 * (tenure + random.below(60)) - 1000;
    const spent = 100 * (10 + random.below(50)) + age;
    return [age, 1 + random.below(2), tenure, 10 + random.below(4), spent, 1 + random.below(3), income].join(
      ',',
    );
  });
  const text = [Object.keys(VARIABLES).join(','), ...rows, ''].join('\n');
  return (await readTable(new TextEncoder().encode(text), { variables: VARIABLES, missing: 'refuse' })).table;
}

let table: Table;
beforeAll(async () => {
  table = await surveyTable();
});

/** The file-level risk at equal radii, record by record, as 004 section 2 defines it or as its package counts. */
function plainRisk(dataset: Table, scenario: readonly string[], radius: number, rule: CountingRule): number {
  const value = ({ columns }: Table, variable: number, row: number) => {
    const column = columns[variable]!;
    return column.type === 'categorical' ? column.codes[row]! : column.values[row]!;
  };
  let sum = 0;
  for (let record = 0; record < table.records; record++) {
    const matches = (row: number) =>
      [...KNOWN, ...scenario].every((name) => {
        const variable = variableIndex(table, name);
        const truth = value(table, variable, record);
        const found = value(dataset, variable, row);
        if (VARIABLES[name as keyof typeof VARIABLES].type === 'categorical') return found === truth;
        const share = name === 'Age' && rule.age === 'fixed' ? AGE_RADIUS : radius;
        if (rule.asPackage) return found < truth + share * truth && found > truth - share * truth;
        return Math.abs(found - truth) <= share * Math.abs(truth) * (1 + 1e-9);
      });
    const matching = Array.from({ length: table.records }, (_, row) => row).filter(matches);
    if (matching.includes(record)) sum += 1 / matching.length;
  }
  return sum / table.records;
}

describe('fileRisk()', () => {
  it.each([
    ['4 with a fixed radius of age', 3, RULES.fixed],
    ['3 with a radius of age that is swept', 2, RULES.swept],
    ['1 as the package counts', 0, RULES.packageFixed],
    ['4 as the package counts, all radii swept', 3, RULES.packageSwept],
  ] as const)('agrees with the definition, record by record, in scenario %s', (_, scenario, rule) => {
    const variables = SCENARIOS[scenario]!;
    const dataset = datasetSource(table, variables, 'kept')(new RandomStream(2, 'dataset'));
    const risks = fileRisk(table, variables, rule).of(dataset);
    DEFAULT_SWEEP_RADII.forEach((radius, point) => {
      expect(risks[point]).toBeCloseTo(plainRisk(dataset, variables, radius, rule), 12);
    });
  });

  it('counts fewer matches as the package does: none on a border, and none around zero', () => {
    // A copy of the table: every record with a positive income is among its own matches.
    const copy = fileRisk(table, ['Income'], RULES.packageFixed).of(table);
    const all = fileRisk(table, ['Income'], RULES.fixed).of(table);
    const incomes = (table.columns[variableIndex(table, 'Income')] as { values: Float64Array }).values;
    const share = incomes.filter((income) => income > 0).length / RECORDS;
    expect(share).toBeLessThan(1);
    for (const risk of copy) {
      expect(risk).toBeGreaterThan(0);
      expect(risk).toBeLessThanOrEqual(share);
    }
    expect(all).not.toEqual(copy);
  });

  it('has every combination of two radii where they are swept jointly', () => {
    const { points } = fileRisk(table, ['Expenditure', 'Income'], RULES.jointly);
    const pairs = new Set(points.map(({ Expenditure, Income }) => JSON.stringify([Expenditure, Income])));
    expect(points).toHaveLength(36);
    expect(pairs.size).toBe(36);
  });
});

describe('independentRisk()', () => {
  it.each(['fixed', 'swept'] as const)('is the mean over datasets with a %s radius of age', (age) => {
    const draw = datasetSource(table, ['Income'], 'none');
    const counter = fileRisk(table, ['Income'], { age });
    const risks = DEFAULT_SWEEP_RADII.map((): number[] => []);
    for (let dataset = 0; dataset < 200; dataset++) {
      const drawn = counter.of(draw(new RandomStream(3, `${age}/${dataset}`)));
      for (const [point, risk] of drawn.entries()) risks[point]!.push(risk);
    }
    for (const [point, expected] of independentRisk(table, 'Income', age).entries()) {
      const values = risks[point]!;
      const squares = values.reduce((sum, value) => sum + (value - meanOf(values)) ** 2, 0);
      const standardError = Math.sqrt(squares / (values.length - 1) / values.length);
      expect(Math.abs(meanOf(values) - expected)).toBeLessThan(4 * standardError);
    }
  });

  it('grows with the radius towards the risk of guessing, if the radius of age is fixed', () => {
    const risks = [...independentRisk(table, 'Income', 'fixed')];
    expect(risks).toEqual(risks.toSorted((a, b) => a - b));
    expect(risks.at(-1)).toBeLessThan(guessingRisk(table));
  });
});

describe('measureReading()', () => {
  it('gives equal figures for equal seeds, and others for others', () => {
    const run = (seed: number) => measureReading(table, 'kept', { datasets: 1, repetitions: 1, seed });
    const first = run(1);
    expect(run(1)).toEqual(first);
    expect(run(2)).not.toEqual(first);
  });

  it('measures every scenario under every rule, and releases again and again', () => {
    const { scenarios, repetitions } = measureReading(table, 'none', {
      datasets: 2,
      repetitions: 3,
      seed: 1,
    });
    expect(scenarios).toHaveLength(SCENARIOS.length);
    for (const { risks, utility } of scenarios) {
      expect(risks.fixed.map((values) => values.length)).toEqual(Array(6).fill(2));
      expect(utility.pairs).toHaveLength(2);
    }
    expect(repetitions.map(({ fixed, utility }) => [fixed.length, utility.length])).toEqual(
      Array(3).fill([2, 2]),
    );
    // Every release is another one.
    expect(new Set(repetitions.flatMap(({ fixed }) => fixed)).size).toBeGreaterThan(3);
  });
});

describe('the page and its figures', () => {
  let results: StudyResults;
  beforeAll(() => {
    const size = { datasets: 2, repetitions: 2, seed: 1 };
    const [none, kept] = READINGS.map((reading) => measureReading(table, reading, size));
    const independent = {
      fixed: independentRisk(table, 'Income', 'fixed'),
      swept: independentRisk(table, 'Income', 'swept'),
    };
    results = {
      records: RECORDS,
      measures: { none: none!, kept: kept! },
      independent,
      guessing: guessingRisk(table),
    };
  });

  it('has a place for every table on docs/matching.md', () => {
    const page = readFileSync(new URL('../../../docs/matching.md', import.meta.url), 'utf8');
    const tables = studyTables(results);
    expect(insertTables(insertTables(page, tables), tables)).toBe(insertTables(page, tables));
  });

  it('names the radius of most risk', () => {
    const { point, risks } = largestRisk(results, 'kept', 2, 'swept');
    const means = results.measures.kept.scenarios[2]!.risks.swept.map(meanOf);
    expect(meanOf(risks)).toBe(Math.max(...means));
    const line = studyTables(results)
      .rules!.split('\n')
      .find((one) => one.startsWith('| kept | (3)'));
    expect(line).toContain(`${100 * DEFAULT_SWEEP_RADII[point]!} %: ${meanOf(risks).toFixed(5)}`);
  });

  it('draws every figure that its section of the page shows', async () => {
    const page = readFileSync(new URL('../../../docs/matching.md', import.meta.url), 'utf8');
    const [section] = page.split('## A variable of many categories');
    const shown = [...section!.matchAll(/\(images\/(.*?)\)/g)].map(([, file]) => file);
    const charts = await studyCharts(results);
    expect(Object.keys(charts).toSorted()).toEqual(shown.toSorted());
    for (const svg of Object.values(charts)) expect(svg).not.toMatch(/NaN|undefined/);
  });
});
