import { encodeJson } from '../../artifacts/stored-json.ts';
import type { Comparison } from '../../contracts/results/comparison.ts';
import { renderComparison } from '../../report/render-comparison.ts';
import type { Store } from '../../storage/store.ts';
import { encodeCsv } from '../../table/files/write-csv.ts';

/** Columns of `comparison.csv`. */
export const RUN_COLUMNS = [
  'run',
  'run_id',
  'of',
  'measure',
  'value',
  'se',
  'covers',
  'least',
  'lower_quartile',
  'median',
  'upper_quartile',
  'most',
];

/** Columns of `differences.csv`. */
export const DIFFERENCE_COLUMNS = ['measure', 'a', 'b', 'difference', 'se', 'covers'];

/** Stores runs side by side: `comparison.json`, `comparison.csv` (a row a run and measure), `differences.csv`, `comparison.html`. */
export async function storeComparison(store: Store, found: Comparison): Promise<void> {
  const { runs, measures, differences } = found;
  const coversOf = new Map(measures.map(({ name, covers }) => [name, covers]));
  const rows = runs.flatMap((run) =>
    (['risk', 'utility'] as const).flatMap((of) =>
      Object.entries(run[of]).map(([name, { value, se, spread }]) => [
        run.name,
        run.runId,
        of,
        name,
        value,
        se,
        coversOf.get(name) ?? null,
        ...[spread?.least, spread?.lowerQuartile, spread?.median, spread?.upperQuartile, spread?.most].map(
          (one) => one ?? null,
        ),
      ]),
    ),
  );
  await store.put('comparison.csv', encodeCsv(RUN_COLUMNS, rows));
  const pairs = differences.map(({ measure, a, b, difference, se, covers }) => [
    measure,
    a,
    b,
    difference,
    se,
    covers,
  ]);
  await store.put('differences.csv', encodeCsv(DIFFERENCE_COLUMNS, pairs));
  await store.put('comparison.html', new TextEncoder().encode(await renderComparison(found)));
  await store.put('comparison.json', encodeJson(found));
}
