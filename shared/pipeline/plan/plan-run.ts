import { encodeJson } from '../../artifacts/stored-json.ts';
import { keyCheck } from '../../artifacts/stored-keys.ts';
import { calibrationSettings, keepsRecords, lesserKnowledge, withControl, withPriorFiles } from '../../contracts/config/config.ts';
import { knowledgeName } from '../../contracts/config/knowledge.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { keyedRunId } from '../../contracts/run/run-id.ts';
import { openScenario } from '../../contracts/run/scenarios.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { VERSION } from '../../contracts/version.ts';
import { KeyedStreams } from '../../random/streams.ts';
import { calibratedCandidates } from '../../risk/calibration/record-targets.ts';
import { askedOfRecords } from '../../risk/mixed/record-candidates.ts';
import { type Combinations, outside, singles, takenNumbers } from '../../table/combinations.ts';
import { countDistinctRows } from '../../table/distinct-rows.ts';
import { readingOf, readTable } from '../../table/files/read-table.ts';
import type { Table } from '../../table/table.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { type CheckedRun, checkRun, refuseUnplanned } from './check-run.ts';
import { digestKnownFiles, knownRecords, singleRecords } from './known-records.ts';
import { planScenarios } from './plan-batches.ts';
import { planControl } from './plan-control.ts';
import { type PlannedDatasets, planDatasets } from './plan-datasets.ts';
import { planReplicates, replacedCombinations, replacedRecords } from './plan-replicates.ts';
import type { PlannedRun, RunRequest } from './planned-run.ts';
import { today } from './today.ts';

/**
 * The run's id is of the table, the datasets, the config and the version: whatever can change a result but the release key, under the key
 * of the place.
 */
async function runIdentity(
  { purpose, config, placeKey }: RunRequest,
  tableSha256: string,
  sha256Of: { readonly zeros: string | undefined; readonly priors: readonly string[]; readonly control: string | undefined },
  { hashes: datasetHashes, figures }: PlannedDatasets,
) {
  // Which files they are counts, not where they were found.
  const found = withControl(sha256Of.priors.length === 0 ? config : withPriorFiles(config, sha256Of.priors), sha256Of.control);
  const { table: _, calibration: __, attack: ___, report, ...named } = found;
  const zeros = sha256Of.zeros === undefined ? {} : { structuralZeros: sha256Of.zeros };
  const settings = { ...named, synthesis: { ...config.synthesis, ...zeros } };
  const identity = purpose === 'calibrate' ? { ...settings, calibration: calibrationSettings(config) } : settings;
  const runId = await keyedRunId(placeKey, encodeJson({ version: VERSION, purpose, tableSha256, datasetHashes, config: identity }));
  return { runId, config: { ...identity, ...(report && { report }), synthesis: { ...identity.synthesis, datasets: figures.count } } };
}

/**
 * Reads and checks everything that a run needs, and decides what it will do. Nothing is written. In five steps: the table is read, settings
 * are held to it, datasets are planned, the run gets its identity, and its rows are cut into batches.
 */
export async function planRun(asked: RunRequest): Promise<PlannedRun> {
  // What makes datasets alone, or scores guesses alone, asks nobody who is not in the table.
  const uncontrolled = asked.purpose === 'synthesize' || asked.purpose === 'calibrate';
  const digested = await digestKnownFiles(uncontrolled ? withControl(asked.config, undefined) : asked.config, asked.knownFiles);
  const request = { ...asked, config: digested.config };
  refuseUnplanned(request);
  const read = { ...(await readTable(request.table, readingOf(request.config))), sha256: await sha256(request.table) };
  const checked = await checkRun(request, read.table);
  const given = await planDatasets(request, read.table, checked);
  const support = checked.chained?.support ?? null;
  const prior = checked.chained?.priors ?? [];
  const control = await planControl(request.config, request.control, read.table, support?.support);
  const digests = { zeros: support?.sha256, priors: prior.map((file) => file.sha256), control: control?.sha256 };
  const { runId, config } = await runIdentity(request, read.sha256, digests, given);
  const releaseKey = await request.releaseKey(runId);
  const streams = new KeyedStreams(releaseKey, config.seed);
  const scoredRows = checked.scored?.unique ?? singleRecords(read.table.records);
  const known = checked.spaces ? knownRecords(config, digested.files, scoredRows, streams) : new Map<string, Uint32Array>();
  const candidates = candidatesOf(request, read.table, checked);
  const uncut: Plan = {
    version: VERSION,
    runId,
    purpose: request.purpose,
    startedOn: today(),
    config,
    table: figuresOfTable(read, checked),
    datasets: given.figures,
    classes: checked.chained?.classes ?? synthesizerOf(config).chains?.truncation(config) ?? 0,
    ...(control ? { controlRecords: control.people.records } : {}),
    candidatesPerCombination: Math.max(0, ...candidates),
    scenarioCandidates: candidates,
    ...(given.unscored === null ? {} : { unscored: given.unscored }),
    ...(given.notAssessable === null ? {} : { notAssessable: given.notAssessable }),
    keyCheck: await keyCheck(releaseKey),
    batches: [],
    warnings: [
      ...[...read.notices, ...given.notices].map((message): Warning => ({ code: 'table-notice', message })),
      ...(synthesizerOf(config).notices?.(config, read.table, support?.support ?? null) ?? []),
      ...given.warnings,
      ...(control?.warnings ?? []),
    ],
  };
  return cutRun(
    request,
    uncut,
    {
      releaseKey,
      known,
      schema: read.table.schema,
      combinations: checked.chained?.unique.combinations ?? null,
      records: keepsRecords(request.config) ? read.table : null,
      support,
      prior,
      control,
      inputBytes: request.table.length + given.bytes + (request.control?.length ?? 0),
      datasets: given.datasets,
    },
    checked,
  );
}

