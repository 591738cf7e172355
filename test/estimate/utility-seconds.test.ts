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

  it('takes a small part of the time that it predicts, however many variables there are', async () => {
    const names = Array.from({ length: 40 }, (_, v) => `v${v}`);
    const rows = Array.from({ length: 3000 }, (_, i) => names.map((_name, v) => `c${(i * (v + 3) + ((i * i) % 7)) % 10}`).join(','));
    const table = new TextEncoder().encode(`${[names.join(','), ...rows].join('\n')}\n`);
    const run = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig({}), table });
    const before = process.cpuUsage();
    const predicted = utilitySeconds(run);
    const { system, user } = process.cpuUsage(before);
    // CPU time of one process, by the same clock: a machine that is busy or slow is so on both sides.
    expect((system + user) / 1e6).toBeLessThan(predicted / 4);
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
