import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import { readTableAs } from '../../table/files/read-table.ts';
import { replacedColumns } from '../../table/replaced-columns.ts';
import { refuseImpossibleRecords } from '../../table/support/refuse-impossible-records.ts';
import type { Table } from '../../table/table.ts';
import type { CheckedRun } from './check-run.ts';
import type { PlannedRun, RunRequest } from './planned-run.ts';

/** The datasets of a run: how many, and those that are there before it. */
export interface PlannedDatasets extends Pick<PlannedRun, 'datasets'> {
  readonly figures: Plan['datasets'];
  /** What tells them from others: of files their SHA-256, of an earlier run its id. */
  readonly hashes: readonly string[];
  /** What was noticed in files. */
  readonly notices: readonly string[];
  /** Bytes of files. */
  readonly bytes: number;
}

/**
 * The datasets that a run will synthesize, or those that it is given to assess.
 *
 * @throws InvalidTableError for files that do not fit the table
 * @throws InvalidConfigError `no-datasets`
 * @throws UnsupportedOptionError `generating-draws-unknown`
 */
export async function planDatasets(
  { purpose, config, datasets: given }: RunRequest,
  table: Table,
  checked: CheckedRun,
): Promise<PlannedDatasets> {
  if (given === undefined && purpose !== 'assess') {
    const figures = { count: config.synthesis.datasets, origin: 'synthesized' as const };
    return { datasets: [], figures, hashes: [], notices: [], bytes: 0 };
  }
  const planned =
    given?.origin === 'run'
      ? ofEarlierRun(given)
      : await readDatasets(given?.files ?? [], config, table, checked);
  if (planned.datasets.length > 0) return planned;
  throw new InvalidConfigError('no-datasets', 'There is no dataset to assess.');
}

type Given = NonNullable<RunRequest['datasets']>;

/** The datasets of an earlier run, each with the draw that generated it. */
function ofEarlierRun({ origin, runId, generated }: Extract<Given, { origin: 'run' }>): PlannedDatasets {
  const datasets = generated.map(({ rows, source, generatingDraw: draw }) => ({
    rows,
    source: { ...source, origin },
    draw,
  }));
  const figures = { count: datasets.length, origin };
  return { datasets, figures, hashes: [runId], notices: [], bytes: 0 };
}

/** Reads datasets made elsewhere, and holds them to the table. */
async function readDatasets(
  files: readonly Uint8Array[],
  { attributeRisk, synthesis }: RunRequest['config'],
  table: Table,
  { release, chained }: CheckedRun,
): Promise<PlannedDatasets> {
  if (attributeRisk.estimator === 'parameters') {
    throw new UnsupportedOptionError(
      'generating-draws-unknown',
      'The estimator `parameters` needs the draws that generated the datasets; they are known only to the run that made them (assess --run DIR).',
    );
  }
  const origin = 'elsewhere';
  const support = chained?.support?.support;
  const sizes = support ? categorySizes(table.schema) : [];
  const datasets: PlannedRun['datasets'][number][] = [];
  const notices: string[] = [];
  for (const [l, file] of files.entries()) {
    const read = await readTableAs(file, table.schema, { missing: synthesis.missing });
    notices.push(...read.notices);
    const unique = uniqueCombinations(read.table);
    if (support) refuseImpossibleRecords(unique, sizes, support);
    datasets.push({
      rows:
        synthesis.synthesized === 'all'
          ? unique.combinations
          : replacedColumns(l + 1, read.table, table, release.synthesized),
      source: { origin, records: read.table.records, chain: null, draw: null, iteration: null },
    });
  }
  return {
    datasets,
    figures: { count: datasets.length, origin },
    hashes: await Promise.all(files.map(sha256)),
    notices,
    bytes: files.reduce((sum, { length }) => sum + length, 0),
  };
}
