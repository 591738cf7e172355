import { drawBytes } from '../../shared/artifacts/stored-draws.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import { openScenario } from '../../shared/contracts/run/scenarios.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { type CloudEstimate, estimateCloud } from '../../shared/cost/cloud-estimate.ts';
import { CLOUD_DEFAULTS, type CloudOptions } from '../../shared/cost/cloud-options.ts';
import type { CloudWork } from '../../shared/cost/cloud-work.ts';
import { measuredWork } from '../../shared/estimate/measured-work.ts';
import { methodOf } from '../../shared/pipeline/methods/methods.ts';
import { FEWEST_BATCHES } from '../../shared/pipeline/plan/plan-batches.ts';
import { predictStepMemory } from '../../shared/pipeline/plan/predict-memory.ts';
import { chainsNeeded } from '../../shared/pipeline/rounds/chains-needed.ts';
import { synthesizerOf } from '../../shared/pipeline/synthesizers/synthesizers.ts';

/** Numbers of categories of so many variables: two in the first half, three in the other. */
const sizesOf = (variables: number) => Array.from({ length: variables }, (_, k) => (k < variables / 2 ? 2 : 3));

/** The table of the study: 24 variables of two or three categories, 60 in all, and 37 candidates of one change. */
export const SIZES = sizesOf(24);

/**
 * CPU seconds behind docs/explanation/cost.md, as `npm run bench:cost -- --measure` found them on one core of an x64 machine: an
 * iteration takes `fixed` and `perCombination` for each combination.
 */
const MEASURED = { iteration: { fixed: 9e-5, perCombination: 6.2e-8 }, combinationAndDraw: 1.7e-6 };

/** Candidates of a combination of such a table, its own values among them. */
const candidatesOf = (sizes: readonly number[]) => 1 + sizes.reduce((sum, size) => sum + size - 1, 0);

/**
 * The work of an evaluation with default settings, of a table in which every combination occurs once. What was measured of 24 variables
 * grows with the variables in iterations, and with the candidates in scoring.
 *
 * @param cut how many times as many batches there are as a plan makes
 */
export function studiedWork(combinations: number, variables = SIZES.length, cut = 1): CloudWork {
  const sizes = sizesOf(variables);
  const candidates = candidatesOf(sizes);
  const config = configSchema.parse({});
  const plan: Plan = {
    version: VERSION,
    runId: 'study',
    purpose: 'evaluate',
    config,
    table: {
      sha256: '',
      records: combinations,
      variables,
      combinations,
      cells: sizes.reduce((product, size) => product * size, 1),
      sampleUniques: combinations,
    },
    datasets: { count: config.synthesis.datasets, origin: 'synthesized' },
    classes: synthesizerOf(config).chains!.truncation(config),
    candidatesPerCombination: candidates,
    scenarioCandidates: [candidates],
    batches: [],
    warnings: [],
  };
  const scenario = openScenario(plan, 1);
  const wanted = { rows: combinations, fewest: FEWEST_BATCHES, threads: FEWEST_BATCHES };
  const size = Math.ceil(methodOf(config, scenario).batchRows(plan, { variables: [] }, scenario, wanted) / cut);
  for (let from = 0; from < combinations; from += size) {
    plan.batches.push({ batch: plan.batches.length + 1, scenario: 1, from, to: Math.min(combinations, from + size) });
  }
  const { base, pairs, sides } = chainsNeeded(plan);
  const draws = base * config.mcmc.draws + pairs * sides.length * config.mcmc.pairedDraws;
  const categories = sizes.reduce((sum, size) => sum + size, 0);
  const { fixed } = MEASURED.iteration;
  const perCombination = (MEASURED.iteration.perCombination * variables) / SIZES.length;
  const schema = {
    variables: sizes.map((size, k) => ({
      name: `V${k + 1}`,
      type: 'categorical' as const,
      categories: Array.from({ length: size }, (_, code) => String(code)),
    })),
  };
  // How often each occurs is of no matter here.
  const rows = { count: combinations, variables, codes: new Uint16Array(0), counts: new Uint32Array(0) };
  return measuredWork(plan, {
    stepMemory: predictStepMemory({ plan, schema, combinations: rows, inputBytes: combinations * variables * 2 }),
    diskMiB: (draws * drawBytes(plan, categories, combinations)) / 1024 / 1024,
    secondsPer: {
      iteration: fixed + combinations * perCombination,
      stackedIteration: fixed + 2 * combinations * perCombination,
      combination: (draws * MEASURED.combinationAndDraw * candidates) / candidatesOf(SIZES),
      // It hangs on the variables and not on the combinations alone: `plan --cloud` measures it.
      utility: 0,
    },
  });
}

/** The estimate of the studied work, with the defaults of a deployment except for what is given. */
export function studiedEstimate(combinations: number, options: Partial<CloudOptions> = {}): CloudEstimate {
  return estimateCloud(studiedWork(combinations), { ...CLOUD_DEFAULTS, ...options });
}

