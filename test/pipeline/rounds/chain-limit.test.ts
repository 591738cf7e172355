import { describe, expect, it } from 'vitest';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { dearestChains, mostChains } from '../../../shared/pipeline/rounds/chain-limit.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

type Purpose = 'evaluate' | 'synthesize' | 'calibrate';

/** A plan of 3 base chains and two pairs for each of two datasets, 7 in all. */
const planOf = async (mcmc: object, attributeRisk: object = {}, purpose: Purpose = 'evaluate') =>
  (
    await planRun({
      ...TEST_KEYS,
      purpose,
      config: smallConfig({ mcmc, attributeRisk, calibration: { targets: 10, replicates: 1 } }),
      table: smallTable(),
    })
  ).plan;

describe('mostChains()', () => {
  it.each([
    [{}, {}, 7],
    [{ reproducibility: 0.9 }, {}, 1000],
    [{ reproducibility: 0.9, maxChains: 12 }, {}, 12],
    // Chains of the first round are there, whatever the limit.
    [{ reproducibility: 0.9, maxChains: 5 }, {}, 7],
    [{ reproducibility: 0.9, maxChains: { times: 2.5 } }, {}, 17],
    [{ reproducibility: 0.9, maxChains: { times: 4 } }, { estimator: 'importance' }, 12],
    [{ reproducibility: 0.9, maxChains: { times: 4 } }, { candidates: 'all-cells' }, 7],
    [{ reproducibility: 0.9, maxChains: 12 }, { candidates: 'all-cells' }, 12],
  ])('of %j and %j is the limit on base chains and pairs', async (mcmc, attributeRisk, most) => {
    expect(mostChains(await planOf(mcmc, attributeRisk))).toBe(most);
  });

  it('is what the first round has where none follows', async () => {
    const mcmc = { reproducibility: 0.9 };
    expect(mostChains(await planOf(mcmc, {}, 'calibrate'))).toBe(7);
    expect(mostChains(await planOf(mcmc, {}, 'synthesize'))).toBe(0);
  });
});

describe('dearestChains()', () => {
  it('spends the limit on the kind of chain that costs more', async () => {
    const limited = { reproducibility: 0.9, maxChains: 12 };
    // A pair costs 4 (2 + 8) + 4 (1 + 8) iterations, a base chain 10 + 4 (2 + 8).
    expect(dearestChains(await planOf(limited))).toEqual({ chains: 3, pairedChains: 4 });
    expect(dearestChains(await planOf({ ...limited, burnIn: 1000 }))).toEqual({ chains: 8, pairedChains: 2 });
    expect(dearestChains(await planOf(limited, { estimator: 'importance' }))).toEqual({ chains: 12, pairedChains: 2 });
    expect(dearestChains(await planOf({}))).toEqual({ chains: 3, pairedChains: 2 });
  });
});
