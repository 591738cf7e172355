import { drawBytes } from '../../../artifacts/stored-draws.ts';
import { earlySchedule, keepsLatent } from '../../../contracts/config/config.ts';
import { categorySizes } from '../../../table/category-sizes.ts';
import { chainsNeeded, lesserChains } from '../../rounds/chains-needed.ts';
import type { Chains } from '../chain-model.ts';
import {
  combinationTextBytes,
  expectedNewCombinations,
  indexBytes,
  type RunSizes,
  recordsBytes,
  rowsBytes,
  type TaskBytes,
} from '../run-sizes.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/**
 * What tasks on combinations take.
 *
 * @param chains null for a model without chains, whose datasets are drawn from the table alone
 */
export function chainBytes(run: RunSizes, chains: Chains | null): TaskBytes {
  const { plan, schema } = run;
  const combinations = run.combinations!;
  const { mcmc } = plan.config;
  const { count, variables } = combinations;
  const { base, pairs, sides } = chainsNeeded(plan);
  const lesser = lesserChains(plan, mcmc);
  const records = recordsBytes(plan);
  const stacked = records > 0 ? plan.table.records : count + expectedNewCombinations(combinations);
  const categories = categorySizes(schema).reduce((sum, size) => sum + size, 0);
  const latent = chains?.latentNumbers(plan.config, schema, plan.classes) ?? 0;
  const storedBytes = drawBytes(plan, categories, count);
  const stateBytes = plan.classes * (1 + categories) * DOUBLE + latent * DOUBLE;
  const baseBytes = storedBytes + (keepsLatent(plan.config) ? latent * DOUBLE : 0);
  /** A chain on so many combinations: the walking order, here and in the kernel, and room to find it. */
  const chain = (rows: number) => rows * (2 * (4 * variables + 6) + 5 * 4) + 4 * stateBytes;
  /** Draws of a chain as they are kept, and as they are written or read. */
  const draws = (kept: number, bytes: number) => 2 * kept * bytes;
  const early = earlySchedule(plan.config)?.draws ?? 0;
  const scored = Math.max(draws(mcmc.draws, baseBytes), pairs > 0 ? draws(mcmc.pairedDraws, storedBytes) : 0);
  const text = combinationTextBytes(schema, combinations);
  const table = rowsBytes(count, variables);
  return {
    fit: table + chain(count) + draws(mcmc.draws, baseBytes),
    // A dataset has about as many combinations as the table; each is made into text once, twice over for a moment.
    synthesize: table + chain(count) + indexBytes(count, variables) + records + (4 + text) * plan.table.records + 2 * text * count,
    augment:
      table +
      2 * records +
      indexBytes(stacked, variables) +
      chain(stacked) +
      chain(count) +
      2 * draws(Math.max(mcmc.pairedDraws, lesser > 0 ? mcmc.draws : 0), storedBytes),
    held: table + 2 * records + scored,
    stored:
      base * (mcmc.draws * baseBytes + early * storedBytes) +
      pairs * sides.length * mcmc.pairedDraws * storedBytes +
      lesser * mcmc.draws * storedBytes,
  };
}
