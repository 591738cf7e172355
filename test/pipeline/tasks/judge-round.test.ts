import { describe, expect, it } from 'vitest';
import { encodeCheckedNpy } from '../../../shared/arrays/checked-npy.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { judgementSchema } from '../../../shared/contracts/run/round.ts';
import { rankCorrelation } from '../../../shared/numeric/rank-correlation.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { chainsToReach, expectedWith, withinLimit } from '../../../shared/pipeline/rounds/chain-growth.ts';
import { chainCosts } from '../../../shared/pipeline/rounds/chain-limit.ts';
import { judgeRound } from '../../../shared/pipeline/tasks/judge-round.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { columnsOf, expectedAgreement } from '../../../shared/risk/attribute/attribute-summary.ts';
import { HALF_SPLITS, WHOLE_SPLITS } from '../../../shared/risk/attribute/chain-evaluations.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { COUNT_SETTINGS, smallConfig, smallTable } from '../small-run.ts';

const WIDTH = 2 * HALF_SPLITS;

/** Halves of rows that vary by 1, with noise of all chains in the first splits and of base chains in the others. */
function halves(rows: number, all: number, base: number, name: string): Float64Array {
  const random = new RandomStream(4, name);
  return Float64Array.from({ length: rows * WIDTH }, (_, i) => {
    const noise = i % WIDTH < 2 * WHOLE_SPLITS ? all : base;
    return Math.floor(i / WIDTH) / rows + noise * normal(random);
  });
}

type Give = (rows: number) => { ranks: Float64Array; probabilities: Float64Array };

/** Judges a first round of 3 base chains and 2 pairs for each of 2 datasets, whose halves are given, by scenario. */
async function judged(mcmc: object, give: Give, attributeRisk: object = {}, others: readonly Give[] = []) {
  const { plan } = await planRun({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig({ mcmc, attributeRisk }),
    table: smallTable(),
    batchSize: 1000,
  });
  const store = new MemoryStore();
  const rows = plan.table.combinations;
  const shape = [rows, HALF_SPLITS, 2];
  const [{ ranks, probabilities }, ...ofOthers] = [give(rows), ...others.map((one) => one(rows))];
  for (const [b, halves] of [{ ranks, probabilities }, ...ofOthers].entries()) {
    const part = runKeys(plan.runId).part(1, b + 1);
    await store.put(part.halfRanks, encodeCheckedNpy(halves.ranks, shape));
    await store.put(part.halfProbabilities, encodeCheckedNpy(halves.probabilities, shape));
  }
  const now = { round: 1, chains: 3, pairedChains: 2 };
  const next = await judgeRound(store, plan, now);
  const judgement = await readJson(store, runKeys(plan.runId).round(1), judgementSchema);
  const agreementOf = (of: Float64Array) => {
    const columns = [...columnsOf(of, WIDTH)];
    const correlations = Array.from({ length: HALF_SPLITS }, (_, split) => rankCorrelation(columns[2 * split]!, columns[2 * split + 1]!));
    return { all: expectedAgreement(correlations, 'all')!, base: expectedAgreement(correlations, 'all', 'base')! };
  };
  const costs = chainCosts(plan);
  /** What is offered when the agreement is to reach a goal. */
  const offer = (of: Float64Array, goal: number, most = Infinity) => {
    const wanted = withinLimit(now, chainsToReach(goal, agreementOf(of), now, costs), most, 2);
    const work = (numbers: typeof wanted) => numbers.chains * costs.base + numbers.pairedChains * costs.pairs;
    return { ...wanted, reproducibility: expectedWith(agreementOf(of), now, wanted), work: work(wanted) / work(now) - 1 };
  };
  return { judgement, next, ranks, probabilities, agreementOf, offer };
}

const noisy = (rows: number) => ({ ranks: halves(rows, 0.06, 0.03, 'ranks'), probabilities: halves(rows, 0.07, 0.03, 'probabilities') });

/** Halves of rows that are all alike. */
const still: Give = (rows) => {
  const own = new Float64Array(rows * WIDTH).fill(1);
  return { ranks: own, probabilities: own };
};

