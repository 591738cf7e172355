import { expect, it } from 'vitest';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { chainCosts } from '../../../shared/pipeline/rounds/chain-limit.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

const table = smallTable();
const other = smallTable({ records: 40 });
const mcmc = { burnIn: 11, draws: 5, thin: 2, pairedDraws: 6, pairedThin: 3 };

// A draw that is scored costs 8 iterations, an iteration on the stacked table 2.
const BASE = 11 + 5 * (2 + 8);
const STACKED = 6 * (2 * 3 + 8);
const ALONE = 6 * (3 + 8);

it.each([
  ['augmented', {}, 2 * (STACKED + ALONE)],
  ['parameters', {}, 2 * ALONE],
  ['importance', {}, 0],
  // Stacked chains are fresh, and burn in.
  [
    'augmented',
    { purpose: 'assess' as const, datasets: { origin: 'elsewhere' as const, files: [other, other] } },
    2 * (2 * 11 + STACKED + ALONE),
  ],
])('chains of %s cost their iterations on the table (%#)', async (estimator, request: Partial<RunRequest>, pairs) => {
  const config = smallConfig({ mcmc, attributeRisk: { estimator } });
  const { plan } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', table, config, ...request });
  expect(chainCosts(plan)).toEqual({ base: BASE, pairs });
});
