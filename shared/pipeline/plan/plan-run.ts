import { encodeNpy } from '../../arrays/npy.ts';
import { encodeColumns } from '../../artifacts/stored-columns.ts';
import { type DatasetRows, encodeDataset } from '../../artifacts/stored-dataset.ts';
import { writeDraws } from '../../artifacts/stored-draws.ts';
import { encodeJson } from '../../artifacts/stored-json.ts';
import { storeReleaseKey } from '../../artifacts/stored-keys.ts';
import { categorySizes, encodeCombinations } from '../../artifacts/stored-table.ts';
import { encodeTargets } from '../../artifacts/stored-targets.ts';
import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { type Config, calibrationSettings } from '../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { Warning } from '../../contracts/results/summary.ts';
import { type DatasetSource, openPlanOf, type Plan } from '../../contracts/run/plan.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { VERSION } from '../../contracts/version.ts';
import { classesOfDraw } from '../../model/chain-model.ts';
import type { ChainDraws } from '../../model/chains/chain-draws.ts';
import { openBounds } from '../../risk/bounds/open-bounds.ts';
import { runScenarios } from '../../risk/identification/run-scenarios.ts';
import { candidateSpace } from '../../risk/intruder/candidate-space.ts';
import type { Store } from '../../storage/store.ts';
import { type Combinations, countDistinctRows, uniqueCombinations } from '../../table/combinations.ts';
import { readTable, readTableAs } from '../../table/files/read-table.ts';
import { replacedColumns } from '../../table/replaced-columns.ts';
import { refuseImpossibleRecords } from '../../table/support/refuse-impossible-records.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import type { Table } from '../../table/table.ts';
import { boundsSettings } from '../results/bound-run.ts';
import { hasChains } from '../rounds/chains-needed.ts';
import { refuseReservedNames } from '../tables/attribute-risk-table.ts';
import { planBatches } from './plan-batches.ts';
import { type PlannedReplicate, planReplicates } from './plan-replicates.ts';
import { type PlannedSupport, planSupport, refuseUnscored } from './planned-support.ts';

/** A dataset of an earlier run, with the draw that generated it. */
export interface GeneratedDataset {
  readonly rows: DatasetRows;
  readonly source: DatasetSource;
  readonly generatingDraw: ChainDraws;
}

/** What a run is asked to do. */
export interface RunRequest {
  readonly purpose: Exclude<Plan['purpose'], 'replicate'>;
  readonly config: Config;
  /** Bytes of the confidential table, CSV or Parquet. */
  readonly table: Uint8Array;
  /** Bytes of the file of structural zeros, where the config names one. */
  readonly structuralZeros?: Uint8Array;
  /** For `assess`: bytes of datasets made elsewhere, or the datasets of an earlier run. */
  readonly datasets?:
    | { readonly origin: 'elsewhere'; readonly files: readonly Uint8Array[] }
    | { readonly origin: 'run'; readonly runId: string; readonly generated: readonly GeneratedDataset[] };
  /** Key of the place where the run is kept, under which its id is formed. */
  readonly placeKey: Uint8Array;
  /** The release key of the run with this id. */
  readonly releaseKey: (runId: string) => Promise<Uint8Array>;
  /** Combinations in a batch; by default as memory allows. Results do not depend on it. */
  readonly batchSize?: number;
  /** What the run may take when so many threads run it. */
  readonly memory?: { readonly limitBytes: number; readonly jobs: number };
}

/** A run decided but not started: its plan and what its steps will read. */
export interface PlannedRun {
  readonly plan: Plan;
  readonly releaseKey: Uint8Array;
  readonly schema: TableSchema;
  /** Null where the model has no chains: it takes records as they are, which may hold continuous values. */
  readonly combinations: Combinations | null;
  /** The table in the order of its records, where the datasets are partially synthetic; null otherwise. */
  readonly records: Table | null;
  readonly support: PlannedSupport | null;
  /** Bytes of the table and of datasets given as files; a replicate's table is made from that of its calibration. */
  readonly inputBytes: number;
  readonly datasets: readonly { rows: DatasetRows; source: DatasetSource; draw?: ChainDraws }[];
  /** The runs that a calibration consists of. */
  readonly replicates: readonly PlannedReplicate[];
}

