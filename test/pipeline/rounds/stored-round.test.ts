import { beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../../shared/contracts/run/plan.ts';
import { firstRound } from '../../../shared/pipeline/rounds/chains-needed.ts';
import { currentRound, readJudgements, readProgress, readRoundChains } from '../../../shared/pipeline/rounds/stored-round.ts';
import { roundTasks } from '../../../shared/pipeline/synthesizers/round-tasks.ts';
import { readRoundTasks, storeAssessTasks } from '../../../shared/pipeline/tasks/stored-tasks.ts';
import { MemoryStore } from '../../../shared/storage/memory-store.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runFigures, smallConfig, smallTable } from '../small-run.ts';

const DATASETS = 2;

const evaluate = (mcmc: object, attributeRisk: object = {}) =>
  runFigures({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig({ mcmc, attributeRisk }), table: smallTable(), batchSize: 10 });
type Run = Awaited<ReturnType<typeof evaluate>>;

/** A run's store without some of its keys. */
async function storeWithout({ store }: Run, ...missing: string[]): Promise<MemoryStore> {
  const copy = new MemoryStore();
  for (const key of await store.list('')) {
    if (!missing.includes(key)) await copy.put(key, await store.get(key));
  }
  return copy;
}

const assessTasks = async (store: MemoryStore, { keys }: Run, round: number): Promise<Task[]> =>
  JSON.parse(new TextDecoder().decode(await store.get(keys.tasks.assess(round))));

describe('the rounds of a run', () => {
  let run: Run;
  let last: number;

  beforeAll(async () => {
    run = await evaluate({ reproducibility: 0.8 });
    last = (await readJudgements(run.store, run.plan.runId)).length;
  });

  it('each have the chains that the one before asked for, and add what that had not', async () => {
    const { store, plan } = run;
    expect(last).toBeGreaterThan(1);
    const judged = await readJudgements(store, plan.runId);
    expect(judged.map(({ outcome }) => outcome)).toEqual([...Array(last - 1).fill(null), 'reached']);
    let earlier = { chains: 0, pairedChains: 0 };
    for (const [r, { chains, pairedChains }] of judged.entries()) {
      const round = r + 1;
      expect(await readRoundChains(store, plan, round)).toEqual({ round, chains, pairedChains });
      const { fit, synthesize, augment, assess } = await readRoundTasks(store, { runId: plan.runId, round });
      expect(fit.map((task) => task.step === 'fit' && task.chain)).toEqual(
        Array.from({ length: chains - earlier.chains }, (_, i) => earlier.chains + i + 1),
      );
      expect(synthesize).toHaveLength(round === 1 ? DATASETS : 0);
      const added = Array.from({ length: pairedChains - earlier.pairedChains }, (_, i) => earlier.pairedChains + i + 1);
      expect(augment.map((task) => task.step === 'pair' && [task.dataset, task.chain])).toEqual(
        [1, 2].flatMap((dataset) => added.map((chain) => [dataset, chain])),
      );
      expect(assess).toEqual(plan.batches.map(({ batch }) => ({ step: 'assess', runId: plan.runId, round, batch })));
      earlier = { chains, pairedChains };
    }
  });

  it('are known from what is stored: the first that is not judged, or the last', async () => {
    const { plan, keys } = run;
    expect(await currentRound(run.store, plan)).toBe(last);
    const rounds = Array.from({ length: last }, (_, r) => keys.round(r + 1));
    for (let round = 1; round <= last; round++) {
      expect(await currentRound(await storeWithout(run, ...rounds.slice(round - 1)), plan)).toBe(round);
    }
  });

  it('have the batches to assess whose parts are not whole, of that round alone', async () => {
    const { plan, keys } = run;
    expect(plan.batches.length).toBeGreaterThan(2);
    const store = await storeWithout(run, keys.part(last, 2).columns, keys.part(last, 3).halfRanks);
    for (const [round, batches] of [
      [1, []],
      [last, [2, 3]],
    ] as const) {
      await storeAssessTasks(store, { runId: plan.runId, round });
      const missing = batches.map((batch) => ({ step: 'assess', runId: plan.runId, round, batch }));
      expect(await assessTasks(store, run, round)).toEqual(missing);
    }
  });

  it('tell how many of their chains have left their draws', async () => {
    const { plan, keys } = run;
    const now = await readRoundChains(run.store, plan, last);
    const total = now.chains + 2 * DATASETS * now.pairedChains;
    const progressWithout = async (round: number, ...missing: string[]) => {
      const store = await storeWithout(run, ...missing);
      await storeAssessTasks(store, { runId: plan.runId, round });
      return readProgress(store, plan.runId);
    };
    expect(await progressWithout(last)).toEqual({ round: last, chains: { done: total, total } });
    const lost = ['base/2', 'stacked/1/1', 'alone/2/1'].map((name) => keys.draws(name));
    expect(await progressWithout(last, ...lost)).toEqual({ round: last, chains: { done: total - 3, total } });
    // Chains of later rounds, as of a run that is taken up again, are no more than all of an earlier one.
    const first = firstRound(plan);
    const ofFirst = first.chains + 2 * DATASETS * first.pairedChains;
    expect(await progressWithout(1)).toEqual({ round: 1, chains: { done: ofFirst, total: ofFirst } });
  });
});

it('the weights of `importance` are no draws, and its chains have no pairs', async () => {
  const run = await evaluate({}, { estimator: 'importance' });
  const { store, plan } = run;
  await storeAssessTasks(store, { runId: plan.runId, round: 1 });
  expect(await readProgress(store, plan.runId)).toEqual({ round: 1, chains: { done: 3, total: 3 } });
  const { augment } = roundTasks(plan, firstRound(plan));
  expect(augment).toEqual([1, 2, 3].map((chain) => ({ step: 'weigh', runId: plan.runId, chain })));
});
