import { encodeJson } from '../../artifacts/stored-json.ts';
import { listed, tableCsv } from '../../artifacts/write-table.ts';
import { double, maybeDouble, type ResultTable, text } from '../../contracts/column.ts';
import type { ComparedRun, Comparison, RunFigure } from '../../contracts/results/comparison.ts';
import { renderComparison } from '../../report/render-comparison.ts';
import type { Store } from '../../storage/store.ts';

/** A measure of a run. */
interface ComparedFigure extends RunFigure {
  readonly run: ComparedRun;
  readonly of: 'risk' | 'utility';
  readonly measure: string;
  readonly covers: string | null;
}

/** `comparison.csv`. */
export const COMPARISON: ResultTable<ComparedFigure> = {
  file: 'comparison',
  row: 'a run and measure',
  columns: {
    run: text('Name of the run.', ({ run }) => run.name),
    run_id: text('Its id.', ({ run }) => run.runId),
    of: text('`risk` or `utility`.', ({ of }) => of),
    measure: text('Path in `summary.json`.', ({ measure }) => measure),
    value: maybeDouble('Its value.', ({ value }) => value),
    se: maybeDouble('Its standard error.', ({ se }) => se),
    covers: text('What its errors cover.', ({ covers }) => covers),
    least: maybeDouble('Smallest over datasets.', ({ spread }) => spread?.least ?? null),
    lower_quartile: maybeDouble('25 % quantile.', ({ spread }) => spread?.lowerQuartile ?? null),
    median: maybeDouble('Median.', ({ spread }) => spread?.median ?? null),
    upper_quartile: maybeDouble('75 % quantile.', ({ spread }) => spread?.upperQuartile ?? null),
    most: maybeDouble('Largest.', ({ spread }) => spread?.most ?? null),
  },
};

/** `differences.csv`. */
export const DIFFERENCES: ResultTable<Comparison['differences'][number]> = {
  file: 'differences',
  row: 'a measure and pair of runs',
  columns: {
    measure: text('Path in `summary.json`.', ({ measure }) => measure),
    a: text('One run.', ({ a }) => a),
    b: text('The other.', ({ b }) => b),
    difference: double('b less a.', ({ difference }) => difference),
    se: maybeDouble('Its standard error.', ({ se }) => se),
    covers: text('What its errors cover.', ({ covers }) => covers),
  },
};

/** Stores runs side by side: `comparison.json`, `comparison.csv` (a row a run and measure), `differences.csv`, `comparison.html`. */
export async function storeComparison(store: Store, found: Comparison): Promise<void> {
  const { runs, measures, differences } = found;
  const coversOf = new Map(measures.map(({ name, covers }) => [name, covers]));
  const figures = runs.flatMap((run) =>
    (['risk', 'utility'] as const).flatMap((of) =>
      Object.entries(run[of]).map(([measure, figure]) => ({ ...figure, run, of, measure, covers: coversOf.get(measure) ?? null })),
    ),
  );
  await store.put('comparison.csv', tableCsv(COMPARISON, listed(figures)));
  await store.put('differences.csv', tableCsv(DIFFERENCES, listed(differences)));
  await store.put('comparison.html', new TextEncoder().encode(await renderComparison(found)));
  await store.put('comparison.json', encodeJson(found));
}
