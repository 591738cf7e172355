import { afterEach, describe, expect, it, vi } from 'vitest';
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
    // Of many datasets: on a fast machine the least that is measured of each part would be no small part of few.
    const run = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig({ synthesis: { datasets: 20 } }), table });
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

describe('utilitySeconds() by a clock on which every piece takes a tenth of a second', () => {
  const oncePerPiece = (before?: NodeJS.CpuUsage): NodeJS.CpuUsage => ({ user: before ? 100_000 : 0, system: 0 });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** What a part takes of the table or of one dataset: the difference that its settings make, over so many of these. */
  const partSeconds = async (of: number, without: object, withIt: object, records: number) => {
    vi.spyOn(process, 'cpuUsage').mockImplementation(oncePerPiece);
    const secondsWith = (utility: object) =>
      secondsOf({ utility: { permutations: 3, ...utility }, synthesis: { datasets: 2 } }, smallTable({ records }));
    return ((await secondsWith(withIt)) - (await secondsWith(without))) / of;
  };

  it('is a tree for each dataset and permutation, in proportion to the records where one sample alone is measured', async () => {
    const propensity = ['main'];
    const seconds = await partSeconds(2 + 3, { propensity }, { propensity: [...propensity, 'tree'] }, 750);
    expect(seconds).toBeCloseTo((0.1 * 750) / 125, 10);
  });

  it('is every table of counts, once for the table and once for each dataset', async () => {
    // Of 4 variables there are 6 pairs; what is measured is a comparison, of which the table has one half.
    const seconds = await partSeconds(1 + 2, { ways: [1] }, { ways: [1, 2] }, 60);
    expect(seconds).toBeCloseTo((6 * 0.1) / 2, 10);
  });
});
