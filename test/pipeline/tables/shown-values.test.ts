import { beforeAll, describe, expect, it } from 'vitest';
import { contextOfScenario, readRunModel, type ScenarioModel } from '../../../shared/artifacts/run-context.ts';
import type { RowsBeside } from '../../../shared/artifacts/stored-part.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import type { VariableRiskTable } from '../../../shared/contracts/results/tables/variable-risk-table.ts';
import { methodOf } from '../../../shared/pipeline/methods/methods.ts';
import { readShownValues } from '../../../shared/pipeline/tables/shown-values.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, mixedTable, runInMemory, smallConfig, smallTable } from '../small-run.ts';

const RUNS = {
  'of the DPMPM': () => ({ table: smallTable(), config: smallConfig({ synthesis: { datasets: 20 } }) }),
  'by trees': () => ({ table: mixedTable(), config: configSchema.parse(CATEGORY_TREE_SETTINGS) }),
};

describe.each(Object.entries(RUNS))('values that are shown of a run %s', (_, requestOf) => {
  let run: Awaited<ReturnType<typeof runInMemory>>;
  let context: ScenarioModel;
  let beside: RowsBeside | null;
  let all: VariableRiskTable;
  const shown = (isShown: (row: number) => boolean, givenAway: number) =>
    readShownValues(run.store, context, 1, beside, { isShown, givenAway });
  const rowsOf = (table: VariableRiskTable) => Array.from({ length: table.rows }, (_, row) => [table.placeInFile(row), table.row(row)]);

  beforeAll(async () => {
    run = await runInMemory({ ...TEST_KEYS, purpose: 'evaluate', ...requestOf() });
    context = contextOfScenario(await readRunModel(run.store, run.plan.runId), 1);
    beside = (await methodOf(context.plan.config, context.scenario).readBeside?.(run.store, context, 1)) ?? null;
    all = await shown(() => true, 10);
  });

  it('are those of the file, in its order', () => {
    expect(all.rows).toBe(all.rowsOfFile);
    expect(Array.from({ length: all.rows }, (_, row) => all.placeInFile(row))).toEqual([...Array(all.rows).keys()]);
  });

  it('are of some rows the same, with their places in the file', async () => {
    const numbers = new Set([2, 3, 17]);
    const some = await shown((row) => numbers.has(row), 0);
    expect(some.rowsOfFile).toBe(all.rows);
    expect(some.rows).toBeGreaterThan(0);
    expect(rowsOf(some)).toEqual(rowsOf(all).filter(([, row]) => numbers.has((row as { number: number }).number - 1)));
  });

  it('are of the values given away those with the largest gains, whatever rows are shown', async () => {
    const most = Math.min(3, all.givenAway.length);
    expect(most).toBeGreaterThan(0);
    const none = await shown(() => false, most);
    const largest = ({ givenAway, row, placeInFile }: VariableRiskTable) =>
      Array.from(givenAway.subarray(0, most), (place) => [placeInFile(place), row(place)]);
    expect(largest(none)).toEqual(largest(all));
    expect(none.rows).toBeLessThan(all.rows);
  });
});
