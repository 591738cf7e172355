import { type Config, priorFiles } from '../../contracts/config/config.ts';
import { InvalidConfigError, InvalidTableError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { refuseUnreadPrior } from '../../contracts/settings/refuse-unread-files.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { positiveWeights } from '../../risk/prior/listed-priors.ts';
import { type PriorWeights, readPriorWeights } from '../../risk/prior/prior-weights.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';

/** The files of a planned run's prior, in order; none where it needs none. */
export type PlannedPrior = readonly { readonly sha256: string; readonly weights: PriorWeights }[];

/** Cells of a file's variables at most, so that they can be numbered. */
const MOST_CELLS = Number.MAX_SAFE_INTEGER;

/**
 * Reads the files of a run's prior and holds the table to them.
 *
 * @param files bytes of the files that `attributeRisk.prior` names
 * @throws UnsupportedOptionError `prior-unread` when files are named, and not there to be read
 * @throws InvalidTableError as {@link readPriorWeights} does; `prior-excludes-records` where a record weighs nothing
 * @throws InvalidConfigError `too-many-cells` where a file has more cells than can be numbered
 */
export async function planPrior(
  config: Config,
  files: readonly Uint8Array[] | undefined,
  schema: TableSchema,
  { combinations, combinationOfRecord }: CombinationsOfRecords,
): Promise<PlannedPrior> {
  if (files === undefined) {
    refuseUnreadPrior(config);
    return [];
  }
  const named = priorFiles(config.attributeRisk.prior).length;
  if (files.length !== named)
    throw new RangeError(`${named} files of a prior are named, ${files.length} given`);
  const sizes = categorySizes(schema);
  const planned = await Promise.all(
    files.map(async (bytes, f) => ({
      sha256: await sha256(bytes),
      weights: readPriorWeights(bytes, schema, f + 1),
    })),
  );
  const weights = planned.map((file) => file.weights);
  for (const [f, { variables }] of weights.entries()) {
    if (variables.reduce((cells, variable) => cells * sizes[variable]!, 1) <= MOST_CELLS) continue;
    throw new InvalidConfigError(
      'too-many-cells',
      `File ${f + 1} of the prior is on so many variables that their cells cannot be numbered: expected fewer columns.`,
    );
  }
  const positive = positiveWeights(combinations, sizes, weights);
  const excluded = combinationOfRecord.reduce((sum, combination) => sum + (positive[combination] ? 0 : 1), 0);
  if (excluded > 0) {
    throw new InvalidTableError(
      'prior-excludes-records',
      `records that have no weight under the prior: ${excluded}; expected none, since nothing that is released could bring an intruder to a value that is impossible to him: give every value that a record has a weight above 0`,
    );
  }
  return planned;
}
