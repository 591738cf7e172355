import { describe, expect, it } from 'vitest';
import { openScenarios } from '../../../../shared/contracts/run/scenarios.ts';
import { runTerms, type StoredChains } from '../../../../shared/pipeline/assess/run-terms.ts';
import { planRun } from '../../../../shared/pipeline/plan/plan-run.ts';
import { storePlannedRun } from '../../../../shared/pipeline/plan/store-planned-run.ts';
import { firstRound } from '../../../../shared/pipeline/rounds/chains-needed.ts';
import { timedTerms } from '../../../../shared/pipeline/synthesizers/chains/scoring-seconds.ts';
import { MemoryStore } from '../../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../../test-keys.ts';
import { runFigures, smallConfig, smallTable } from '../../small-run.ts';

/** No two numbers are the same. */
const mcmc = { chains: 4, draws: 5, pairedChains: 2, pairedDraws: 6 };

const request = (attributeRisk: object) => ({
  ...TEST_KEYS,
  purpose: 'evaluate' as const,
  config: smallConfig({ mcmc, attributeRisk }),
  table: smallTable(),
});

/** How many chains a set has, each of how many draws; what is exact is one draw. */
const sizeOf = (chains: StoredChains) => ('draws' in chains ? [chains.draws.length, chains.drawsPerChain] : [1, 1]);

async function expectTermsOfRun(attributeRisk: object, isRun: boolean) {
  const planned = await planRun(request(attributeRisk));
  const { store, plan } = isRun ? await runFigures(request(attributeRisk)) : { store: new MemoryStore(), plan: planned.plan };
  if (!isRun) await storePlannedRun(store, planned);
  for (const scenario of openScenarios(plan)) {
    const terms = await runTerms(store, { plan, scenario }, firstRound(plan));
    const timed = timedTerms({ plan: planned.plan, scenario });
    expect(
      timed.map(({ coefficient, pool, chains }) => [coefficient, pool, chains.dataset ?? null, [chains.chains, chains.drawsPerChain]]),
    ).toEqual(
      terms.map(({ coefficient, pool, chains }) => [
        coefficient,
        pool,
        'generating' in chains ? chains.generating : 'constant' in chains ? null : chains.dataset,
        sizeOf(chains),
      ]),
    );
  }
}

describe('timedTerms()', () => {
  it('has the terms of the run, with as many chains and draws', async () => {
    await expectTermsOfRun({}, true);
    await expectTermsOfRun({ candidates: 'all-cells' }, true);
  });

  it('has those of the upper bound, and of an intruder who knows less', async () => {
    await expectTermsOfRun({ estimator: 'parameters' }, false);
    const scenarios = [
      { name: 'some', knows: { share: 0.4 } },
      { name: 'nothing', knows: 'nothing' },
    ];
    await expectTermsOfRun({ scenarios }, false);
  });

  it('weighs the base chains by each dataset with `importance`', async () => {
    const planned = await planRun(request({ estimator: 'importance' }));
    const [scenario] = openScenarios(planned.plan);
    const timed = timedTerms({ plan: planned.plan, scenario: scenario! });
    // The evaluator takes the prior from the one term of that name.
    expect(timed.map(({ coefficient, chains }) => ({ coefficient, ...chains }))).toEqual([
      { coefficient: 1, name: 'weighed/1', dataset: 1, chains: 4, drawsPerChain: 5 },
      { coefficient: 1, name: 'weighed/2', dataset: 2, chains: 4, drawsPerChain: 5 },
      { coefficient: -2, name: 'base', chains: 4, drawsPerChain: 5 },
    ]);
  });
});
