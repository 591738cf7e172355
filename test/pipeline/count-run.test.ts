import { describe, expect, it } from 'vitest';
import { readRunContext } from '../../shared/artifacts/run-context.ts';
import { readDataset, readDatasetSource } from '../../shared/artifacts/stored-dataset.ts';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { openPlanSchema } from '../../shared/contracts/run/plan.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { plannedCount } from '../../shared/model/conjugate/added-count.ts';
import { drawRecords } from '../../shared/model/conjugate/draw-records.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { COUNT_SETTINGS, csvRows, hashesBelow, runFigures, smallTable } from './small-run.ts';

const NAMES = Object.keys(COUNT_SETTINGS.variables);

const run = (attributeRisk: object = {}, settings: object = {}) =>
  runFigures({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: configSchema.parse({ ...COUNT_SETTINGS, ...settings, attributeRisk }),
    table: smallTable(),
  });

type Run = Awaited<ReturnType<typeof run>>;

async function columnsOf({ store, keys }: Run): Promise<(name: string) => number[]> {
  const [header, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
  return (name) => rows.map((row) => Number(row[header!.indexOf(name)]));
}

describe('a run by counts', () => {
  it('gives the same risk over all cells and over all values of all variables', async () => {
    const listed = await run({ candidates: { unknown: NAMES } });
    const cells = await run({ candidates: 'all-cells' });
    // One key, one release.
    expect(await hashesBelow(cells.store, cells.plan, 'release/')).toEqual(await hashesBelow(listed.store, listed.plan, 'release/'));
    const [of, over] = [await columnsOf(listed), await columnsOf(cells)];
    for (const name of ['rank', 'candidates', 'privacy_loss', 'privacy_loss_se', 'probability_se']) {
      expect(over(name), name).toEqual(of(name));
    }
    for (const name of ['probability', 'information_bits', 'prior_odds_to_first', 'first_guess_probability']) {
      const expected = of(name);
      for (const [row, value] of over(name).entries()) expect(value).toBeCloseTo(expected[row]!, 10);
    }
  });

  it('gives the candidates of one combination, the truth as the risk table has it', async () => {
    const counted = await run();
    const risk = await columnsOf(counted);
    const [header, ...rows] = csvRows(await candidateTable(counted.store, { runId: counted.plan.runId, combination: 2 }));
    const truth = rows.find((row) => row[header!.indexOf('is_truth')] === 'true')!;
    expect(Number(truth[header!.indexOf('probability')])).toBe(risk('probability')[1]);
    expect(Number(truth[header!.indexOf('rank')])).toBe(risk('rank')[1]);
    const total = rows.reduce((sum, row) => sum + Number(row[header!.indexOf('probability')]), 0);
    expect(total).toBeCloseTo(1, 12);
  });

  it('draws each dataset from the smoothed counts of the table, with random numbers of its own', async () => {
    const { store, plan } = await run();
    const { table, streams } = await readRunContext(store, plan.runId);
    for (const dataset of [1, 2]) {
      const random = streams.openReleased(`dataset/${dataset}`);
      const drawn = drawRecords(table.combinations, table.sizes, plannedCount(plan), 60, random);
      expect((await readDataset(store, plan.runId, dataset)).combinations).toEqual(drawn.combinations);
      expect(await readDatasetSource(store, plan.runId, dataset)).toEqual({
        ...{ origin: 'synthesized', records: 60 },
        ...{ chain: null, draw: null, iteration: null },
        released: await sha256(await store.get(runKeys(plan.runId).release.dataset(dataset))),
      });
    }
  });

  it('releases datasets of as many records as the table, of declared categories alone', async () => {
    const { store, keys, plan } = await run({}, { synthesis: { datasets: 3 } });
    expect(plan.datasets.count).toBe(3);
    for (const dataset of [1, 2, 3]) {
      const [header, ...rows] = csvRows(await store.get(keys.release.dataset(dataset)));
      expect(header).toEqual(NAMES);
      expect(rows).toHaveLength(60);
      for (const row of rows) {
        for (const [k, { categories }] of Object.values(COUNT_SETTINGS.variables).entries()) {
          expect(categories).toContain(row[k]);
        }
      }
    }
  });

  it('keeps no draws and no diagnostics, and tells in the open which epsilon is stated', async () => {
    const { store, keys } = await run();
    expect(await store.list(keys.allDraws)).toEqual([]);
    expect(await store.head(keys.chains)).toBeNull();
    expect((await readJson(store, keys.openPlan, openPlanSchema)).config.model).toEqual(COUNT_SETTINGS.model);
  });
});
