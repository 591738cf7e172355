import { beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import type { Plan } from '../../../shared/contracts/run/plan.ts';
import { openScenario } from '../../../shared/contracts/run/scenarios.ts';
import { grown } from '../../../shared/pipeline/methods/grown.ts';
import { methodOf } from '../../../shared/pipeline/methods/methods.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../../shared/pipeline/plan/planned-run.ts';
import { identificationBytes, predictMemory, utilityBytes } from '../../../shared/pipeline/plan/predict-memory.ts';
import { treeBytes } from '../../../shared/pipeline/synthesizers/cart/cart.ts';
import { expectedNewCombinations, recordTextBytes } from '../../../shared/pipeline/synthesizers/run-sizes.ts';
import { keptEvaluations } from '../../../shared/risk/attribute/kept-evaluations.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, COUNT_SETTINGS, mixedTable, smallConfig, smallTable, TREE_SETTINGS } from '../small-run.ts';

const MIB = 1024 * 1024;

let run: PlannedRun;

beforeAll(async () => {
  const config = smallConfig({ mcmc: { draws: 20, reproducibility: 'off' } });
  run = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable(), batchSize: 1000 });
});

/** The plan with other settings, of the same table. */
function planWith({ mcmc = {}, attributeRisk = {}, synthesis = {} }: Record<string, object>, changes: Partial<Plan> = {}): Plan {
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
  const bytesOf = (plan: Plan, schema = run.schema) => {
    const scenario = openScenario(plan, 1);
    return methodOf(plan.config, scenario).batchBytes(plan, schema, scenario);
  };
  const perRow = (plan: Plan) => bytesOf(plan).perRow;
  /** What is added, in ratios: numbers of 8 bytes, one for each candidate. */
  const ratiosOf = (plan: Plan, than = run.plan) => (perRow(plan) - perRow(than)) / (8 * run.plan.candidatesPerCombination);

  it('is what each chain says of each candidate, on each side of each dataset', () => {
    // Means of three chains and of two pairs for each of two datasets; mean squares and half lengths of five terms; six
    // of the chain that is scored. The weights of its draws, and a tail of twelve of 60 draws with what it starts above.
    const { candidatesPerCombination } = run.plan;
    expect(perRow(run.plan)).toBe(8 * (candidatesPerCombination * (3 + 2 * 2 * 2 + 2 * 5 + 6) + 20 + 12 + 1));
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
    const { perRow: all, perRowAtFirst } = bytesOf(
      planWith({ mcmc: { pairedDraws: 1, reproducibility: { of: 'rank', target: 0.9 }, maxChains: 17 } }),
    );
    const first = bytesOf(planWith({ mcmc: { pairedDraws: 1 } }));
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
    const [scenario] = run.plan.config.attributeRisk.scenarios;
    const lesser = planWith({ attributeRisk: { scenarios: [{ ...scenario!, knows: { share: 0.5 } }] } });
    // Three chains alone and two with each dataset, where base chains and pairs are seven and four more.
    const few = 3 + 2 * 2 - (3 + 2 * 2 * 2) + 3;
    expect(ratiosOf(lesser)).toBe(few);
  });

  it('is little of a release that is counted, which is held once', async () => {
    const config = configSchema.parse({ ...COUNT_SETTINGS, attributeRisk: { candidates: 'all-cells' } });
    const { plan, schema } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable() });
    const { fixed, perRow: ofCells, perRowAtFirst } = bytesOf(plan, schema);
    // Cells of the table, and one for each record of two datasets, of 400 bytes each.
    expect(fixed).toBe(400 * (plan.table.combinations + 2 * 60));
    expect(ofCells).toBe(perRowAtFirst);
    const full = { ...plan, table: { ...plan.table, cells: 100 } };
    expect(bytesOf(full, schema).fixed).toBe(400 * (plan.table.combinations + 100));
    const { attributeRisk } = plan.config;
    const [one] = attributeRisk.scenarios;
    const scenarios = [{ ...one!, candidates: 'one-change' as const }];
    const ofListed = { ...plan, config: { ...plan.config, attributeRisk: { ...attributeRisk, scenarios } } };
    expect(bytesOf(ofListed, schema).fixed).toBe(fixed);
  });
});

