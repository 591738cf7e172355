import { parse } from 'csv-parse/sync';
import { householdTable } from '../../examples/household-table.ts';
import { type Config, configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { Plan, Task } from '../../shared/contracts/run/plan.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { writeManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun, RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { storePlannedRun } from '../../shared/pipeline/plan/store-planned-run.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { calibrateRun, reportCalibration } from '../../shared/pipeline/results/calibrate-run.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { runRounds } from '../../shared/pipeline/tasks/run-rounds.ts';
import { runTask } from '../../shared/pipeline/tasks/run-task.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { augmentedTerms } from '../../shared/risk/attribute/attribute-estimators.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';

/** Chains of a second or so. */
const SMALL_MCMC = { chains: 3, burnIn: 10, draws: 4, thin: 2, pairedChains: 2, pairedDraws: 4, pairedThin: 1 };

/** Variables of the household survey that a small table keeps. */
const VARIABLES = ['region', 'age_group', 'education', 'employment'];

/** Rows of a CSV file as text, the header first. */
export function csvRows(bytes: Uint8Array): string[][] {
  return parse(Buffer.from(bytes));
}

/** A report as it is written: without the program that runs in it, whose words are its own. */
export const withoutProgram = (report: string) => report.replace(/<script>.*?<\/script>/s, '');

/** CSV bytes of four variables of the example's survey: some categories hold commas, many rows occur once. */
export function smallTable({ records = 60, seed = 3 } = {}): Uint8Array {
  const [header, ...rows] = csvRows(householdTable(seed, records));
  const columns = VARIABLES.map((name) => header!.indexOf(name));
  return encodeCsv(
    VARIABLES,
    rows.map((row) => columns.map((column) => row[column]!)),
  );
}

/**
 * CSV bytes of a table with two continuous variables: region, education and employment as in the survey, an age, and an
 * income that hangs on both and is zero for some.
 */
export function mixedTable({ records = 80, seed = 3 } = {}): Uint8Array {
  const [header, ...rows] = csvRows(householdTable(seed, records));
  const kept = ['region', 'education', 'employment'].map((name) => header!.indexOf(name));
  const random = new RandomStream(seed, 'mixed');
  return encodeCsv(
    ['region', 'age', 'education', 'employment', 'income'],
    rows.map((row) => {
      const [region, education, employment] = kept.map((column) => row[column]!);
      const age = 18 + random.below(60);
      const income = random.below(8) === 0 ? 0 : 500 * age + education!.length * 100 + random.below(20_000) / 4;
      return [region!, age, education!, employment!, income];
    }),
  );
}

/** The settings of a run by trees on {@link mixedTable}, with an intruder who knows what is kept. */
export const TREE_SETTINGS = {
  model: { name: 'cart' },
  variables: { age: { type: 'continuous' }, income: { type: 'continuous' } },
  synthesis: { datasets: 2, synthesized: ['employment', 'income'] },
  identification: [{ known: ['region', 'age'], radius: { age: 'abs:2', income: 0.1 } }],
};

/** The same with categorical synthesized variables, of which there is attribute risk. */
export const CATEGORY_TREE_SETTINGS = {
  ...TREE_SETTINGS,
  synthesis: { datasets: 2, synthesized: ['employment', 'region'] },
  identification: [{ known: ['education', 'age'], radius: { age: 'abs:2' } }],
};

/** The settings of a short run by the model mixed on {@link mixedTable}. */
export const MIXED_SETTINGS = {
  model: { name: 'mixed', classes: 6 },
  variables: {
    age: { type: 'continuous', range: [18, 90] },
    income: { type: 'continuous', range: [0, 100000], scale: 'asinh', masses: [0], decimals: 2 },
  },
  mcmc: SMALL_MCMC,
  synthesis: { datasets: 2 },
};

/** The categories of {@link smallTable}, declared. */
function smallCategories(): Record<string, { categories: string[] }> {
  const [header, ...rows] = csvRows(smallTable({ records: 2000 }));
  return Object.fromEntries(header!.map((name, k) => [name, { categories: [...new Set(rows.map((row) => row[k]!))].sort() }]));
}

/** The settings of a run by counts on {@link smallTable}. */
export const COUNT_SETTINGS = {
  model: { name: 'dirichlet-multinomial', epsilon: 30 },
  variables: smallCategories(),
  synthesis: { datasets: 2 },
};

/** The settings of a run of a second or so. */
export const SMALL_SETTINGS = { model: { classes: 6 }, mcmc: SMALL_MCMC, synthesis: { datasets: 2 } };

/** The same of a run whose utility is of no matter, which looking ahead would measure as well. */
export const WITHOUT_UTILITY = { ...SMALL_SETTINGS, utility: 'off' } as const;

/** The settings of a short run, with sections replaced field by field. */
export function smallConfig(
  sections: { synthesis?: object; attributeRisk?: object; mcmc?: object } & Record<string, unknown> = {},
): Config {
  const { synthesis, mcmc, ...others } = sections;
  return configSchema.parse({
    ...SMALL_SETTINGS,
    ...others,
    synthesis: { ...SMALL_SETTINGS.synthesis, ...synthesis },
    mcmc: { ...SMALL_SETTINGS.mcmc, ...mcmc },
  });
}

/**
 * The terms of `augmented` for two datasets of a run with {@link SMALL_SETTINGS}, synthesized by it, each with the names of
 * the draws that it is over.
 */
export function termsOfTwo() {
  const side = (name: 'stacked' | 'alone', dataset: number) => ({
    side: name,
    dataset,
    draws: [1, 2].map((chain) => `${name}/${dataset}/${chain}`),
  });
  const base = { side: 'base' as const, dataset: 0, draws: [1, 2, 3].map((chain) => `base/${chain}`) };
  return augmentedTerms<ReturnType<typeof side> | typeof base>(
    base,
    [1, 2].map((l) => ({ stacked: side('stacked', l), table: side('alone', l), chainByChain: false })),
  );
}

/** How a run is carried out: its tasks as they come, with a report. */
interface Carried {
  readonly inOrder?: (tasks: Task[]) => Task[];
  readonly reports?: boolean;
}

/** Carries a whole run out in a store, one task after the other. */
export async function runInStore(store: Store, request: RunRequest, carried?: Carried): Promise<Plan> {
  return runPlanned(store, await planRun(request), carried);
}

/** The same for a run that has been planned. */
export async function runPlanned(
  store: Store,
  planned: PlannedRun,
  { inOrder = (tasks) => tasks, reports = true }: Carried = {},
): Promise<Plan> {
  const plan = await storePlannedRun(store, planned);
  for await (const { tasks } of runRounds(store, plan)) {
    for (const phase of [tasks.fit, tasks.synthesize, tasks.augment, tasks.assess]) {
      for (const task of inOrder([...phase])) await runTask(store, task, () => undefined);
    }
  }
  const calibrating = plan.purpose === 'calibrate';
  await (calibrating ? calibrateRun : aggregateRun)(store, plan);
  if (reports && plan.purpose !== 'synthesize') await (calibrating ? reportCalibration : reportRun)(store, plan);
  await writeManifest(store, plan);
  return plan;
}

/** Carries a whole run out in memory. */
export async function runInMemory(request: RunRequest, carried?: Carried) {
  const store = new MemoryStore();
  const plan = await runInStore(store, request, carried);
  return { store, plan, keys: runKeys(plan.runId) };
}

/** The same without a report, whose charts take longer than a small run, where nobody looks at it. */
export const runFigures = (request: RunRequest, carried?: Omit<Carried, 'reports'>) => runInMemory(request, { ...carried, reports: false });

/**
 * SHA-256 of every artifact whose path below the run begins so. Of what is confidential, only results, unless everything is
 * asked for: plan and manifest tell how the rows were cut into batches.
 */
export async function hashesBelow(store: Store, { runId }: { runId: string }, ...prefixes: string[]): Promise<Record<string, string>> {
  const { root } = runKeys(runId);
  const hashes: Record<string, string> = {};
  for (const prefix of prefixes) {
    for (const key of await store.list(root + prefix)) {
      if (prefix !== '' && /\/confidential\/(plan(-predicted)?\.json|manifest(\.signature)?\.json|release-key)$/.test(key)) continue;
      hashes[key.slice(root.length)] = await sha256(await store.get(key));
    }
  }
  return hashes;
}
