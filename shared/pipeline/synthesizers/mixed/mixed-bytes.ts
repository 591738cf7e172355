import { drawBytes } from '../../../artifacts/stored-draws.ts';
import { earlySchedule, keepsLatent } from '../../../contracts/config/config.ts';
import { latentNumbers, sumNumbers } from '../../../model/mixed/mixed-draws.ts';
import { mixedView } from '../../../model/mixed/mixed-view.ts';
import { recordBytes } from '../../../table/record-bytes.ts';
import { chainsNeeded, lesserChains } from '../../rounds/chains-needed.ts';
import { type RunSizes, recordTextBytes, type TaskBytes } from '../run-sizes.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Bytes of a draw as base chains and pairs store it, and of what else a chain goes on from. */
function mixedDrawBytes({ plan, schema }: Pick<RunSizes, 'plan' | 'schema'>) {
  const { sizes, continuous } = mixedView(schema, plan.config.variables);
  const categories = sizes.reduce((sum, size) => sum + size, 0);
  const latent = latentNumbers(continuous.length, plan.classes) * DOUBLE;
  const sums = sumNumbers(continuous.length, plan.classes) * DOUBLE;
  const stored = drawBytes(plan, categories, plan.table.records) + sums;
  // Chains of intruders who know less keep no record's class.
  const ofClasses = drawBytes(plan, categories, 0) + sums;
  return { stored, ofClasses, latent, base: stored + (keepsLatent(plan.config) ? latent : 0) };
}

/** What tasks on records take. */
export function mixedBytes(run: RunSizes): TaskBytes {
  const { plan, schema } = run;
  const { records } = plan.table;
  const { mcmc } = plan.config;
  const { sizes, continuous } = mixedView(schema, plan.config.variables);
  const { base, pairs, sides } = chainsNeeded(plan);
  const lesser = lesserChains(plan, mcmc);
  const { stored, ofClasses, latent, base: baseBytes } = mixedDrawBytes(run);
  const table = records * recordBytes(schema);
  /** Rows as the model has them, and again in the kernel with where their parameters are. */
  const chain = (rows: number) => rows * (6 * sizes.length + (8 + 16) * continuous.length) + 8 * (stored + latent);
  const draws = (kept: number, bytes: number) => 2 * kept * bytes;
  const early = earlySchedule(plan.config)?.draws ?? 0;
  const sidesAtOnce = sides.includes('stacked') ? 2 * records : 0;
  return {
    fit: table + chain(records) + draws(mcmc.draws + early, baseBytes),
    synthesize:
      table +
      2 * chain(records) +
      draws(plan.config.synthesis.datasets, stored + latent) +
      records * (recordBytes(schema) + 2 * recordTextBytes(schema)),
    augment: 2 * table + chain(sidesAtOnce) + chain(records) + 2 * draws(Math.max(mcmc.pairedDraws, lesser > 0 ? mcmc.draws : 0), stored),
    held: table + Math.max(draws(mcmc.draws, baseBytes), pairs > 0 ? draws(mcmc.pairedDraws, stored) : 0),
    stored:
      base * (mcmc.draws * baseBytes + early * stored) + pairs * sides.length * mcmc.pairedDraws * stored + lesser * mcmc.draws * ofClasses,
  };
}
