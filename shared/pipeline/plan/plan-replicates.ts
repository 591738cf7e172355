import { calibrationSettings } from '../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { replicateRunId } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { KeyedStreams, type Streams } from '../../random/streams.ts';
import { drawTargets } from '../../risk/calibration/calibration-targets.ts';
import { drawRecordTargets } from '../../risk/calibration/record-targets.ts';
import type { CandidateSpace } from '../../risk/intruder/candidate-space.ts';
import type { AskedOfRecords } from '../../risk/mixed/record-candidates.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';
import { combinationsFromCodes, distinctRows } from '../../table/distinct-rows.ts';
import { codeColumns } from '../../table/record-codes.ts';
import type { Table } from '../../table/table.ts';
import type { PlannedReplicate } from './planned-run.ts';

/** Log-likelihoods that a calibration may hold in memory at its end: half a GiB of them. */
const MOST_SCORES = 67_108_864;

/** Seed of a replicate: a number of its own, whatever the number of replicates. */
function replicateSeed(streams: Streams, replicate: number): number {
  return streams.open(`replicate/${replicate}`).below(2_147_483_648);
}

/** Some records of a table replaced by candidates of theirs, and records of each row of what comes of it. */
type ReplacedTable = (
  targets: number,
  random: RandomSource,
) => Pick<PlannedReplicate, 'combinations' | 'records' | 'targets'> & { readonly counts: Uint32Array };

/** Of each record, 1 where no other has its row. */
const uniqueOf = (chosen: Uint32Array, rowOfRecord: Uint32Array, counts: Uint32Array) =>
  Uint8Array.from(chosen, (record) => (counts[rowOfRecord[record]!] === 1 ? 1 : 0));

/** Replaces records of a table of combinations, whose candidates stay around what they were. */
export function replacedCombinations(
  { config, table: { records, variables } }: Pick<Plan, 'config' | 'table'>,
  schema: TableSchema,
  { combinations, combinationOfRecord }: CombinationsOfRecords,
  space: CandidateSpace,
): ReplacedTable {
  const codes = new Uint16Array(records * variables);
  for (const [record, combination] of combinationOfRecord.entries()) {
    const from = combination * variables;
    codes.set(combinations.codes.subarray(from, from + variables), record * variables);
  }
  return (count, random) => {
    const { codes: altered, ...targets } = drawTargets(codes, space, count, random);
    const { combinations: rows } = combinationsFromCodes(altered, records, variables);
    return {
      combinations: rows,
      counts: rows.counts,
      records: config.synthesis.synthesized === 'all' ? null : { schema, records, columns: codeColumns(altered, records) },
      targets: { ...targets, unique: uniqueOf(targets.records, combinationOfRecord, combinations.counts) },
    };
  };
}

/** Replaces what an intruder lacks of records with densities. */
export function replacedRecords(table: Table, asked: AskedOfRecords): ReplacedTable {
  const { rowOfRecord, counts } = distinctRows(table);
  return (count, random) => {
    const { table: altered, ...targets } = drawRecordTargets(table, asked, count, random);
    return {
      combinations: null,
      counts: distinctRows(altered).counts,
      records: altered,
      targets: { ...targets, unique: uniqueOf(targets.records, rowOfRecord, counts) },
    };
  };
}

/** How many records a replicate replaces and scores. Throws InvalidConfigError `too-many-targets` when the table has fewer. */
function targetsOf({ config, table: { records } }: Plan): number {
  const { targets } = calibrationSettings(config);
  if (targets <= records) return targets;
  throw new InvalidConfigError(
    'too-many-targets',
    `The table has ${records} records, fewer than the ${targets} targets of a replicate: take at most ${records} (--targets), and more replicates (--replicates) for smaller errors.`,
  );
}

/**
 * The replicates of a calibration: for each, the table with its targets replaced, and the plan of a run that
 * synthesizes from it and scores the candidates of the targets.
 *
 * @param plan of the calibration; its batches are of targets
 * @param replaced draws the targets of a replicate
 * @param releaseKey of the calibration, and of each replicate
 * @throws InvalidConfigError as {@link targetsOf}
 * @throws UnsupportedOptionError `too-many-scores` when the candidates of all targets do not fit into memory
 */
export function planReplicates(plan: Plan, schema: TableSchema, replaced: ReplacedTable, releaseKey: Uint8Array): PlannedReplicate[] {
  const { replicates } = calibrationSettings(plan.config);
  const targets = targetsOf(plan);
  const candidates = plan.scenarioCandidates[0]!;
  const scores = replicates * targets * candidates;
  if (scores > MOST_SCORES) {
    throw new UnsupportedOptionError(
      'too-many-scores',
      `${replicates} replicates of ${targets} targets with ${candidates} candidates each make ${scores} scores; at most ${MOST_SCORES} are possible. Take fewer targets, or let the intruder know more variables.`,
    );
  }
  const streams = new KeyedStreams(releaseKey, plan.config.seed);
  return Array.from({ length: replicates }, (_, i) => {
    const seed = replicateSeed(streams, i + 1);
    const ofReplicate = new KeyedStreams(releaseKey, seed);
    const { counts, ...altered } = replaced(targets, ofReplicate.open('targets'));
    return {
      plan: {
        ...plan,
        runId: replicateRunId(plan.runId, i + 1),
        purpose: 'replicate',
        config: { ...plan.config, seed },
        table: { ...plan.table, combinations: counts.length, sampleUniques: counts.filter((count) => count === 1).length },
        warnings: [],
      },
      releaseKey,
      control: null,
      known: new Map(),
      schema,
      support: null,
      prior: [],
      inputBytes: 0,
      datasets: [],
      replicates: [],
      ...altered,
    };
  });
}
