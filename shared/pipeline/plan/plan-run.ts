import { encodeJson } from '../../artifacts/stored-json.ts';
import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { type Config, calibrationSettings } from '../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { VERSION } from '../../contracts/version.ts';
import { classesOfDraw } from '../../model/chain-model.ts';
import { openRelease } from '../../risk/bounds/opened-release.ts';
import { candidateSpace } from '../../risk/intruder/candidate-space.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';
import { countDistinctRows, uniqueCombinations } from '../../table/distinct-rows.ts';
import { readTable, readTableAs } from '../../table/files/read-table.ts';
import { replacedColumns } from '../../table/replaced-columns.ts';
import { refuseImpossibleRecords } from '../../table/support/refuse-impossible-records.ts';
import type { Table } from '../../table/table.ts';
import { hasChains } from '../rounds/chains-needed.ts';
import { planBatches } from './plan-batches.ts';
import { planReplicates } from './plan-replicates.ts';
import type { PlannedRun, RunRequest } from './planned-run.ts';
import { planSupport, refuseUnscored } from './planned-support.ts';
import { refuseReservedNames } from './refuse-reserved-names.ts';

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
  const { synthesized: replaced } = openRelease(config, table.schema);
  const partial = synthesized !== 'all';
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
