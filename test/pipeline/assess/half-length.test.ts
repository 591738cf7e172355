import { expect, it } from 'vitest';
import { createReferenceScorer } from '../../../bench/plain/likelihood-ratio-reference.ts';
import { contextOfScenario, readRunContext } from '../../../shared/artifacts/run-context.ts';
import { readDraws } from '../../../shared/artifacts/stored-draws.ts';
import { readFigures } from '../../../shared/artifacts/stored-part.ts';
import { someDraws } from '../../../shared/model/chains/chain-draws.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { ratioMeans } from '../../../shared/risk/scoring/ratio-means.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { runFigures, smallConfig, smallTable } from '../small-run.ts';

const table = smallTable();
const files = [smallTable({ records: 45 }), smallTable({ records: 50 })];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

it.each([
  ['its own', {}, (values: number[]) => Math.log(mean(values))],
  // Chains are compared one by one.
  [
    'elsewhere',
    { purpose: 'assess' as const, datasets: { origin: 'elsewhere' as const, files } },
    (values: number[]) => mean(values.map(Math.log)),
  ],
])(
  'the probability at half the length is that of the first half of each paired chain, for datasets made %s',
  async (_, request: Partial<RunRequest>, pool) => {
    const { store, plan } = await runFigures({
      ...TEST_KEYS,
      purpose: 'evaluate',
      config: smallConfig({ mcmc: { pairedDraws: 7 }, attributeRisk: { phi: 'drawn' } }),
      table,
      ...request,
    });
    const { space, table: stored } = contextOfScenario(await readRunContext(store, plan.runId), 1);
    const { codes, variables } = stored.combinations;
    const figures = await readFigures(store, plan, 1);
    for (const row of [0, 9, 30]) {
      const scorer = createReferenceScorer(space, codes.slice(row * variables, (row + 1) * variables));
      const logs = new Array<number>(space.perCombination).fill(0);
      for (const [side, coefficient] of [
        ['stacked', 1],
        ['alone', -1],
      ] as const) {
        for (const dataset of [1, 2]) {
          const means = await Promise.all(
            [1, 2].map(async (chain) => {
              const draws = await readDraws(store, plan.runId, `${side}/${dataset}/${chain}`);
              // Four of seven.
              return ratioMeans(scorer, someDraws(draws, 0, 4), space.perCombination).mean;
            }),
          );
          for (const x of logs.keys()) logs[x]! += coefficient * pool(means.map((of) => of[x]!));
        }
      }
      const weights = logs.map((value) => Math.exp(value - logs[0]!));
      expect(figures.halfLengthProbability[row]).toBeCloseTo(1 / weights.reduce((sum, w) => sum + w, 0), 10);
      expect(figures.halfLengthProbability[row]).not.toBeCloseTo(figures.probability[row]!, 10);
    }
  },
);
