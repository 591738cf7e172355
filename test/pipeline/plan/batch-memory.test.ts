import { beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../../shared/pipeline/plan/planned-run.ts';
import { batchBytes, predictMemory } from '../../../shared/pipeline/plan/predict-memory.ts';
import {
  identificationBytes,
  recordTextBytes,
  treeTaskBytes,
  utilityBytes,
} from '../../../shared/pipeline/plan/record-memory.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { COUNT_SETTINGS, mixedTable, smallConfig, smallTable, TREE_SETTINGS } from '../small-run.ts';

const MIB = 1024 * 1024;

let run: PlannedRun;

beforeAll(async () => {
  const config = smallConfig({ mcmc: { draws: 20, reproducibility: 'off' } });
  run = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable(), batchSize: 1000 });
});

/** The plan with other settings, of the same table. */
function planWith(
  { mcmc = {}, attributeRisk = {}, synthesis = {} }: Record<string, object>,
  changes: Partial<Plan> = {},
): Plan {
  const { config } = run.plan;
  return {
    ...run.plan,
    ...changes,
    config: {
      ...config,
      mcmc: { ...config.mcmc, ...mcmc },
      attributeRisk: { ...config.attributeRisk, ...attributeRisk },
      synthesis: { ...config.synthesis, ...synthesis },
    },
  };
}

describe('what a batch takes for each row', () => {
  const perRow = (plan: Plan) => batchBytes(plan, run.schema).perRow;
  /** What is added, in ratios: numbers of 8 bytes, one for each candidate. */
  const ratiosOf = (plan: Plan, than = run.plan) =>
    (perRow(plan) - perRow(than)) / (8 * run.plan.candidatesPerCombination);

  it('is what each chain says of each candidate, on each side of each dataset', () => {
    const longPairs = planWith({ mcmc: { pairedDraws: 60 } });
    expect(ratiosOf(planWith({ mcmc: { pairedDraws: 60, chains: 4 } }), longPairs)).toBe(1);
    // Two chains more, on two sides, of two datasets.
    expect(ratiosOf(planWith({ mcmc: { pairedChains: 4 } }))).toBe(2 * 2 * 2);
    // A dataset more has two pairs of chains, and squares and half lengths of two terms.
    const three = planWith({}, { datasets: { ...run.plan.datasets, count: 3 } });
    expect(ratiosOf(three)).toBe(2 * 2 + 2 * 2);
    // One side of two datasets, and its terms, are not there.
    expect(ratiosOf(planWith({ attributeRisk: { estimator: 'parameters' } }))).toBe(-2 * 2 - 2 * 2);
    // Weighted means of three chains for two datasets, in place of the pairs.
    const weighted = planWith({ attributeRisk: { estimator: 'importance' } });
    expect(ratiosOf(weighted, planWith({ attributeRisk: { estimator: 'parameters' } }))).toBe(3 * 2 - 2 * 2);
  });

  it('has room for the chains that rounds may add, beside what the first has', () => {
    const { perRow: all, perRowAtFirst } = batchBytes(
      planWith({ mcmc: { pairedDraws: 1, reproducibility: { of: 'rank', target: 0.9 }, maxChains: 17 } }),
      run.schema,
    );
    const first = batchBytes(planWith({ mcmc: { pairedDraws: 1 } }), run.schema);
    expect(perRowAtFirst).toBe(first.perRow);
    expect(first.perRowAtFirst).toBe(first.perRow);
    // Ten chains beyond the first seven, each of two sides; a set of 13 chains of 20 draws has a longer tail than one of 3.
    const tail = (draws: number) => Math.ceil(Math.min(draws / 5, 3 * Math.sqrt(draws)));
    const { candidatesPerCombination } = run.plan;
    expect(all - perRowAtFirst).toBe(8 * (20 * candidatesPerCombination + tail(260) - tail(60)));
  });

  it('is of distinct rows and of their records, where variables are kept', () => {
    const partial = planWith({ synthesis: { synthesized: ['education'] } });
    const extra = perRow(partial) - perRow(run.plan);
    expect(extra).toBe(8 * (4 * run.plan.candidatesPerCombination + 20));
  });

  it('is of densities too, of an intruder who knows less', () => {
    const scenario = run.plan.config.attributeRisk.scenarios[0]!;
    const lesser = planWith({ attributeRisk: { scenarios: [{ ...scenario, knows: { share: 0.5 } }] } });
    // Three chains alone and two with each dataset, where base chains and pairs are seven and four more.
    const few = 3 + 2 * 2 - (3 + 2 * 2 * 2) + 3;
    expect(ratiosOf(lesser)).toBe(few);
  });

  it('is little of a release that is counted, which is held once', async () => {
    const config = configSchema.parse({ ...COUNT_SETTINGS, attributeRisk: { candidates: 'all-cells' } });
    const { plan, schema } = await planRun({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config,
      table: smallTable(),
    });
    const { fixed, perRow: ofCells, perRowAtFirst } = batchBytes(plan, schema);
    // Cells of the table, and one for each record of two datasets, of 400 bytes each.
    expect(fixed).toBe(400 * (plan.table.combinations + 2 * 60));
    expect(ofCells).toBe(perRowAtFirst);
    const full = { ...plan, table: { ...plan.table, cells: 100 } };
    expect(batchBytes(full, schema).fixed).toBe(400 * (plan.table.combinations + 100));
    const listed = { ...plan.config.attributeRisk, candidates: 'one-change' as const };
    const [one] = plan.config.attributeRisk.scenarios;
    const changes = { ...listed, scenarios: [{ ...one!, candidates: 'one-change' as const }] };
    const ofListed = { ...plan, config: { ...plan.config, attributeRisk: changes } };
    expect(batchBytes(ofListed, schema).fixed).toBe(fixed);
  });
});

