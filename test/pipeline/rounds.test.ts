import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { hashesBelow, runInMemory, smallConfig, smallTable } from './small-run.ts';

const request = (mcmc: object, batchSize?: number) => ({
  ...TEST_KEYS,
  purpose: 'evaluate' as const,
  config: smallConfig({ mcmc }),
  table: smallTable(),
  ...(batchSize ? { batchSize } : {}),
});

async function summaryOf(mcmc: object) {
  const run = await runInMemory(request(mcmc));
  return { ...run, summary: await readJson(run.store, run.keys.confidential.summary, summarySchema) };
}

describe('rounds of chains', () => {
  it('end with the first when no reproducibility is asked for', async () => {
    const { store, keys, summary } = await summaryOf({});
    expect(summary.rounds).toHaveLength(1);
    expect(summary.rounds[0]).toMatchObject({ round: 1, chains: 3, pairedChains: 2, outcome: 'not-asked' });
    expect(await store.head(keys.round(2))).toBeNull();
  });

  it('go on until the reproducibility of the file is reached', async () => {
    const target = 0.8;
    const { store, keys, plan, summary } = await summaryOf({ reproducibility: target });
    const { rounds } = summary;
    expect(rounds.length).toBeGreaterThan(1);
    const last = rounds.at(-1)!;
    expect(last.outcome).toBe('reached');
    expect(last.reproducibility).toBeGreaterThanOrEqual(target);
    for (const [r, round] of rounds.slice(0, -1).entries()) {
      expect(round.outcome).toBeNull();
      expect(round.reproducibility).toBeLessThan(target);
      const { chains, pairedChains } = round.next!;
      expect(rounds[r + 1]).toMatchObject({ chains, pairedChains });
    }
    // What the summary tells is of the last round's chains.
    expect(summary.model.chains).toBe(last.chains);
    expect(summary.attributeRisk[0]!.reproducibility).toBe(last.reproducibility);
    const draws = await store.list(`${keys.allDraws}base/`);
    expect(draws.filter((key) => key.endsWith('.npz'))).toHaveLength(last.chains);
    for (let l = 1; l <= plan.datasets.count; l++) {
      const paired = await store.list(`${keys.allDraws}stacked/${l}/`);
      expect(paired.filter((key) => key.endsWith('.npz'))).toHaveLength(last.pairedChains);
    }
  });

  it('end at the limit on chains, and say what a further step would take', async () => {
    const { summary } = await summaryOf({ reproducibility: 0.999, maxChains: 12 });
    const last = summary.rounds.at(-1)!;
    expect(last.outcome).toBe('max-chains');
    expect(last.chains + 2 * last.pairedChains).toBeLessThanOrEqual(12);
    expect(last.next!.work).toBeGreaterThan(0);
    expect(summary.warnings.map(({ code }) => code)).toContain('reproducibility-not-reached');
  });

  it('leave the same bytes whatever the batches', async () => {
    const settings = { reproducibility: 0.8 };
    const [one, other] = [await runInMemory(request(settings)), await runInMemory(request(settings, 7))];
    const [first, second] = await Promise.all(
      [one, other].map(({ store, plan }) => hashesBelow(store, plan, 'rounds/', 'confidential/', 'draws/')),
    );
    expect(first).toEqual(second);
    expect(Object.keys(first!)).toContain('rounds/2.json');
  });

  it('give a run with more chains from the start the same estimate as one that grew to them', async () => {
    const grown = await summaryOf({ reproducibility: 0.8 });
    const { chains, pairedChains } = grown.summary.rounds.at(-1)!;
    const whole = await summaryOf({ chains, pairedChains });
    expect(whole.summary.attributeRisk).toEqual(grown.summary.attributeRisk);
  });
});
