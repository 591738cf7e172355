import { expect, it } from 'vitest';
import { requireTabMemory } from '../../../page/engine/tab-memory.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { predictMemory } from '../../../shared/pipeline/plan/predict-memory.ts';
import { smallConfig, smallTable } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';

const planned = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table: smallTable() });
const peakMiB = (cores: number) => predictMemory(planned, cores).peak / 1024 / 1024;

it('lets a run begin that a page has memory for, on any number of cores', () => {
  for (const cores of [1, 2, 8]) expect(() => requireTabMemory(planned, cores)).not.toThrow();
});

it('refuses one that would end the tab, and says whether fewer cores help', () => {
  const between = (peakMiB(1) + peakMiB(4)) / 2;
  expect(() => requireTabMemory(planned, 4, between)).toThrow(
    expect.objectContaining({
      code: 'memory-limit',
      message: expect.stringMatching(/with 4\scores, .* Use fewer cores\. Leave variables out/),
    }),
  );
  expect(() => requireTabMemory(planned, 4, peakMiB(1) / 2)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('fewer cores') }),
  );
});