describe('what the phases of a run take', () => {
  const phases = (plan: Plan, jobs = 1, changes: Partial<PlannedRun> = {}) =>
    predictMemory({ ...run, ...changes, plan }, jobs).phases;

  it('is 32 MiB for each thread, a task for each that has one, and 8 MiB once it has ended', () => {
    const of = (jobs: number) => phases(run.plan, jobs);
    const task = of(1).fit - of(1).plan - 32 * MIB;
    expect(task).toBeGreaterThan(0);
    expect(of(3).fit - of(1).fit).toBe(2 * (32 * MIB + task));
    expect(of(5).fit - of(3).fit).toBe(2 * 32 * MIB);
    for (const phase of ['aggregate', 'report'] as const)
      expect(of(5)[phase] - of(1)[phase]).toBe(4 * 8 * MIB);
    expect(of(5).plan).toBe(of(1).plan);
  });

  it('has the files that were read in all of them', () => {
    const more = phases(run.plan, 2, { inputBytes: run.inputBytes + 1000 });
    const few = phases(run.plan, 2);
    for (const phase of Object.keys(few) as (keyof typeof few)[]) expect(more[phase] - few[phase]).toBe(1000);
  });

  it('has the draws of a chain twice, as they are kept and as they are written', () => {
    const bytes = phases(planWith({ mcmc: { draws: 21 } })).fit - phases(run.plan).fit;
    const categories = run.schema.variables.reduce(
      (sum, variable) => sum + (variable.type === 'categorical' ? variable.categories.length : 0),
      0,
    );
    // Of six classes a weight and a probability of each category, the counts of an allocation, and it itself in bytes.
    const ofDraw = 8 * 6 * (1 + categories) + 4 * 6 * categories + run.plan.table.combinations;
    expect(bytes).toBe(2 * ofDraw);
    // Pairs have two chains.
    const paired = phases(planWith({ mcmc: { pairedDraws: 5 } })).augment - phases(run.plan).augment;
    expect(paired).toBe(2 * 2 * ofDraw);
    expect(phases(planWith({ mcmc: { pairedDraws: 5 } })).fit).toBe(phases(run.plan).fit);
  });

  it('has no charts and no rows in the end of datasets alone', () => {
    const alone = phases({ ...run.plan, purpose: 'synthesize' });
    expect(phases(run.plan).report - alone.report).toBeGreaterThan(60 * MIB);
    expect(alone.report - alone.plan).toBeLessThan(8 * MIB + 32 * MIB);
    const off = { ...run.plan.config, utility: 'off' as const };
    const bare = phases({ ...run.plan, purpose: 'synthesize', config: off });
    expect(bare.aggregate).toBe(bare.plan + 8 * MIB);
    expect(utilityBytes({ plan: { ...run.plan, config: off }, schema: run.schema })).toBe(0);
  });
});

describe('what a run by trees takes', () => {
  const planTrees = () => {
    const config = configSchema.parse(TREE_SETTINGS);
    return planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: mixedTable() });
  };
  /** Two numbers of 8 bytes and three categories of one. */
  const RECORD = 2 * 8 + 3;
  /** An income, and a category of employment. */
  const REPLACED = 8 + 1;

  it('is for a task the table in columns, and what each step holds of its records', async () => {
    const sizes = await planTrees();
    const { fit, synthesize } = treeTaskBytes(sizes);
    // Orders by two numbers, and four lists of places; two sums.
    expect(fit).toBe(80 * RECORD + 80 * ((4 + 2) * 4 + 2 * 8));
    // The dataset, where its records are and go, and itself once more as it is written, with its text twice.
    const text = recordTextBytes(sizes.schema);
    expect(synthesize).toBeCloseTo(80 * (RECORD + REPLACED + 2 * 4 + 1 + RECORD + 2 * text), 6);
    const lengths = sizes.schema.variables.map((variable) =>
      variable.type === 'continuous'
        ? 10
        : variable.categories.reduce((sum, { length }) => sum + length, 0) / variable.categories.length,
    );
    expect(text).toBeCloseTo(
      lengths.reduce((sum, length) => sum + length + 1, 0),
      10,
    );
    const records = { ...sizes.plan.table, records: 160 };
    expect(treeTaskBytes({ ...sizes, plan: { ...sizes.plan, table: records } }).fit).toBe(2 * fit);
  });

  it('is for its results every match of every record, beside the table and its datasets', async () => {
    const sizes = await planTrees();
    // Of 80 records two datasets under one scenario; a match is a number, a mark and a row of text, twice over.
    const matches = 2 * 80 * (4 + 1 + 2 * 24);
    expect(identificationBytes(sizes)).toBe(80 * RECORD + 2 * 80 * REPLACED + 80 * 64 + matches);
    expect(identificationBytes({ ...sizes, plan: { ...sizes.plan, purpose: 'synthesize' } })).toBe(0);
    // No row of a fully synthetic dataset belongs to a record.
    expect(identificationBytes(run)).toBe(0);
  });
});
