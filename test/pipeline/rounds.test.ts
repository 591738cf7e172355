import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { readColumns } from '../../shared/artifacts/stored-part.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { aggregateRun } from '../../shared/pipeline/results/aggregate-run.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { expectedAgreement, halfAgreement } from '../../shared/risk/attribute/attribute-summary.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
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
    const { store, keys, plan, summary } = await summaryOf({ reproducibility: { of: 'probability', target } });
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

  it.each([
    ['adds chains where ranks need them', { classes: 6 }, { burnIn: 10, draws: 4, pairedDraws: 4 }],
    // One class has one mode, so that its chains agree.
    ['adds none where they do not', { classes: 1 }, { burnIn: 10, draws: 60, pairedDraws: 60 }],
  ] as const)('of the default precision %s', async (_, model, lengths) => {
    const config = configSchema.parse({ model, synthesis: { datasets: 2 }, mcmc: { ...lengths, thin: 1 } });
    const run = await runInMemory({ ...request({}), config });
    const { rounds } = await readJson(run.store, run.keys.confidential.summary, summarySchema);
    const [first] = rounds;
    expect(first).toMatchObject({ of: 'rank', target: 0.97, chains: 32, pairedChains: 24 });
    if (model.classes === 1) {
      expect(first!.reproducibility).toBeGreaterThanOrEqual(0.97);
      expect(rounds).toHaveLength(1);
    } else {
      expect(first!.reproducibility).toBeLessThan(0.97);
      expect(rounds.length).toBeGreaterThan(1);
      const { chains, pairedChains } = rounds.at(-1)!;
      expect(chains + 2 * pairedChains).toBeLessThanOrEqual(4 * (32 + 2 * 24));
    }
  });

  it.each([
    ['rank', 'halfRanks', 'rankReproducibility'],
    ['probability', 'halfProbabilities', 'reproducibility'],
  ] as const)('judge by the %s where that is asked for', async (of, halves, figure) => {
    const { store, plan, summary } = await summaryOf({ reproducibility: { of, target: 0.7 } });
    for (const judgement of summary.rounds) {
      const correlations = await halfAgreement(readColumns(store, plan, judgement.round, { name: halves }));
      expect(judgement).toMatchObject({
        of,
        target: 0.7,
        reproducibility: expectedAgreement(correlations, 'all'),
        baseReproducibility: expectedAgreement(correlations, 'all', 'base'),
      });
    }
    expect(summary.rounds.at(-1)!.outcome).toBe('reached');
    expect(summary.attributeRisk[0]![figure]).toBe(summary.rounds.at(-1)!.reproducibility);
    const { rankReproducibility, reproducibility } = summary.attributeRisk[0]!;
    expect(rankReproducibility).not.toBe(reproducibility);
  });

  it('end at the limit on chains, and say what a further step would take', async () => {
    const { summary } = await summaryOf({ reproducibility: 0.999, maxChains: 12 });
    const last = summary.rounds.at(-1)!;
    expect(last.outcome).toBe('max-chains');
    expect(last.chains + 2 * last.pairedChains).toBeLessThanOrEqual(12);
    expect(last.next!.work).toBeGreaterThan(0);
    const warning = summary.warnings.find(({ code }) => code === 'reproducibility-not-reached')!;
    const { chains, pairedChains, reproducibility } = last.next!;
    for (const part of [
      'The ranks of two evaluations were to correlate by 0.999',
      `${last.chains} base chains and ${last.pairedChains} paired chains of each dataset reach ${last.reproducibility!.toFixed(3)}`,
      'no more than 12 base chains and pairs',
      `${chains} base chains and ${pairedChains} paired chains of each dataset are expected to reach ${reproducibility.toFixed(3)}`,
      `--max-chains ${chains + 2 * pairedChains}`,
    ]) {
      expect(warning.message).toContain(part);
    }
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

  it.each([
    // Paired chains are added, where the error of `augmented` is; `importance` has base chains alone.
    ['augmented', 'pairedChains'],
    ['importance', 'chains'],
  ] as const)('give a run by %s with more chains from the start the same estimate as one that grew to them', async (estimator, added) => {
    const of = async (mcmc: object) => {
      const config = smallConfig({ mcmc, attributeRisk: { estimator } });
      const run = await runInMemory({ ...request({}), config });
      const summary = await readJson(run.store, run.keys.confidential.summary, summarySchema);
      const tables = ['attribute-risk', 'variable-risk'].map((file) => run.store.get(run.keys.confidential.table(file).csv));
      return { summary, tables: await Promise.all(tables) };
    };
    const grown = await of({ reproducibility: 0.8, maxChains: 60 });
    const { chains, pairedChains } = grown.summary.rounds.at(-1)!;
    expect({ chains, pairedChains }[added]).toBeGreaterThan({ chains: 3, pairedChains: 2 }[added]);
    const whole = await of({ chains, pairedChains });
    expect(whole.summary.attributeRisk).toEqual(grown.summary.attributeRisk);
    expect(whole.summary.model).toEqual(grown.summary.model);
    expect(whole.tables).toEqual(grown.tables);
  });

  it.each(['one-change', 'all-cells'])(
    'leave results that rest on the parts of the last alone, with the candidates %s',
    async (candidates) => {
      const config = smallConfig({ mcmc: { reproducibility: 0.9, maxChains: 20 }, attributeRisk: { candidates } });
      const { store, plan, keys } = await runInMemory({ ...request({}), config });
      const { rounds } = await readJson(store, keys.confidential.summary, summarySchema);
      expect(rounds.length).toBeGreaterThan(1);
      const copy = new MemoryStore();
      for (const key of await store.list('')) {
        const ofEarlier = rounds.slice(0, -1).some((_, r) => key.startsWith(`${keys.parts}${r + 1}/`));
        const isResult = /\/confidential\/.*\.(csv|parquet|html)$|\/(summary|utility)\.json$/.test(key);
        if (!ofEarlier && !isResult) await copy.put(key, await store.get(key));
      }
      await aggregateRun(copy, plan);
      await reportRun(copy, plan);
      expect(await hashesBelow(copy, plan, 'confidential/')).toEqual(await hashesBelow(store, plan, 'confidential/'));
    },
  );
});
