import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { studyCharts } from '../../../bench/ce/charts.ts';
import { independentRisk } from '../../../bench/ce/independent-risk.ts';
import type { RuleName } from '../../../bench/ce/measures.ts';
import { repeatedConfig, repetitionsOf, scenarioMeasures, sweepConfig } from '../../../bench/ce/runs.ts';
import { AGE_RADIUS, KNOWN, SCENARIOS, VARIABLES, variableIndex } from '../../../bench/ce/scenarios.ts';
import { meanOf } from '../../../bench/ce/spread.ts';
import { largestRisk, type StudyResults } from '../../../bench/ce/study-results.ts';
import { studyTables } from '../../../bench/ce/tables.ts';
import { readSummary } from '../../../bench/commands/run-synthrisk.ts';
import { divideTables } from '../../../scripts/pages/insert-tables.ts';
import { DEFAULT_SWEEP_RADII } from '../../../shared/contracts/config/identification-scenario.ts';
import type { Summary } from '../../../shared/contracts/results/summary.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { readTable } from '../../../shared/table/files/read-table.ts';
import type { Table } from '../../../shared/table/table.ts';
import { synthrisk, temporaryFolder } from '../../run-command.ts';

const folder = temporaryFolder();

const read = async (bytes: Uint8Array) => (await readTable(bytes, { variables: VARIABLES, missing: 'refuse' })).table;

/** A survey with the variables of the real one, and with ages and amounts that fall on the borders of intervals. */
function surveyText(records: number): string {
  const random = new RandomStream(1, 'survey');
  const rows = Array.from({ length: records }, () => {
    const age = 20 + random.below(60);
    const tenure = 1 + random.below(3);
    const income = random.below(8) === 0 ? 0 : 500 * (tenure + random.below(60)) - 1000;
    const spent = 100 * (10 + random.below(50)) + age;
    return [age, 1 + random.below(2), tenure, 10 + random.below(4), spent, 1 + random.below(3), income].join(',');
  });
  return [Object.keys(VARIABLES).join(','), ...rows, ''].join('\n');
}

/** The file-level risk at equal radii, record by record, as Hornby & Hu (2021, section 2) define it. */
function plainRisk(table: Table, dataset: Table, scenario: readonly string[], rule: RuleName, radius: number): number {
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
        const share = name === 'Age' && rule === 'fixed' ? AGE_RADIUS : radius;
        return Math.abs(found - truth) <= share * Math.abs(truth) * (1 + 1e-9);
      });
    const matching = Array.from({ length: table.records }, (_, row) => row).filter(matches);
    if (matching.includes(record)) sum += 1 / matching.length;
  }
  return sum / table.records;
}

/** Evaluates by the command under a config of the study; the summary, and what reads the datasets. */
async function evaluate(name: string, config: object): Promise<Summary> {
  writeFileSync(join(folder, `${name}.yaml`), stringify(config));
  const { code, stderr } = await synthrisk(folder, ['evaluate', '--config', `${name}.yaml`, '--out', name]);
  expect(code, stderr).toBe(0);
  return readSummary(join(folder, name));
}

const datasetOf = (run: string, dataset: number) => read(readFileSync(join(folder, run, 'release', `synthetic-${dataset}.csv`)));

let table: Table;
/** All variables of the last scenario, by kept predictors, as the sweep of the study runs it. */
let swept: Summary;
/** One repeated release of the first scenario, at the second and fifth radius. */
let repeated: Summary;
beforeAll(async () => {
  const text = surveyText(300);
  writeFileSync(join(folder, 'survey.csv'), text);
  table = await read(new TextEncoder().encode(text));
  const { grid: _, ...settings } = sweepConfig('survey.csv') as { grid: object };
  const [, , , synthesized] = SCENARIOS;
  const ofSweep = { ...settings, model: { name: 'cart' }, synthesis: { datasets: 2, synthesized } };
  swept = await evaluate('swept', ofSweep);
  repeated = await evaluate('repeated', repeatedConfig('survey.csv', 'none', { fixed: 4, swept: 1 }, 1));
});

