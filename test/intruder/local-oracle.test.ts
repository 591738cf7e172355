import { describe, expect, it } from 'vitest';
import { newKey } from '../../shared/contracts/secret-key.ts';
import { newRunState, writeRunState } from '../../shared/pipeline/life/run-state.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows, mixedTable, runFigures, smallConfig, smallTable, TREE_SETTINGS } from '../pipeline/small-run.ts';
import { differences, openArtifacts, type Seen } from './open-artifacts.ts';

const categories = ['A', 'B', 'C', 'D'];
const RUNS = [
  {
    name: 'DPMPM, fully synthetic',
    table: smallTable(),
    config: smallConfig({ acceptance: ['attributeRisk.truthRankedFirstShare <= 1'] }),
    unknown: 'education',
  },
  {
    name: 'DPMPM, partially synthetic',
    table: smallTable(),
    config: smallConfig({ synthesis: { synthesized: ['education'] }, identification: [{ known: ['region'] }], inherent: { resamples: 2 } }),
    unknown: 'education',
  },
  { name: 'trees', table: mixedTable(), config: smallConfig(TREE_SETTINGS), unknown: 'employment' },
  {
    name: 'declared categories',
    table: encodeCsv(
      ['x', 'y', 'z'],
      Array.from({ length: 60 }, (_, i) => [categories[i % 3]!, categories[(i * i) % 2]!, `${i % 4}`]),
    ),
    config: smallConfig({ variables: { x: { categories } } }),
    unknown: 'x',
  },
];

/** What a run leaves in the open, under keys that nobody else has. */
async function watch(table: Uint8Array, config: (typeof RUNS)[number]['config']): Promise<Seen> {
  const keys = { placeKey: newKey(), releaseKey: async () => newKey() };
  const { store, plan } = await runFigures({ ...keys, purpose: 'evaluate', config, table, batchSize: 50 });
  await writeRunState(store, newRunState(plan));
  return openArtifacts(store, plan.runId);
}

describe.each(RUNS)('what is open of a run here is the same for every guess ($name)', (run) => {
  const [header, ...rows] = csvRows(run.table);
  const column = header!.indexOf(run.unknown);
  const values = [...new Set(rows.map((row) => row[column]!))];

  it.each([0, 9, 23, 38, 57])('at record %i', async (record) => {
    const truth = await watch(run.table, run.config);
    expect(Object.keys(truth).sort()).toEqual(['manifest', 'manifest.signature', 'plan', 'run'].map((name) => `runs/RUN/${name}.json`));
    for (const value of values) {
      const guess = rows.map((row, i) => (i === record ? row.with(column, value) : row));
      expect(differences(truth, await watch(encodeCsv(header!, guess), run.config)), value).toEqual([]);
    }
  });
});