/**
 * Reads and checks everything that a run needs, and decides what it will do. Nothing is written.
 * The run's id is of the table, the datasets, the config and the version: whatever can change a result but the release
 * key, under the key of the place.
 *
 * @throws InvalidTableError, InvalidConfigError, UnsupportedOptionError
 */
export async function planRun(request: RunRequest): Promise<PlannedRun> {
  const { purpose, config } = request;
  refuseUnscored(purpose, config);
  if (!hasChains(config)) refuseWithoutChains(purpose);
  const { missing } = config.synthesis;
  const { table, notices } = await readTable(request.table, { variables: config.variables, missing });
  const { synthesized } = config.synthesis;
  const replaced = synthesizedVariables(synthesized, table.schema);
  const partial = synthesized !== 'all';
  runScenarios(config, table.schema);
  const bounds = boundsSettings(config);
  if (bounds) openBounds(table, [], bounds);
  const chained = hasChains(config) ? planChained(config, table) : null;
  const support =
    chained && (await planSupport(config, request.structuralZeros, table.schema, chained.unique));
  const scored = attributeRiskReason(config) === null;
  const distinct = chained
    ? { rows: chained.unique.combinations.count, sampleUniques: countUniques(chained.unique.combinations) }
    : countDistinctRows(table);
  const tableSha256 = await sha256(request.table);

  const given = request.datasets;
  let datasetHashes: string[] = [];
  const datasets: PlannedRun['datasets'][number][] = [];
  let inputBytes = request.table.length;
  if (given?.origin === 'elsewhere') {
    if (config.attributeRisk.estimator === 'parameters') {
      throw new UnsupportedOptionError(
        'generating-draws-unknown',
        'The estimator `parameters` needs the draws that generated the datasets; they are known only to the run that made them (assess --run DIR).',
      );
    }
    datasetHashes = await Promise.all(given.files.map(sha256));
    for (const [l, bytes] of given.files.entries()) {
      const dataset = await readTableAs(bytes, table.schema, { missing });
      notices.push(...dataset.notices);
      inputBytes += bytes.length;
      const { records } = dataset.table;
      const ofDataset = uniqueCombinations(dataset.table);
      if (support) refuseImpossibleRecords(ofDataset, categorySizes(table.schema), support.support);
      datasets.push({
        rows: partial ? replacedColumns(l + 1, dataset.table, table, replaced) : ofDataset.combinations,
        source: { origin: given.origin, records, chain: null, draw: null, iteration: null },
      });
    }
  } else if (given?.origin === 'run') {
    datasetHashes = [given.runId];
    for (const { rows, source, generatingDraw: draw } of given.generated) {
      datasets.push({ rows, source: { ...source, origin: given.origin }, draw });
    }
  }
  if (purpose === 'assess' && datasets.length === 0) {
    throw new InvalidConfigError('no-datasets', 'There is no dataset to assess.');
  }

  // Which zeros they are counts, not where they were found.
  const zeros = support ? { structuralZeros: support.sha256 } : {};
  const { table: _, calibration: __, ...named } = config;
  const settings = { ...named, synthesis: { ...config.synthesis, ...zeros } };
  const calibrating = purpose === 'calibrate';
  const identity = calibrating ? { ...settings, calibration: calibrationSettings(config) } : settings;
  const runId = await keyedRunId(
    request.placeKey,
    encodeJson({ version: VERSION, purpose, tableSha256, datasetHashes, config: identity }),
  );
  const releaseKey = await request.releaseKey(runId);
  const count = given ? datasets.length : config.synthesis.datasets;
  const plan: Plan = {
    version: VERSION,
    runId,
    purpose,
    config: { ...identity, synthesis: { ...identity.synthesis, datasets: count } },
    table: {
      sha256: tableSha256,
      records: table.records,
      variables: table.columns.length,
      combinations: distinct.rows,
      cells: countCells(table.schema),
      sampleUniques: distinct.sampleUniques,
    },
    datasets: { count, origin: given?.origin ?? 'synthesized' },
    classes: chained?.classes ?? 0,
    candidatesPerCombination: scored ? chained!.space.perCombination : 0,
    batches: [],
    warnings: notices.map((message): Warning => ({ code: 'table-notice', message })),
  };
  const records = partial ? table : null;
  const combinations = chained?.unique.combinations ?? null;
  const run = {
    plan,
    releaseKey,
    schema: table.schema,
    combinations,
    records,
    support,
    datasets,
    inputBytes,
  };
  if (chained === null || !scored) return { ...run, replicates: [] };
  const assessed = partial ? table.records : distinct.rows;
  const rows = calibrating ? calibrationSettings(config).targets : assessed;
  plan.batches.push(...planBatches(run, rows, request));
  const { unique, space } = chained;
  return {
    ...run,
    replicates: calibrating ? planReplicates(plan, table.schema, unique, space, releaseKey) : [],
  };
}