describe('what the phases of a run take', () => {
  const phases = (plan: Plan, jobs = 1, changes: Partial<PlannedRun> = {}) => predictMemory({ ...run, ...changes, plan }, jobs).phases;

  it('is 32 MiB for each thread, a task for each that has one, and 8 MiB once it has ended', () => {
    const of = (jobs: number) => phases(run.plan, jobs);
    const task = of(1).fit - of(1).plan - 32 * MIB;
    expect(task).toBeGreaterThan(0);
    expect(of(3).fit - of(1).fit).toBe(2 * (32 * MIB + task));
    expect(of(5).fit - of(3).fit).toBe(2 * 32 * MIB);
    for (const phase of ['aggregate', 'report'] as const) expect(of(5)[phase] - of(1)[phase]).toBe(4 * 8 * MIB);
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

  it('has the records where variables are kept, and stacks as many below them', () => {
    const partial = phases(planWith({ synthesis: { synthesized: ['education'] } }));
    const full = phases(run.plan);
    // Codes of two bytes, of four variables and of the one that is replaced.
    const records = 2 * 60 * (4 + 1);
    expect(partial.synthesize - full.synthesize).toBe(records);
    // A stack takes the walking order of its rows, in two places, with room to find it, and their index.
    const { count } = run.combinations!;
    const stacked = count + expectedNewCombinations(run.combinations!);
    const row = 2 * (4 * 4 + 6) + 5 * 4 + 2 * (2 * 4 + 4 + 4 * 4);
    expect(stacked).not.toBe(60);
    expect(partial.augment - full.augment).toBe(2 * records + (60 - stacked) * row);
  });

  it('has every draw of the run in the end, when its files are read', () => {
    const more = (mcmc: object, attributeRisk: object = {}) =>
      phases(planWith({ mcmc, attributeRisk })).report - phases(planWith({ attributeRisk })).report;
    const ofDraw = more({ draws: 21 }) / 3;
    expect(ofDraw).toBeGreaterThan(8 * 6);
    // Of four pairs both chains.
    expect(more({ pairedDraws: 5 })).toBe(4 * 2 * ofDraw);
    // Of who knows less three chains alone, and two with each of two datasets, beside the base chains.
    const [scenario] = run.plan.config.attributeRisk.scenarios;
    const lesser = { scenarios: [{ ...scenario!, knows: { share: 0.5 } }] };
    expect(more({ draws: 21 }, lesser)).toBe((3 + 3 + 2 * 2) * ofDraw);
  });

  it('has of a calibration the records of a replicate, and the combinations of all', () => {
    const calibrating = { ...run.plan, purpose: 'calibrate' as const };
    const config = { ...run.plan.config, calibration: { targets: 10, replicates: 3 } };
    const of = phases({ ...calibrating, config }).plan - phases(run.plan).plan;
    expect(of).toBe(2 * 2 * 4 * 60 + 3 * run.combinations!.count * (2 * 4 + 4));
  });

  it('has of each row in its results all that is told of it, and the larger table as it is written', () => {
    const off = (combinations: number): Plan => ({
      ...run.plan,
      config: { ...run.plan.config, utility: 'off' },
      table: { ...run.plan.table, combinations },
    });
    const rows = phases(off(150)).aggregate - phases(off(50)).aggregate;
    // Each has four values: rows of 190 letters twice over, of 18 columns of 270 bytes at most each, which are the larger table.
    const values = 4 * (2 * 190 + 18 * 270);
    // Meanwhile it is found what the values of all rows come to: a claim, whether each of four is asked for, and an order of rows.
    const totals = 8 + 4 + 80;
    // Of parts that are read together the widest has its gain, or its likelihood ratio, in some evaluations.
    const row = 8 * keptEvaluations(run.plan.datasets.count) + values + totals;
    expect(rows).toBe(100 * row);
  });

  it('has of ten million rows no more than a few hundred bytes each, when they are put together and reported', () => {
    const off = { ...run.plan.config, utility: 'off' as const };
    const of = (combinations: number) => phases({ ...run.plan, config: off, table: { ...run.plan.table, combinations } });
    const [some, more] = [of(10_000_000), of(20_000_000)];
    // 25 figures, an ordered column with a curve over it, and columns of which there are a gigabyte at most in all.
    expect(more.aggregate - some.aggregate).toBeLessThanOrEqual(10_000_000 * (25 * 8 + 80));
    expect(more.aggregate - some.aggregate).toBeGreaterThan(10_000_000 * 25 * 8);
    expect(more.report - some.report).toBe(10_000_000 * (25 * 8 + 320));
  });

  it('has of utility the table with its datasets once, and in each thread the largest design with products of its coefficients', () => {
    const ofUtility = (plan: Plan) => utilityBytes({ plan, schema: run.schema });
    const table = { ...run.plan.table, combinations: 50 };
    // Table and two datasets, of four codes and a count a row; places of an intercept, four variables and six pairs.
    const designs = 2 * 50 * (1 + 4 + 6) * 4;
    const found = ofUtility({ ...run.plan, table });
    expect(found).toEqual({ sources: 3 * 50 * (2 * 4 + 8), part: designs + 3 * 50 * 50 * 8 });
    const utility = run.plan.config.utility as Exclude<typeof run.plan.config.utility, 'off'>;
    const main = { ...run.plan.config, utility: { ...utility, propensity: ['main' as const] } };
    expect(found.part - ofUtility({ ...run.plan, table, config: main }).part).toBe(2 * 50 * 6 * 4);
    // Of many records a sample is fitted, with no more coefficients than 1,200.
    const many = { ...run.plan.table, combinations: 200_000 };
    expect(ofUtility({ ...run.plan, table: many })).toEqual({
      sources: 3 * 200_000 * 16,
      part: 2 * 100_000 * 11 * 4 + 3 * 1200 * 1200 * 8,
    });
    const alone = { ...run.plan, purpose: 'synthesize' as const };
    const { sources, part } = ofUtility(alone);
    const ofJobs = (jobs: number) => predictMemory({ ...run, plan: alone }, jobs).phases.measure - phases(alone).plan - sources;
    expect(ofJobs(4) - ofJobs(3)).toBe(part + 32 * MIB);
    expect(ofJobs(1)).toBe(part + 32 * MIB);
  });

  it('has no charts and no rows in the end of datasets alone', () => {
    const alone = phases({ ...run.plan, purpose: 'synthesize' });
    expect(phases(run.plan).report - alone.report).toBeGreaterThan(60 * MIB);
    expect(alone.report - alone.plan).toBeLessThan(8 * MIB + 32 * MIB);
    const off = { ...run.plan.config, utility: 'off' as const };
    const bare = phases({ ...run.plan, purpose: 'synthesize', config: off });
    expect(bare.aggregate).toBe(bare.plan + 8 * MIB);
    expect(bare.measure).toBe(bare.plan);
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
    const { fit, synthesize } = treeBytes(sizes);
    // Orders by two numbers, and four lists of places; two sums.
    expect(fit).toBe(80 * RECORD + 80 * ((4 + 2) * 4 + 2 * 8));
    // The dataset, where its records are and go, and itself once more as it is written, with its text twice.
    const text = recordTextBytes(sizes.schema);
    expect(synthesize).toBeCloseTo(80 * (RECORD + REPLACED + 2 * 4 + 1 + RECORD + 2 * text), 6);
    const lengths = sizes.schema.variables.map((variable) =>
      variable.type === 'continuous' ? 10 : variable.categories.reduce((sum, { length }) => sum + length, 0) / variable.categories.length,
    );
    expect(text).toBeCloseTo(
      lengths.reduce((sum, length) => sum + length + 1, 0),
      10,
    );
    const records = { ...sizes.plan.table, records: 160 };
    expect(treeBytes({ ...sizes, plan: { ...sizes.plan, table: records } }).fit).toBe(2 * fit);
  });

  it('is for a batch the rows of its trees, what they were asked and the nodes they grew, and that of batches before', async () => {
    const sizes = await planTrees();
    const categories = (name: string) => {
      const variable = sizes.schema.variables.find((one) => one.name === name)!;
      return variable.type === 'categorical' ? variable.categories.length : 0;
    };
    const employment = categories('employment');
    const kept = categories('region') + 10 + categories('education');
    const bytesOf = ({ plan, schema }: PlannedRun) => grown.batchBytes(plan, schema, openScenario(plan, 1));
    // Of two trees: in the table and two datasets five values and four places of each record, and those of both ways.
    const rows = 80 * (1 + 2) * (5 * 8 + 4 * 4) + 80 * 2 * 2 * 4;
    const columns = 80 * RECORD + 2 * 80 * REPLACED;
    // An income without bands is not asked for: both trees are asked for the values of employment.
    const remembered = (records: number) => {
      const questions = records * employment;
      const nodes = (categories: number, classes: number) =>
        ((questions * categories * Math.sqrt(80)) / 60) * (1350 + 28 * classes + 2 * 105);
      return 2 * questions * (500 + 2 * 2 * 8) + nodes(kept / 3, employment) + nodes((kept + employment) / 4, 1);
    };
    const batchOf = (to: number) => ({ ...sizes.plan, batches: [{ batch: 1, scenario: 1, from: 0, to }] });
    const whole = bytesOf({ ...sizes, plan: batchOf(80) });
    expect(whole.fixed).toBeCloseTo(columns + 2 * rows + remembered(80), 3);
    expect(bytesOf({ ...sizes, plan: batchOf(10) }).fixed).toBeCloseTo(columns + 2 * rows + remembered(10), 3);
    expect(whole.left).toBe(whole.fixed);
    const { config } = sizes.plan;
    const held = { ...config, attributeRisk: { ...config.attributeRisk, estimator: 'fixed-structure' as const } };
    const asIs = bytesOf({ ...sizes, plan: { ...batchOf(80), config: held } });
    expect(asIs.fixed).toBeCloseTo(columns + 2 * rows + 2 * 80 * employment * (500 + 2 * 2 * 8), 3);
    const { phases: ofRun } = predictMemory(sizes, 1);
    expect(ofRun.fit - ofRun.plan).toBe(32 * MIB + treeBytes(sizes).fit);
  });

  it('is for trees what batches before have left in the thread, up to what Node lets lie', async () => {
    const config = configSchema.parse({ ...CATEGORY_TREE_SETTINGS, utility: 'off' });
    const sizes = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: mixedTable() });
    const cut = (count: number) => ({
      ...sizes,
      plan: {
        ...sizes.plan,
        batches: Array.from({ length: count }, (_, i) => ({ batch: i + 1, scenario: 1, from: i * 20, to: (i + 1) * 20 })),
      },
    });
    const { left } = grown.batchBytes(cut(1).plan, sizes.schema, openScenario(cut(1).plan, 1));
    const assess = (count: number, jobs: number) => predictMemory(cut(count), jobs).phases.assess;
    expect(assess(3, 1) - assess(1, 1)).toBeCloseTo(2 * left!, 3);
    expect(assess(4, 2) - assess(2, 2)).toBeCloseTo(2 * left!, 3);
    expect(assess(100_000, 1) - assess(1, 1)).toBeCloseTo(160 * MIB, 3);
  });

  it('is for trees no more than nodes may take before they are forgotten', async () => {
    const config = configSchema.parse(CATEGORY_TREE_SETTINGS);
    const sizes = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: mixedTable() });
    const bytesOf = (to: number) => {
      const plan = { ...sizes.plan, batches: [{ batch: 1, scenario: 1, from: 0, to }] };
      return grown.batchBytes(plan, sizes.schema, openScenario(plan, 1)).fixed;
    };
    expect(bytesOf(1e9)).toBe(bytesOf(1e10));
    // Nodes of both trees, and their answers.
    expect(bytesOf(1e9) - bytesOf(0.000001)).toBeCloseTo(256 * MIB + 100_000 * (500 + 2 * 2 * 8), -3);
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
