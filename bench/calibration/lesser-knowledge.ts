import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { contextOfScenario, readRunContext } from '../../shared/artifacts/run-context.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { estimatorTerms } from '../../shared/pipeline/assess/estimator-terms.ts';
import { readRiskRows } from '../../shared/pipeline/assess/risk-rows.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { type ExpectationTerm, logExpectation } from '../../shared/risk/attribute/expectation.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { outside } from '../../shared/table/combinations.ts';

/**
 * Claimed and achieved information of intruders who know less, and of the strongest on the same records, by releases of a
 * real table: each value of a record is guessed with the others known (docs/explanation/estimators.md, intruders who know less).
 *
 *     npm run bench:knowledge -- --table table.csv --releases 3
 */

const { values: flags } = parseArgs({
  options: { table: { type: 'string' }, releases: { type: 'string', default: '3' }, datasets: { type: 'string', default: '5' } },
});
if (flags.table === undefined) throw new Error('--table is needed');
const table = await readFile(flags.table);
const SHARE = 0.1;
const scenarios = [{ name: 'all but one' }, { name: 'a share of 10 %', knows: { share: SHARE } }, { name: 'nothing', knows: 'nothing' }];
const config = configSchema.parse({
  mcmc: { precision: 'quick' },
  synthesis: { datasets: Number(flags.datasets) },
  attributeRisk: { scenarios },
});

/** A guess at one value: what the truth and all others had before, and what the release says of them (the truth first). */
interface Guess {
  readonly logPrior: Float64Array;
  readonly logLikelihood: Float64Array;
}

/** What is added up over the records of a release: bits, and the score's derivatives at a slope of 1. */
interface Sums {
  records: number;
  before: number;
  claimed: number;
  achieved: number;
  guesses: { guess: Guess; weight: number; row: number }[];
}

/** Distribution in proportion to prior times likelihood to a power. */
function weighed({ logPrior, logLikelihood }: Guess, slope: number): Float64Array {
  const logs = logPrior.map((value, x) => value + slope * logLikelihood[x]!);
  const most = Math.max(...logs);
  const weights = logs.map((value) => Math.exp(value - most));
  const total = weights.reduce((sum, value) => sum + value, 0);
  return weights.map((value) => value / total);
}

/** The slope that scores best, by Newton's method, and its standard error with rows as clusters. */
function bestSlope({ guesses }: Sums): [slope: number, error: number] {
  let slope = 1;
  let error = 0;
  for (let step = 0; step < 25; step++) {
    const scores = new Map<number, number>();
    let gradient = 0;
    let curvature = 0;
    for (const { guess, weight, row } of guesses) {
      const q = weighed(guess, slope);
      const mean = q.reduce((sum, p, x) => sum + p * guess.logLikelihood[x]!, 0);
      const variance = q.reduce((sum, p, x) => sum + p * (guess.logLikelihood[x]! - mean) ** 2, 0);
      const own = weight * (guess.logLikelihood[0]! - mean);
      gradient += own;
      curvature += weight * variance;
      scores.set(row, (scores.get(row) ?? 0) + own);
    }
    slope += Math.max(-0.5, Math.min(0.5, gradient / curvature));
    error = Math.sqrt([...scores.values()].reduce((sum, own) => sum + own * own, 0)) / curvature;
  }
  return [slope, error];
}

const bits = (value: number) => value / Math.LN2;

/** Adds the guesses at a row's values. */
function add(sums: Sums, guess: Guess, weight: number, row: number): void {
  const prior = weighed(guess, 0);
  const after = weighed(guess, 1);
  sums.before += weight * bits(Math.log(prior[0]! * prior.length));
  sums.achieved += weight * bits(Math.log(after[0]! / prior[0]!));
  sums.claimed += weight * after.reduce((sum, q, x) => sum + (q > 0 ? q * bits(Math.log(q / prior[x]!)) : 0), 0);
  sums.guesses.push({ guess, weight, row });
}

const newSums = (): Sums => ({ records: 0, before: 0, claimed: 0, achieved: 0, guesses: [] });

/** What the terms of one dataset say of a candidate, each counted in full. */
function logLikelihood(terms: readonly ExpectationTerm[], at: number, dataset: number): number {
  let sum = 0;
  for (const { coefficient, means, pool, dataset: own } of terms) {
    if (own !== undefined && own !== dataset) continue;
    sum += Math.sign(coefficient) * logExpectation(means, at, pool);
  }
  return sum;
}

for (let release = 1; release <= Number(flags.releases); release++) {
  const store = new MemoryStore();
  const releaseKey = new Uint8Array(randomBytes(32));
  const planned = await planRun({ purpose: 'evaluate', config, table, placeKey: releaseKey, releaseKey: async () => releaseKey });
  const plan = await storePlannedRun(store, planned);
  const tasks = roundTasks(plan, firstRound(plan));
  for (const task of [...tasks.fit, ...tasks.synthesize, ...tasks.augment]) {
    await runTask(store, task, () => undefined);
  }
  const whole = await readRunContext(store, plan.runId);
  const weights = outside(whole.table.combinations.counts, whole.known.get(`share-${SHARE}`)!);
  const datasets = plan.datasets.count;
  for (const [s, { name }] of scenarios.entries()) {
    const context = contextOfScenario(whole, s + 1);
    const rows = await readRiskRows(store, context, { from: 0, to: context.table.combinations.count });
    const { terms } = await estimatorTerms(store, context, firstRound(plan), rows.scorers, () => undefined);
    const prior = terms.find(({ chains }) => chains === 'base')!;
    const labels = [...Array.from({ length: datasets }, (_, l) => `dataset ${l + 1}`), `mean of ${datasets}`, `product of ${datasets}`];
    const all = labels.map(newSums);
    for (let row = 0; row < rows.counts.length; row++) {
      const weight = weights[context.numbers?.[row] ?? row]!;
      if (weight === 0) continue;
      const from = row * context.space.perCombination;
      const logPrior = Float64Array.from({ length: context.space.perCombination }, (_, x) =>
        logExpectation(prior.means, from + x, prior.pool),
      );
      for (const sums of all) sums.records += weight;
      for (const { candidates } of rows.sets.of(row)) {
        const own = Array.from({ length: datasets }, (_, l) => Float64Array.from(candidates, (x) => logLikelihood(terms, from + x, l + 1)));
        const product = own[0]!.map((_, x) => own.reduce((sum, logs) => sum + logs[x]!, 0));
        const mean = product.map((value) => value / datasets);
        for (const [f, logs] of [...own, mean, product].entries()) {
          add(all[f]!, { logPrior: Float64Array.from(candidates, (x) => logPrior[x]!), logLikelihood: logs }, weight, row);
        }
      }
    }
    const show = (label: string, sums: Sums) => {
      const [slope, error] = bestSlope(sums);
      const mean = (value: number) => (value / sums.records).toFixed(4);
      console.log(
        `release ${release}; ${name}; ${label}; records ${sums.records}; before ${mean(sums.before)}; achieved ${mean(sums.achieved)}; claimed ${mean(sums.claimed)}; slope ${slope.toFixed(3)} +- ${error.toFixed(3)}`,
      );
    };
    for (const [f, label] of labels.entries()) show(label, all[f]!);
  }
}