/** What a model with chains needs of a table: its combinations, the classes of a draw, and the candidates. */
function planChained(config: Config, table: Table) {
  refuseReservedNames(table.schema, config.synthesis.synthesized !== 'all');
  const unique = uniqueCombinations(table);
  const names = table.schema.variables.map(({ name }) => name);
  const sizes = categorySizes(table.schema);
  return {
    unique,
    classes: classesOfDraw(config, table.schema, unique.combinations),
    space: candidateSpace(config.attributeRisk.candidates, names, sizes),
  };
}

const countUniques = ({ counts }: Combinations) => counts.filter((records) => records === 1).length;

/** Cells of the cross-classification of all variables; null with a continuous one. */
function countCells({ variables }: TableSchema): number | null {
  return variables.reduce<number | null>(
    (cells, variable) =>
      cells === null || variable.type === 'continuous' ? null : cells * variable.categories.length,
    1,
  );
}

/** Refuses what rests on chains for a model that has none. */
function refuseWithoutChains(purpose: RunRequest['purpose']): void {
  if (purpose === 'evaluate' || purpose === 'synthesize') return;
  throw new UnsupportedOptionError(
    'no-attribute-risk',
    `The model cart scores no guess at a record, so that there is no attribute risk to ${purpose}. The command identify measures identification risk of datasets made elsewhere.`,
  );
}

/** Writes what {@link planRun} decided; the plan comes last, and says that everything before it is there. */
export async function storePlannedRun(store: Store, planned: PlannedRun): Promise<Plan> {
  const { plan, releaseKey, schema, combinations, records, support, datasets, replicates } = planned;
  const keys = runKeys(plan.runId);
  const once = { ifAbsent: true };
  await storeReleaseKey(store, plan.runId, releaseKey);
  await store.put(keys.table.schema, encodeJson(schema), once);
  if (combinations) {
    for (const [key, bytes] of encodeCombinations(keys.table, combinations))
      await store.put(key, bytes, once);
  }
  for (const [key, bytes] of encodeColumns(keys.table.records, records?.columns.entries() ?? [])) {
    await store.put(key, bytes, once);
  }
  if (support) {
    const { rules, codes } = support.zeros;
    await store.put(keys.table.structuralZeros, encodeNpy(codes, [rules, schema.variables.length]), once);
  }
  for (const [l, { rows, source, draw }] of datasets.entries()) {
    const dataset = keys.dataset(l + 1);
    for (const [key, bytes] of encodeDataset(dataset, rows)) await store.put(key, bytes, once);
    if (draw) await writeDraws(store, plan.runId, `synthesis/${l + 1}`, draw);
    const stored: DatasetSource = draw ? { ...source, chain: `synthesis/${l + 1}`, draw: 0 } : source;
    await store.put(dataset.source, encodeJson(stored), once);
  }
  for (const replicate of replicates) {
    for (const [key, bytes] of encodeTargets(replicate.plan.runId, replicate.targets)) {
      await store.put(key, bytes, once);
    }
    await storePlannedRun(store, replicate);
  }
  if (plan.purpose !== 'replicate') await store.put(keys.openPlan, encodeJson(openPlanOf(plan)), once);
  await store.put(keys.plan, encodeJson(plan), once);
  return plan;
}
