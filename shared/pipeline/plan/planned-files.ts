import { scoresCells } from '../../contracts/candidates.ts';
import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { type Config, priorFiles } from '../../contracts/config/config.ts';
import { InvalidConfigError, InvalidTableError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { refuseUnreadPrior, refuseUnreadZeros } from '../../contracts/settings/refuse-unread-files.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { positiveWeights } from '../../risk/prior/listed-priors.ts';
import { type PriorWeights, readPriorWeights } from '../../risk/prior/prior-weights.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { Combinations, CombinationsOfRecords } from '../../table/combinations.ts';
import { readStructuralZeros, type StructuralZeros } from '../../table/support/read-structural-zeros.ts';
import { refuseImpossibleRecords, type Support, supportOf } from '../../table/support/support.ts';

/** The structural zeros of a planned run. */
export interface PlannedSupport {
  readonly sha256: string;
  readonly zeros: StructuralZeros;
  readonly support: Support;
}

/**
 * Reads the structural zeros of a run and holds the table to them; null where it has none.
 *
 * @param bytes of the file that `synthesis.structuralZeros` names
 * @throws UnsupportedOptionError `structural-zeros-unread` when a file is named, and not there to be read
 * @throws InvalidTableError as {@link readStructuralZeros} and {@link refuseImpossibleRecords} do
 */
export async function planSupport(
  config: Config,
  bytes: Uint8Array | undefined,
  schema: TableSchema,
  records: CombinationsOfRecords,
): Promise<PlannedSupport | null> {
  if (bytes === undefined) {
    refuseUnreadZeros(config);
    return null;
  }
  const sizes = categorySizes(schema);
  const zeros = readStructuralZeros(bytes, schema);
  const support = supportOf(zeros, sizes);
  refuseImpossibleRecords(records, sizes, support);
  return { sha256: await sha256(bytes), zeros, support };
}

/**
 * Refuses measures that are not offered for missing values to impute, or for structural zeros, whichever scenario asks for them.
 *
 * @throws UnsupportedOptionError `uncalibrated`, `cells-beyond-support`, `candidates-of-missing` and `no-attribute-risk`
 */
export function refuseUnscored(purpose: Plan['purpose'], config: Config): void {
  const { missing, structuralZeros } = config.synthesis;
  if (purpose === 'synthesize' || (missing !== 'impute' && structuralZeros === undefined)) return;
  const reason = attributeRiskReason(config);
  // Where variables are kept an evaluation measures other things, and tells why not this one.
  if (reason !== null && purpose === 'evaluate' && config.synthesis.synthesized !== 'all') return;
  if (reason !== null) {
    throw new UnsupportedOptionError('no-attribute-risk', `${reason} The command synthesize makes the datasets alone.`);
  }
  if (purpose === 'calibrate') {
    throw new UnsupportedOptionError(
      'uncalibrated',
      'A calibration is not offered with missing values to impute, nor with structural zeros.',
    );
  }
  const { scenarios } = config.attributeRisk;
  if (structuralZeros !== undefined && scenarios.some(({ candidates }) => scoresCells(candidates))) {
    throw new UnsupportedOptionError(
      'cells-beyond-support',
      'The candidates `all-cells` are not offered with structural zeros, which forbid some of the cells.',
    );
  }
  if (missing === 'impute' && scenarios.some(({ candidates }) => candidates !== 'one-change')) {
    throw new UnsupportedOptionError(
      'candidates-of-missing',
      'With missing values to impute the candidates are `one-change`, of the values that a record has.',
    );
  }
}

/** The files of a planned run's priors, in order; none where they need none. */
export type PlannedPrior = readonly { readonly sha256: string; readonly weights: PriorWeights }[];

/** Cells of a file's variables at most, so that they can be numbered. */
const MOST_CELLS = Number.MAX_SAFE_INTEGER;

/**
 * Reads the files of a run's priors, those of one scenario after the other, and holds the table to each scenario's.
 *
 * @param files bytes of the files that the priors name, in that order
 * @throws UnsupportedOptionError `prior-unread` when files are named, and not there to be read
 * @throws InvalidTableError as {@link readPriorWeights} does; `prior-excludes-records` where a record weighs nothing
 * @throws InvalidConfigError `too-many-cells` where a file has more cells than can be numbered
 */
export async function planPriors(
  config: Config,
  files: readonly Uint8Array[] | undefined,
  schema: TableSchema,
  combinations: Combinations,
): Promise<PlannedPrior> {
  if (files === undefined) {
    refuseUnreadPrior(config);
    return [];
  }
  const named = config.attributeRisk.scenarios.map(({ prior }) => priorFiles(prior).length);
  const total = named.reduce((sum, count) => sum + count, 0);
  if (files.length !== total) throw new RangeError(`${total} files of priors are named, ${files.length} given`);
  const planned = await Promise.all(
    files.map(async (bytes, f) => ({ sha256: await sha256(bytes), weights: readPriorWeights(bytes, schema, f + 1) })),
  );
  let from = 0;
  for (const count of named) {
    holdTable(
      planned.slice(from, from + count).map(({ weights }) => weights),
      from,
      schema,
      combinations,
    );
    from += count;
  }
  return planned;
}

/** Holds a table to the prior of one scenario, whose files are numbered after `from` others. */
function holdTable(weights: readonly PriorWeights[], from: number, schema: TableSchema, combinations: Combinations): void {
  const sizes = categorySizes(schema);
  for (const [f, { variables }] of weights.entries()) {
    if (variables.reduce((cells, variable) => cells * sizes[variable]!, 1) <= MOST_CELLS) continue;
    throw new InvalidConfigError(
      'too-many-cells',
      `File ${from + f + 1} of the prior is on so many variables that their cells cannot be numbered: expected fewer columns.`,
    );
  }
  const positive = positiveWeights(combinations, sizes, weights);
  if (!positive.every((isPositive) => isPositive)) {
    throw new InvalidTableError(
      'prior-excludes-records',
      'some records have no weight under the prior; expected none, since nothing that is released could bring an intruder to a value that is impossible to them: give every value that a record has a weight above 0',
    );
  }
}
