import { type Config, priorFiles } from '../../contracts/config/config.ts';
import { InvalidConfigError, InvalidTableError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { refuseUnreadPrior } from '../../contracts/settings/refuse-unread-files.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { positiveWeights } from '../../risk/prior/listed-priors.ts';
import { type PriorWeights, readPriorWeights } from '../../risk/prior/prior-weights.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';

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
      'some records have no weight under the prior; expected none, since nothing that is released could bring an intruder to a value that is impossible to him: give every value that a record has a weight above 0',
    );
  }
}