describe('scenarioMeasures()', () => {
  it.each(['fixed', 'swept'] as const)('has the risk of each dataset, as the definition has it, with a %s radius of age', async (rule) => {
    const risks = scenarioMeasures(swept).risks[rule];
    for (const dataset of [1, 2]) {
      const released = await datasetOf('swept', dataset);
      DEFAULT_SWEEP_RADII.forEach((radius, point) => {
        const plain = plainRisk(table, released, SCENARIOS[3]!, rule, radius);
        expect(risks[point]![dataset - 1]).toBeCloseTo(plain, 12);
      });
    }
  });

  it('has every combination of two radii where they are swept apart, and equal ones among them', () => {
    const { fixed, jointly } = scenarioMeasures(swept).risks;
    expect(jointly).toHaveLength(36);
    DEFAULT_SWEEP_RADII.forEach((_, point) => {
      expect(jointly[7 * point]).toEqual(fixed[point]);
    });
  });

  it('has the utility of each dataset', () => {
    const { main, pairs } = scenarioMeasures(swept).utility;
    expect([main.length, pairs.length]).toEqual([2, 2]);
    expect(meanOf(main)).toBeCloseTo(swept.utility!.figures.propensityMain!, 15);
    expect(meanOf(pairs)).toBeCloseTo(swept.utility!.figures.propensityPairs!, 15);
  });
});

describe('repetitionsOf()', () => {
  it('has each release with the risk of its datasets at the radii of either rule', async () => {
    const [release, ...others] = repetitionsOf(repeated);
    expect(others).toEqual([]);
    expect([release!.fixed.length, release!.swept.length, release!.utility.length]).toEqual([20, 20, 20]);
    const released = await datasetOf('repeated', 3);
    const at = (point: number) => DEFAULT_SWEEP_RADII[point]!;
    const [income] = SCENARIOS;
    expect(release!.fixed[2]).toBeCloseTo(plainRisk(table, released, income!, 'fixed', at(4)), 12);
    expect(release!.swept[2]).toBeCloseTo(plainRisk(table, released, income!, 'swept', at(1)), 12);
  });
});

describe('independentRisk()', () => {
  it.each(['fixed', 'swept'] as const)('is the mean over incomes drawn from all, with a %s radius of age', async (age) => {
    const small = await read(new TextEncoder().encode(surveyText(80)));
    const income = variableIndex(small, 'Income');
    const column = small.columns[income]!;
    if (column.type !== 'continuous') throw new Error('continuous');
    const random = new RandomStream(3, age);
    const risks = DEFAULT_SWEEP_RADII.map((): number[] => []);
    for (let dataset = 0; dataset < 150; dataset++) {
      const values = column.values.map(() => column.values[random.below(small.records)]!);
      const columns = small.columns.with(income, { type: 'continuous', values });
      DEFAULT_SWEEP_RADII.forEach((radius, point) => {
        risks[point]!.push(plainRisk(small, { ...small, columns }, ['Income'], age, radius));
      });
    }
    for (const [point, expected] of independentRisk(small, 'Income', age).entries()) {
      const values = risks[point]!;
      const squares = values.reduce((sum, value) => sum + (value - meanOf(values)) ** 2, 0);
      const standardError = Math.sqrt(squares / (values.length - 1) / values.length);
      expect(Math.abs(meanOf(values) - expected)).toBeLessThan(4 * standardError);
    }
  });
});

describe('the page and its figures', () => {
  let results: StudyResults;
  beforeAll(() => {
    // One run stands for all: what is held here are places and shapes, not figures.
    const reading = { scenarios: SCENARIOS.map(() => scenarioMeasures(swept)), repetitions: repetitionsOf(repeated) };
    results = {
      measures: { none: reading, kept: reading },
      independent: { fixed: independentRisk(table, 'Income', 'fixed'), swept: independentRisk(table, 'Income', 'swept') },
    };
  });

  it('has a place for the curve of risk on docs/studies/amounts-within-a-radius.md, and prints the other tables', () => {
    const page = readFileSync(new URL('../../../docs/studies/amounts-within-a-radius.md', import.meta.url), 'utf8');
    const tables = studyTables(results);
    const { page: filled, apart } = divideTables(page, tables);
    expect(filled).toContain(tables.radius);
    expect(apart).toContain(tables.jointly);
    expect(divideTables(filled, tables).page).toBe(filled);
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

  it('draws every figure that its page shows', async () => {
    const page = readFileSync(new URL('../../../docs/studies/amounts-within-a-radius.md', import.meta.url), 'utf8');
    const shown = [...page.matchAll(/\(\.\.\/images\/(.*?)\)/g)].map(([, file]) => file);
    const charts = await studyCharts(results);
    expect(Object.keys(charts).toSorted()).toEqual(shown.toSorted());
    for (const svg of Object.values(charts)) expect(svg).not.toMatch(/NaN|undefined/);
  });
});
