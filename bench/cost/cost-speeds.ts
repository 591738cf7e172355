import { newKeys } from '../../shared/artifacts/stored-keys.ts';
import type { Candidates } from '../../shared/contracts/candidates.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import type { Task } from '../../shared/contracts/run/plan.ts';
import type { ChainDraws } from '../../shared/model/chains/chain-draws.ts';
import { createDpmpm } from '../../shared/model/dpmpm/dpmpm.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { judgeRound } from '../../shared/pipeline/tasks/judge-round.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { SIZES } from './cost-study.ts';

const REPEATS = 5;
/** Where the line of iterations is measured, and a table large enough for what is read off at one point. */
const [FEW, MANY] = [1000, 16_000];
/** Classes that the records are drawn from. */
const GROUPS = 10;
const SETTINGS = { classes: 40, concentration: { shape: 0.25, rate: 0.25 } };

/** CPU seconds of one call: the median over repeats of `calls` calls. */
function secondsPerCall(calls: number, call: () => void): number {
  for (let i = 0; i < calls; i++) call();
  const times = Array.from({ length: REPEATS }, () => {
    const started = process.cpuUsage();
    for (let i = 0; i < calls; i++) call();
    return process.cpuUsage(started).user / 1e6 / calls;
  });
  return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!;
}

/** Codes of records from a mixture, nearly all of them different. */
function drawCodes(records: number, random: RandomStream): Uint16Array {
  const groups = Array.from({ length: GROUPS }, () => SIZES.map((size) => Array.from({ length: size }, () => random.uniform() + 0.05)));
  return Uint16Array.from({ length: records * SIZES.length }, (_, i) => {
    const record = Math.floor(i / SIZES.length);
    const weights = groups[record % GROUPS]![i % SIZES.length]!;
    const point = random.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
    return point < weights[0]! ? 0 : point < weights[0]! + weights[1]! ? 1 : weights.length - 1;
  });
}

/** Measures the speeds behind the table of docs/explanation/cost.md, in about a minute. */
export async function measureCostSpeeds() {
  const random = new RandomStream(1, 'bench/cost');
  const iterate = (records: number) => {
    const table = combinationsFromCodes(drawCodes(records, random), records, SIZES.length).combinations;
    const model = createDpmpm(table, SIZES, SETTINGS);
    let state = model.init(random);
    const step = () => {
      state = model.step(state, random);
    };
    for (let i = 0; i < 50; i++) step();
    const seconds = secondsPerCall(Math.ceil(20_000 / records), step);
    return { table, state, seconds };
  };
  const few = iterate(FEW);
  const many = iterate(MANY);
  const perCombination = (many.seconds - few.seconds) / (many.table.count - few.table.count);

  const rows = 1000;
  const draws = 50;
  const space = candidateSpace('one-change', SIZES.map(String), SIZES);
  const scorer = createRatioScorer(space, many.table.codes.subarray(0, rows * SIZES.length));
  const repeated = (values: Float64Array) => Float64Array.from({ length: draws * values.length }, (_, i) => values[i % values.length]!);
  const chain: ChainDraws = {
    draws,
    classes: SETTINGS.classes,
    categories: SIZES.reduce((sum, size) => sum + size, 0),
    weights: repeated(many.state.weights),
    probabilities: repeated(many.state.probabilities),
    concentration: new Float64Array(draws),
    occupiedClasses: new Uint16Array(draws),
    logLikelihood: new Float64Array(draws),
  };
  const scoring = secondsPerCall(1, () => ratioMeans(scorer, chain, rows * space.perCombination));
  return {
    iteration: { fixed: few.seconds - perCombination * few.table.count, perCombination },
    combinationAndDraw: scoring / rows / draws,
    ...(await measureSteps(drawCodes(MANY, random))),
  };
}

/** The steps around the map: of a variable that alone is unknown, and of all, each of which has a value of every combination. */
async function measureSteps(codes: Uint16Array) {
  const ofOne = await measureStepsOf(codes, { unknown: ['V1'] });
  const ofAll = await measureStepsOf(codes, 'one-change');
  const aggregatePerValue = (ofAll.aggregate - ofOne.aggregate) / (SIZES.length - 1);
  return {
    planPerCombination: ofAll.plan,
    aggregatePerCombination: ofOne.aggregate - aggregatePerValue,
    aggregatePerValue,
    reportPerCombination: ofAll.report,
  };
}

/** CPU seconds a combination of a run with few chains, whose steps take the time that the combinations give them. */
async function measureStepsOf(codes: Uint16Array, candidates: Candidates) {
  const names = SIZES.map((_, k) => `V${k + 1}`);
  const text = Array.from({ length: codes.length / SIZES.length }, (_, i) =>
    Array.from(codes.subarray(i * SIZES.length, (i + 1) * SIZES.length), (code) => `c${code}`),
  );
  const config = configSchema.parse({
    model: { classes: 5 },
    mcmc: { chains: 2, burnIn: 2, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1 },
    attributeRisk: { candidates },
    utility: 'off',
  });
  const table = encodeCsv(names, text);
  const cpuSeconds = async (work: () => Promise<unknown>) => {
    const started = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1e6;
  };
  const store = new MemoryStore();
  const request: RunRequest = { purpose: 'evaluate', config, table, ...newKeys() };
  const planned = await planRun(request);
  const { plan } = planned;
  const rows = plan.table.combinations;
  const planSeconds = await cpuSeconds(async () => storePlannedRun(store, await planRun(request)));
  const tasks = roundTasks(plan, firstRound(plan));
  for (const phase of [tasks.fit, tasks.synthesize, tasks.augment, tasks.assess]) {
    for (const task of phase as readonly Task[]) await runTask(store, task, () => undefined);
  }
  const aggregateSeconds = await cpuSeconds(async () => {
    await judgeRound(store, plan, firstRound(plan));
    await aggregateRun(store, { runId: plan.runId });
  });
  const reportSeconds = await cpuSeconds(() => reportRun(store, { runId: plan.runId }));
  return { plan: planSeconds / rows, aggregate: aggregateSeconds / rows, report: reportSeconds / rows };
}
