import { expect, it } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { estimateMixed } from '../../shared/pipeline/synthesizers/mixed/estimate-mixed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { MIXED_SETTINGS, mixedTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

it('an intruder who knows less scores each record and a thousand others under every draw of their chains', async () => {
  const attributeRisk = { scenarios: [{ name: 'a share', candidates: 'one-change', knows: { share: 0.5 } }] };
  const config = configSchema.parse({ ...MIXED_SETTINGS, attributeRisk });
  const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config, table: mixedTable() });
  const tasks = roundTasks(planned.plan, firstRound(planned.plan));
  const secondsPerCall = (call: () => void) => {
    call();
    return 1;
  };
  const { secondsPer } = estimateMixed(planned, { jobs: 1, tasks, seconds: 0.25, secondsPerCall });
  // A call scores the records of a batch under 8 draws, or evaluates them. The intruder guesses at 40, those that they do not have.
  const scored = Math.max(...planned.plan.batches.map(({ from, to }) => to - from));
  expect(scored).toBeLessThan(8);
  const draws = tasks.augment.filter(({ step }) => step === 'learn').length * config.mcmc.draws;
  expect(secondsPer.combination).toBeCloseTo((draws * (1 + 1000 / 40)) / (scored * 8) + 1 / scored, 10);
});
