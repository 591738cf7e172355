import { calibrationSettings } from '../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { replicateRunId } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { KeyedStreams, type Streams } from '../../random/streams.ts';
import { drawTargets } from '../../risk/calibration/calibration-targets.ts';
import type { CandidateSpace } from '../../risk/intruder/candidate-space.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';
import { combinationsFromCodes } from '../../table/distinct-rows.ts';
import { codeColumns } from '../../table/record-codes.ts';
import type { PlannedReplicate } from './planned-run.ts';

/** Log-likelihoods that a calibration may hold in memory at its end: half a GiB of them. */
const MOST_SCORES = 67_108_864;

/** Seed of a replicate: a number of its own, whatever the number of replicates. */
function replicateSeed(streams: Streams, replicate: number): number {
  return streams.open(`replicate/${replicate}`).below(2_147_483_648);
}

/**
 * The replicates of a calibration: for each, the table with its targets replaced, and the plan of a run that
 * synthesizes from it and scores the candidates of the targets.
 *
 * @param plan of the calibration; its batches are of targets
 * @param releaseKey of the calibration, and of each replicate
 * @throws InvalidConfigError `too-many-targets` when the table has fewer records
 * @throws UnsupportedOptionError `too-many-scores` when the candidates of all targets do not fit into memory
 */
export function planReplicates(
  plan: Plan,
  schema: TableSchema,
  { combinations, combinationOfRecord }: CombinationsOfRecords,
  space: CandidateSpace,
  releaseKey: Uint8Array,
): PlannedReplicate[] {
  const { targets, replicates } = calibrationSettings(plan.config);
  const { records, variables } = plan.table;
  if (targets > records) {
    throw new InvalidConfigError(
      'too-many-targets',
      `The table has ${records} records, fewer than the ${targets} targets of a replicate: take at most ${records} (--targets), and more replicates (--replicates) for smaller errors.`,
    );
  }
  const scores = replicates * targets * space.perCombination;
  if (scores > MOST_SCORES) {
    throw new UnsupportedOptionError(
      'too-many-scores',
      `${replicates} replicates of ${targets} targets with ${space.perCombination} candidates each make ${scores} scores; at most ${MOST_SCORES} are possible. Take fewer targets, or let the intruder know more variables.`,
    );
  }
  const codes = new Uint16Array(records * variables);
  for (const [record, combination] of combinationOfRecord.entries()) {
    const from = combination * variables;
    codes.set(combinations.codes.subarray(from, from + variables), record * variables);
  }
  const streams = new KeyedStreams(releaseKey, plan.config.seed);
  return Array.from({ length: replicates }, (_, i) => {
    const seed = replicateSeed(streams, i + 1);
    const ofReplicate = new KeyedStreams(releaseKey, seed);
    const altered = drawTargets(codes, space, targets, ofReplicate.open('targets'));
    const { combinations: rows } = combinationsFromCodes(altered.codes, records, variables);
    return {
      plan: {
        ...plan,
        runId: replicateRunId(plan.runId, i + 1),
        purpose: 'replicate',
        config: { ...plan.config, seed },
        table: { ...plan.table, combinations: rows.count, sampleUniques: rows.counts.filter((count) => count === 1).length },
        warnings: [],
      },
      releaseKey,
      control: null,
      known: new Map(),
      schema,
      combinations: rows,
      records: plan.config.synthesis.synthesized === 'all' ? null : { schema, records, columns: codeColumns(altered.codes, records) },
      support: null,
      prior: [],
      inputBytes: 0,
      datasets: [],
      replicates: [],
      targets: altered,
    };
  });
}