/** A duration in the largest unit that fits, to three digits. */
function duration(minutes: number): string {
  const [value, unit] = minutes < 1 ? [minutes * 60, 's'] : minutes < 60 ? [minutes, 'min'] : [minutes / 60, 'h'];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

const dollars = (amount: number) => `$${amount < 0.1 ? amount.toFixed(3) : amount.toFixed(2)}`;

const count = (value: number) => value.toLocaleString('en');

function markdown(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---:')), ...rows.map(line)].join('\n');
}

const ofService = ({ items }: CloudEstimate, service: string) =>
  items.reduce((sum, item) => sum + (item.service === service ? item.dollars : 0), 0);

/** Minutes and dollars from a thousand to ten million combinations. */
export function costTable(): string {
  const rows = [1e3, 1e4, 1e5, 1e6, 1e7].map((combinations) => {
    const estimate = studiedEstimate(combinations);
    const { minutes } = estimate;
    return [
      count(combinations),
      duration(minutes.fit),
      duration(minutes.assess),
      duration(minutes.total),
      dollars(ofService(estimate, 'Fargate')),
      dollars(ofService(estimate, 'Lambda')),
      dollars(estimate.dollars),
      [...new Set(estimate.notices.map(({ code }) => `\`${code}\``))].join(', '),
    ];
  });
  return markdown(['combinations', 'chains', 'map', 'run', 'Fargate', 'Lambda', 'all dollars', 'passes a limit'], rows);
}

/** The map over a million combinations by how many batches run at once. */
export function concurrencyTable(): string {
  const work = studiedWork(1e6);
  const rows = [50, 200, 400, 1000].map((concurrency) => {
    const estimate = estimateCloud(work, { ...CLOUD_DEFAULTS, concurrency });
    return [count(concurrency), duration(estimate.minutes.assess), duration(estimate.longestCallSeconds / 60), dollars(estimate.dollars)];
  });
  return markdown(['at once', 'map', 'longest call', 'run'], rows);
}

/** The chains of a million combinations by how many tasks share them, all at work at once. */
export function tasksTable(): string {
  const work = studiedWork(1e6);
  const rows = [4, 16].flatMap((vcpus) =>
    [1, 2, 4].map((fitTasks) => {
      const options = { ...CLOUD_DEFAULTS, vcpus, fitTasks, vcpusAtOnce: vcpus * fitTasks };
      const estimate = estimateCloud(work, options);
      return [
        count(vcpus),
        count(fitTasks),
        duration(estimate.minutes.fit),
        duration(estimate.minutes.total),
        dollars(ofService(estimate, 'Fargate')),
      ];
    }),
  );
  return markdown(['vCPU of a task', 'tasks', 'chains', 'run', 'Fargate'], rows);
}

/** What an environment has at most: four tasks of 16 vCPU and 120 GiB for the chains, and functions of 10 GiB. */
const LARGEST: Partial<CloudOptions> = {
  vcpus: 16,
  fitMemoryGiB: 120,
  fitTasks: 4,
  vcpusAtOnce: 64,
  assessMemoryMiB: 10_240,
  stepMemoryMiB: 10_240,
  assessTimeoutSeconds: 900,
};

/** Quotas are asked for, and waiting ends. */
const NO_OBSTACLE = ['fargate-quota', 'lambda-quota', 'waiting-for-s3'];

/** An estimate with batches as large as the environment can assess, as planning in the account makes them. */
function fittingEstimate(combinations: number, variables: number, options: CloudOptions): CloudEstimate {
  for (let cut = 1; ; cut *= 2) {
    const estimate = estimateCloud(studiedWork(combinations, variables, cut), options);
    if (cut === 4 || !estimate.notices.some(({ code }) => code === 'batch-too-long')) return estimate;
  }
}

/** Who refuses a run, and why; that it ends where nobody does. */
function endOf({ notices }: CloudEstimate): string {
  const codes = [...new Set(notices.map(({ code }) => code).filter((code) => !NO_OBSTACLE.includes(code)))];
  return codes.length === 0 ? 'ends' : codes.map((code) => `\`${code}\``).join(', ');
}

/** What a run takes in the largest environment, by combinations and variables, and whether it ends there and with defaults. */
export function limitsTable(): string {
  const rows = [1e5, 1e6, 1e7].flatMap((combinations) =>
    [24, 50, 200].map((variables) => {
      const { stepMemory } = studiedWork(combinations, variables);
      const largest = fittingEstimate(combinations, variables, { ...CLOUD_DEFAULTS, ...LARGEST });
      const gib = (bytes: number) => `${(bytes / 1024 ** 3).toPrecision(2)} GiB`;
      return [
        count(combinations),
        count(variables),
        duration(largest.minutes.fit),
        duration(largest.minutes.assess),
        duration(largest.minutes.aggregate),
        duration(largest.minutes.report),
        duration(largest.minutes.total),
        dollars(largest.dollars),
        gib(stepMemory.plan),
        gib(stepMemory.aggregate),
        gib(stepMemory.report),
        endOf(largest),
        endOf(fittingEstimate(combinations, variables, CLOUD_DEFAULTS)),
      ];
    }),
  );
  const times = ['chains', 'map', 'aggregate', 'report', 'all'];
  const memory = ['memory of plan', 'of aggregate', 'of report'];
  return markdown(['combinations', 'variables', ...times, 'dollars', ...memory, 'largest environment', 'defaults'], rows);
}
