import { expect, it } from 'vitest';
import { readDataset } from '../../../../shared/artifacts/stored-dataset.ts';
import { readStoredTable } from '../../../../shared/artifacts/stored-table.ts';
import { TEST_KEYS } from '../../../test-keys.ts';
import { runFigures, smallConfig } from '../../small-run.ts';

/** More than are synthesized at a time. */
const RECORDS = 66_000;

it('a release of many records has each of them, with the combination that is counted for it', async () => {
  const lines = Array.from({ length: RECORDS }, (_, i) => `${'abc'[i % 3]},${'xy'[(i * i) % 2]}`);
  const { store, plan, keys } = await runFigures({
    ...TEST_KEYS,
    purpose: 'synthesize',
    config: smallConfig({ model: { classes: 2 } }),
    table: new TextEncoder().encode(`A,B\n${lines.join('\n')}\n`),
  });
  const { schema } = await readStoredTable(store, plan.runId);
  for (const l of [1, 2]) {
    const text = new TextDecoder().decode(await store.get(keys.release.dataset(l)));
    const rows = text.trimEnd().split(/\r?\n/).slice(1);
    expect(rows).toHaveLength(RECORDS);
    const released = new Map<string, number>();
    for (const row of rows) released.set(row, (released.get(row) ?? 0) + 1);
    const { codes, counts } = (await readDataset(store, plan.runId, l)).combinations;
    const counted = Array.from(counts, (count, c): [string, number] => [
      [0, 1]
        .map((k) => {
          const variable = schema.variables[k]!;
          return variable.type === 'categorical' ? variable.categories[codes[2 * c + k]!]! : '';
        })
        .join(),
      count,
    ]);
    expect(released).toEqual(new Map(counted));
    // The records of the second block are draws like those of the first.
    const share = (from: number, to: number) => rows.slice(from, to).filter((row) => row.startsWith('a')).length / (to - from);
    const late = share(65_536, RECORDS);
    expect(Math.abs(late - share(0, 65_536))).toBeLessThan(4 * Math.sqrt((2 / 9) * (1 / (RECORDS - 65_536))));
  }
});