/** Candidates of a combination in each scenario; of a calibration those that its targets are drawn from. */
function candidatesOf({ config, purpose }: RunRequest, { schema }: Table, { spaces, scored }: CheckedRun): number[] {
  if (purpose !== 'calibrate' || scored !== null) return spaces?.map(({ perCombination }) => perCombination) ?? [];
  return config.attributeRisk.scenarios.map(({ candidates }) => calibratedCandidates(askedOfRecords(config, schema, candidates)));
}

/** Counts of the table. */
function figuresOfTable({ table, sha256 }: { readonly table: Table; readonly sha256: string }, { chained }: CheckedRun): Plan['table'] {
  const { rows, sampleUniques } = chained ? countCombinations(chained.unique.combinations) : countDistinctRows(table);
  return {
    sha256,
    records: table.records,
    variables: table.columns.length,
    combinations: rows,
    cells: countCells(table.schema),
    sampleUniques,
  };
}

const countCombinations = ({ count, counts }: Combinations) => ({
  rows: count,
  sampleUniques: counts.filter((records) => records === 1).length,
});

/** Cells of the cross-classification of all variables; null with a continuous one. */
function countCells({ variables }: TableSchema): number | null {
  return variables.reduce<number | null>(
    (cells, variable) => (cells === null || variable.type === 'continuous' ? null : cells * variable.categories.length),
    1,
  );
}

/** Cuts what a run scores into batches: rows of its table, or the targets of a calibration, whose replicates take the same. */
function cutRun(request: RunRequest, plan: Plan, run: Omit<PlannedRun, 'plan' | 'replicates'>, { scored, spaces }: CheckedRun): PlannedRun {
  if (spaces === null) return { ...run, plan, replicates: [] };
  const calibrating = plan.purpose === 'calibrate';
  const assessed = run.records ? plan.table.records : plan.table.combinations;
  const rows = plan.config.attributeRisk.scenarios.map(({ knows }) => {
    // More than there are is refused where replicates are planned, after what no number of them would help.
    if (calibrating) return Math.min(calibrationSettings(plan.config).targets, plan.table.records);
    const known = knows && run.known.get(knowledgeName(knows))!;
    return known ? takenNumbers(outside(run.combinations?.counts ?? singles(assessed), known)).length : assessed;
  });
  if (calibrating && lesserKnowledge(plan.config).length > 0) {
    throw new UnsupportedOptionError('lesser-knowledge', 'A calibration is of an intruder who has all records but one: leave knows out.');
  }
  if (calibrating && spaces.length > 1) {
    throw new UnsupportedOptionError(
      'several-scenarios',
      'A calibration is of one scenario: name its candidates as attributeRisk.candidates (--candidates, --unknown).',
    );
  }
  const cut = { ...plan, batches: planScenarios({ ...run, plan }, rows, request) };
  if (!calibrating) return { ...run, plan: cut, replicates: [] };
  const replaced = scored
    ? replacedCombinations(cut, run.schema, scored.unique, spaces[0]!)
    : replacedRecords(run.records!, askedOfRecords(cut.config, run.schema, openScenario(cut, 1).candidates));
  return { ...run, plan: cut, replicates: planReplicates(cut, run.schema, replaced, run.releaseKey) };
}
