import { beforeAll, describe, expect, it } from 'vitest';
import { decodeNpy } from '../../../shared/arrays/npy.ts';
import { readDataset } from '../../../shared/artifacts/stored-dataset.ts';
import { readDraws } from '../../../shared/artifacts/stored-draws.ts';
import { readFigures } from '../../../shared/artifacts/stored-part.ts';
import { readRecordDataset, readRecordTable } from '../../../shared/artifacts/stored-table.ts';
import { stateOfDraw } from '../../../shared/model/chains/sample-chain.ts';
import type { Chains } from '../../../shared/pipeline/synthesizers/chain-model.ts';
import { openChainRun } from '../../../shared/pipeline/synthesizers/chains/combination-run.ts';
import { synthesizerOf } from '../../../shared/pipeline/synthesizers/synthesizers.ts';
import { paretoShape } from '../../../shared/risk/scoring/weight-tails.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runFigures, smallConfig, smallTable } from '../small-run.ts';

const CHAINS = [1, 2, 3];
const DRAWS = 12;
const DATASETS = [1, 2, 3];

describe.each([
  ['all variables are synthesized', {}],
  ['some are kept', { synthesized: ['education', 'employment'] }],
])('by `importance`, where %s', (_, synthesis) => {
  let run: Awaited<ReturnType<typeof runFigures>>;
  /** Of each dataset, the log weights of the draws of all base chains. */
  let logWeights: number[][];

  beforeAll(async () => {
    run = await runFigures({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: smallConfig({
        mcmc: { draws: DRAWS },
        synthesis: { datasets: DATASETS.length, ...synthesis },
        attributeRisk: { estimator: 'importance' },
      }),
      table: smallTable(),
    });
    const { store, keys } = run;
    const chains = await Promise.all(
      CHAINS.map(async (chain) => {
        const { data, shape } = decodeNpy(await store.get(keys.logWeights(chain)));
        expect(shape).toEqual([DATASETS.length, DRAWS]);
        return data as Float64Array;
      }),
    );
    logWeights = DATASETS.map((l) => chains.flatMap((weights) => [...weights.subarray((l - 1) * DRAWS, l * DRAWS)]));
  });

  it('a draw weighs what it gives the dataset, beside the table where records have classes of their own', async () => {
    const { store, plan } = run;
    const { table, bind, bindBeside, synthesized } = await openChainRun(store, {
      plan,
      chains: synthesizerOf(plan.config).chains as Chains,
    });
    for (const [l, found] of logWeights.entries()) {
      const isPartial = synthesized !== null;
      const records = isPartial ? await readRecordTable(store, plan) : null;
      const model = records
        ? bindBeside(records, await readRecordDataset(store, plan, l + 1, records))
        : bind((await readDataset(store, plan.runId, l + 1)).combinations);
      const alone = bind(table.combinations);
      for (const chain of CHAINS) {
        const draws = await readDraws(store, plan.runId, `base/${chain}`);
        for (let draw = 0; draw < DRAWS; draw++) {
          const state = stateOfDraw(draws, draw);
          const expected = model.logLikelihood(state) - (isPartial ? alone.logLikelihood(state) : 0);
          expect(found[(chain - 1) * DRAWS + draw]! / expected).toBeCloseTo(1, 10);
        }
      }
    }
  });

  it('effective draws and Pareto k are those of the dataset that is worst served', async () => {
    const figures = await readFigures(run.store, run.plan, 1);
    const effective = logWeights.map((logs) => {
      const weights = logs.map((value) => Math.exp(value - Math.max(...logs)));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return (sum * sum) / weights.reduce((total, weight) => total + weight * weight, 0);
    });
    const shapes = logWeights.map((logs) => paretoShape(Float64Array.from(logs)));
    expect(new Set(effective).size).toBe(DATASETS.length);
    expect(new Set(shapes).size).toBe(DATASETS.length);
    for (const value of figures.effectiveDraws) expect(value).toBeCloseTo(Math.min(...effective), 8);
    for (const value of figures.paretoK) expect(value).toBeCloseTo(Math.max(...shapes), 8);
  });
});