describe('judgeRound()', () => {
  it.each([
    ['rank', 'ranks'],
    ['probability', 'probabilities'],
  ] as const)('asks for chains that should bring the %s beyond its target', async (of, name) => {
    const target = 0.97;
    const found = await judged({ reproducibility: { of, target } }, noisy);
    const { all, base } = found.agreementOf(found[name]);
    expect(all).toBeLessThan(target);
    expect(base).toBeGreaterThan(all);
    const next = found.offer(found[name], 1 - 0.85 * (1 - target));
    expect(found.judgement).toEqual({
      ...{ round: 1, chains: 3, pairedChains: 2, of, target, outcome: null, next },
      reproducibility: all,
      baseReproducibility: base,
    });
    expect(found.next).toEqual({ round: 2, chains: next.chains, pairedChains: next.pairedChains });
  });

  it('ends where the target is reached, or none is asked for, and offers to halve what is missing', async () => {
    for (const [reproducibility, of, outcome] of [
      [{ of: 'probability', target: 0.5 }, 'probabilities', 'reached'],
      ['off', 'ranks', 'not-asked'],
    ] as const) {
      const found = await judged({ reproducibility }, noisy);
      const { all } = found.agreementOf(found[of]);
      expect(found.next).toBeNull();
      expect(found.judgement).toMatchObject({ outcome, reproducibility: all });
      expect(found.judgement.next).toEqual(found.offer(found[of], (1 + all) / 2));
    }
    const contrary = (rows: number) => {
      const own = halves(rows, 0, 0, 'none').map((value, i) => (i % 2 === 0 ? value : -value));
      return { ranks: own, probabilities: own };
    };
    const found = await judged({ reproducibility: 'off' }, contrary);
    expect(found.judgement.reproducibility).toBeLessThan(0);
    expect(found.judgement.next).toEqual(found.offer(found.ranks, 1 / 2));
  });

  it('goes as far as the limit allows, and ends there with what more would bring', async () => {
    const goal = 1 - 0.85 * (1 - 0.97);
    const some = await judged({ reproducibility: 0.97, maxChains: 12 }, noisy);
    expect(some.judgement.outcome).toBeNull();
    expect(some.judgement.next).toEqual(some.offer(some.ranks, goal, 12));
    const none = await judged({ reproducibility: 0.97, maxChains: 7 }, noisy);
    expect(none.next).toBeNull();
    expect(none.judgement.outcome).toBe('max-chains');
    expect(none.judgement.next).toEqual(none.offer(none.ranks, goal));
    // Pairs that the estimator does not have count for nothing.
    const weighed = await judged({ reproducibility: 0.99, maxChains: 5 }, noisy, { estimator: 'importance' });
    expect(weighed.next).toEqual({ round: 2, chains: 5, pairedChains: 2 });
  });

  it('judges by the scenario whose evaluations agree the least, of those in which the figure varies', async () => {
    const agreeing: Give = (rows) => {
      const own = halves(rows, 0.03, 0.01, 'agreeing');
      return { ranks: own, probabilities: own };
    };
    const scenarios = ['one', 'another', 'a third'].map((name) => ({ name, candidates: 'one-change' }));
    const of = async (...gives: [Give, ...Give[]]) => {
      const attributeRisk = { scenarios: scenarios.slice(0, gives.length) };
      const [first, ...others] = gives;
      const { judgement } = await judged({ reproducibility: 0.97 }, first, attributeRisk, others);
      return [judgement.reproducibility, judgement.baseReproducibility];
    };
    const least = await of(noisy);
    expect(least[0]).toBeLessThan((await of(agreeing))[0]!);
    expect(await of(agreeing, noisy)).toEqual(least);
    expect(await of(noisy, agreeing)).toEqual(least);
    expect(await of(still, agreeing, noisy)).toEqual(least);
    expect(await of(agreeing, noisy, still)).toEqual(least);
    expect(await of(still, still)).toEqual([null, null]);
  });

  it('ends at once where nothing is simulated, and judges no calibration', async () => {
    const config = configSchema.parse(COUNT_SETTINGS);
    const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: smallTable() });
    const store = new MemoryStore();
    const none = { round: 1, chains: 0, pairedChains: 0 };
    expect(await judgeRound(store, planned.plan, none)).toBeNull();
    expect(await readJson(store, runKeys(planned.plan.runId).round(1), judgementSchema)).toEqual({
      ...{ ...none, of: 'rank', target: null, reproducibility: null, baseReproducibility: null },
      ...{ outcome: 'not-asked', next: null },
    });
    const calibrating = { ...planned.plan, purpose: 'calibrate' as const, runId: 'calibration' };
    expect(await judgeRound(store, calibrating, none)).toBeNull();
    expect(await store.head(runKeys('calibration').round(1))).toBeNull();
  });

  it('ends where the figure does not vary, which has no agreement', async () => {
    for (const [reproducibility, outcome] of [
      [0.97, 'undefined'],
      ['off', 'not-asked'],
    ] as const) {
      const { judgement, next } = await judged({ reproducibility }, still);
      expect([judgement.outcome, judgement.next, judgement.reproducibility, next]).toEqual([outcome, null, null, null]);
    }
  });
});
