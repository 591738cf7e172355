import { keepsRecords } from '../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import { readingOf, readTableAs } from '../../table/files/read-table.ts';
import { replacedColumns } from '../../table/replaced-columns.ts';
import { refuseImpossibleRecords } from '../../table/support/support.ts';
import type { Table } from '../../table/table.ts';
import { compareFiles } from '../copies/compare-files.ts';
import { ofFile } from '../files/read-files.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import type { CheckedRun } from './check-run.ts';
import type { PlannedRun, RunRequest } from './planned-run.ts';

/** The datasets of a run: how many, and those that are there before it. */
export interface PlannedDatasets extends Pick<PlannedRun, 'datasets'> {
  readonly figures: Plan['datasets'];
  /** What tells them from others: of files their SHA-256, of an earlier run its id. */
  readonly hashes: readonly string[];
  /** What was noticed in files. */
  readonly notices: readonly string[];
  readonly warnings: readonly Warning[];
  /** Why no guess can be scored with them; null where guesses can. */
  readonly unscored: string | null;
  /** Why no figure of them could be relied upon; null where figures can. */
  readonly notAssessable: string | null;
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
    return { datasets: [], figures, hashes: [], ...WITHOUT_FILES };
  }
  const planned = given?.origin === 'run' ? ofEarlierRun(given) : await readDatasets(given?.files ?? [], config, table, checked);
  if (planned.datasets.length > 0) return planned;
  throw new InvalidConfigError('no-datasets', 'There is no dataset to assess.');
}

/** What is found where no file is read. */
const WITHOUT_FILES = { notices: [], warnings: [], unscored: null, notAssessable: null, bytes: 0 } as const;

type Given = NonNullable<RunRequest['datasets']>;

/** The datasets of an earlier run, each with the draw that generated it. */
function ofEarlierRun({ origin, runId, generated }: Extract<Given, { origin: 'run' }>): PlannedDatasets {
  const datasets = generated.map(({ rows, source, generatingDraw: draw }) => ({ rows, source: { ...source, origin }, draw }));
  const figures = { count: datasets.length, origin };
  return { datasets, figures, hashes: [runId], ...WITHOUT_FILES };
}

const OTHER_TREES: Warning = {
  code: 'other-trees',
  message:
    'The datasets are not of these trees: they were grown with other settings, in another order of visits, on another table or by another program. Their attribute risk was not measured.',
};

/** What nobody can see in a dataset: docs/studies/modes.md has the trials. */
const MADE_ELSEWHERE: Warning = {
  code: 'made-elsewhere',
  message:
    'The datasets were made elsewhere. Their risk is that from an intruder who assumes that this model, with this number of classes, made them. Where another did, the estimate can be wrong either way: in trials, datasets of three classes, assessed by twenty, misled the intruder where the estimate claimed a gain, and datasets of five classes, assessed by two, revealed twice what it claimed. Name the settings of the program that made them.',
};

/** Reads datasets made elsewhere, and holds them to the table. */
async function readDatasets(
  files: readonly Uint8Array[],
  config: RunRequest['config'],
  table: Table,
  { release, chained }: CheckedRun,
): Promise<PlannedDatasets> {
  const { attributeRisk, synthesis } = config;
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
  const compared = compareFiles(table, release.synthesized);
  for (const [l, file] of files.entries()) {
    const read = await ofFile(`dataset ${l + 1}`, readTableAs(file, table.schema, readingOf(config)));
    notices.push(...read.notices);
    compared.add(read.table);
    if (support) refuseImpossibleRecords(uniqueCombinations(read.table), sizes, support);
    datasets.push({
      rows:
        synthesis.synthesized !== 'all'
          ? replacedColumns(l + 1, read.table, table, release.synthesized)
          : keepsRecords(config)
            ? new Map(read.table.columns.entries())
            : uniqueCombinations(read.table).combinations,
      source: { origin, records: read.table.records, chain: null, draw: null, iteration: null },
    });
  }
  const notAssessable = compared.judge();
  const unscored = synthesizerOf(config).refuteDatasets(
    config,
    table,
    datasets.map(({ rows }) => rows),
  );
  return {
    datasets,
    figures: { count: datasets.length, origin },
    hashes: await Promise.all(files.map(sha256)),
    notices,
    warnings: [
      ...(notAssessable === null ? [] : [{ code: 'not-assessable', message: notAssessable }]),
      ...(unscored === null ? [] : [OTHER_TREES]),
      ...(chained && datasets.length > 0 && notAssessable === null ? [MADE_ELSEWHERE] : []),
    ],
    unscored,
    notAssessable,
    bytes: files.reduce((sum, { length }) => sum + length, 0),
  };
}
