import { beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { openScenario } from '../../../shared/contracts/run/scenarios.ts';
import type { TableSchema } from '../../../shared/contracts/schema.ts';
import { cells, marginalNumbers } from '../../../shared/pipeline/methods/cells.ts';
import { sampled } from '../../../shared/pipeline/methods/sampled.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { cellScorerBytes } from '../../../shared/risk/cells/cell-scorer.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

const MIB = 1024 * 1024;
let plan: Plan;
let schema: TableSchema;
let categories: number;

beforeAll(async () => {
  // 3 base chains of 4 draws, and of each of 2 datasets 2 pairs of 5 draws; 6 classes.
  const config = smallConfig({ attributeRisk: { candidates: 'all-cells' }, mcmc: { pairedDraws: 5, reproducibility: 'off' } });
  ({ plan, schema } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable() }));
  categories = schema.variables.reduce((sum, variable) => sum + (variable.type === 'categorical' ? variable.categories.length : 0), 0);
});

const withConfig = (section: 'attributeRisk' | 'mcmc', change: object): Plan => ({
  ...plan,
  config: { ...plan.config, [section]: { ...plan.config[section], ...change } },
});
const bytesOf = (of: Plan) => {
  const { perRowAtFirst, ...bytes } = cells.batchBytes(of, schema, openScenario(of, 1));
  // Its draws are read all at once: rounds may add none that have no room.
  expect(perRowAtFirst).toBe(bytes.perRow);
  return bytes;
};
const refuse = (of: Plan) => cells.refuse(of, schema, openScenario(of, 1));
const rowsOf = (of: Plan) => cells.batchRows(of, schema, openScenario(of, 1), { rows: of.table.combinations, fewest: 4, threads: 4 });
const withCombinations = (combinations: number): Plan => ({ ...plan, table: { ...plan.table, combinations } });

it('takes halves for themselves where all cells are candidates', () => {
  expect([cells.halves, sampled.halves]).toEqual(['half', 'all']);
});

describe('memory of a batch whose candidates are all cells', () => {
  const scorer = (chains: number, draws: number) => cellScorerBytes({ chains, draws, classes: 6, categories });

  it('is of all chains of the estimator', () => {
    expect(bytesOf(plan)).toEqual(scorer(3 + 8, 3 * 4 + 8 * 5));
    // The table-alone side, and one generating draw a dataset.
    const parameters = withConfig('attributeRisk', { estimator: 'parameters' });
    expect(bytesOf(parameters)).toEqual(scorer(3 + 4 + 2, 3 * 4 + 4 * 5 + 2));
  });

  it('has room for the chains that rounds may add, each as dear as any', () => {
    const growing = withConfig('mcmc', { reproducibility: 0.9, maxChains: 17 });
    // Ten beyond the first seven: pairs have two chains of five draws.
    expect(bytesOf(growing)).toEqual(scorer(11 + 20, 52 + 10 * 10));
    const draws = withConfig('mcmc', { reproducibility: 0.9, maxChains: 17, draws: 40 });
    expect(bytesOf(draws)).toEqual(scorer(11 + 20, 3 * 40 + 8 * 5 + 10 * 40));
  });

  it('has room for sets of variables, twice', () => {
    const [first, second] = schema.variables.map(({ name }) => name);
    const sizes = schema.variables.map((one) => (one.type === 'categorical' ? one.categories.length : 0));
    const marginals = withConfig('attributeRisk', { marginals: [[first, second], [second]] });
    const numbers = sizes[0]! * sizes[1]! + sizes[1]!;
    expect(marginalNumbers(marginals, schema)).toBe(numbers);
    expect(marginalNumbers(plan, schema)).toBe(categories);
    const plain = bytesOf(plan);
    expect(bytesOf(marginals)).toEqual({ ...plain, perRow: plain.perRow + 16 * numbers });
  });
});

describe('rows of such a batch', () => {
  it('makes equal batches of 256 rows or more, as many as are wanted', () => {
    const sizes = [100, 256, 257, 2600, 4000].map((combinations) => rowsOf(withCombinations(combinations)));
    // 257 are two batches; 2,600 are four of 650, and 4,000 of 1,000.
    expect(sizes).toEqual([100, 256, 129, 650, 1000]);
  });

  it('keeps a batch within 128 MiB', () => {
    const { perRow } = bytesOf(plan);
    const largest = Math.floor((128 * MIB) / perRow);
    const combinations = 10 * largest;
    expect(rowsOf(withCombinations(combinations))).toBe(largest);
  });

  it.each<[string, 'attributeRisk' | 'mcmc', object, object, string]>([
    ['importance weights', 'attributeRisk', { estimator: 'importance' }, {}, 'all-cells-importance'],
    ['a calibration', 'mcmc', {}, { purpose: 'calibrate' }, 'all-cells-calibration'],
    ['draws beyond 3 GiB', 'mcmc', { draws: 3_000_000 }, {}, 'too-many-draws'],
  ])('refuses %s', (_, section, change, others, code) => {
    const refused = { ...withConfig(section, change), ...others } as Plan;
    expect(() => refuse(refused)).toThrow(expect.objectContaining({ code }));
  });

  it('takes draws up to 3 GiB', () => {
    const ofDraws = (draws: number) => withConfig('mcmc', { draws });
    const fixed = (draws: number) => bytesOf(ofDraws(draws)).fixed;
    const perDraw = fixed(2) - fixed(1);
    const most = Math.floor((3072 * MIB - fixed(0)) / perDraw);
    expect(() => refuse(ofDraws(most))).not.toThrow();
    expect(() => refuse(ofDraws(most + 1))).toThrow();
  });
});
