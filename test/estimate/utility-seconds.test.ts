import { describe, expect, it } from 'vitest';
import { utilitySeconds } from '../../shared/estimate/utility-seconds.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { mixedTable, smallConfig, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

const secondsOf = async (settings: Record<string, unknown>, table = smallTable()) =>
  utilitySeconds(await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(settings), table }));

describe('utilitySeconds()', () => {
  it('measures what a run would, of full and partial synthesis, of numbers and of missing values', async () => {
    const types = { age: { type: 'continuous' }, income: { type: 'continuous' } };
    const trees = { variables: types, model: { name: 'cart' }, synthesis: { synthesized: ['income'] } };
    expect(await secondsOf({})).toBeGreaterThan(0);
    expect(await secondsOf({ synthesis: { synthesized: ['education'] } })).toBeGreaterThan(0);
    expect(await secondsOf(trees, mixedTable())).toBeGreaterThan(0);
  });

  it('is nothing where utility is off', async () => {
    expect(await secondsOf({ utility: 'off' })).toBe(0);
  });

  it('grows with datasets and permutations', async () => {
    const few = await secondsOf({ utility: { permutations: 1 }, synthesis: { datasets: 1 } });
    const many = await secondsOf({ utility: { permutations: 100 }, synthesis: { datasets: 40 } });
    // The work is forty times as much: no noise of a measurement comes near to that.
    expect(many).toBeGreaterThan(2 * few);
  });
});
