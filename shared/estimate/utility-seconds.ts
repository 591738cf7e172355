import { UTILITY_DEFAULTS, type UtilitySettings } from '../contracts/config/utility.ts';
import { exp, log } from '../numeric/portable-math.ts';
import type { MeasuredRun } from '../pipeline/synthesizers/run-sizes.ts';
import { timed } from '../pipeline/synthesizers/task-estimate.ts';
import type { RandomSource } from '../random/random-source.ts';
import { seededStreams } from '../random/streams.ts';
import { type CountedRows, rowsOfCombinations, rowsOfRecords, withCounts } from '../table/counted-rows.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import type { Column } from '../table/table.ts';
import { measureUtility } from '../utility/measure-utility.ts';
import { type OpenedUtility, openUtility } from '../utility/open-utility.ts';
import { drawRecords } from '../utility/sample-records.ts';
import type { UtilityInput } from '../utility/utility-input.ts';
import { withoutMissing } from '../utility/without-missing.ts';

/** Records of the larger of two samples on which utility is measured, to see how long it takes and how that grows. */
const SAMPLE = 2_000;

/** Records to which trees are fitted at most, of table and dataset each (`measure-propensity.ts`). */
const MOST_TREE_RECORDS = 20_000;

/** Time grows at least as its root and at most as a power of 1.2 of the records: what is measured has noise. */
const LEAST_POWER = 0.5;
const MOST_POWER = 1.2;

/** CPU seconds of the parts of utility, of one dataset. */
type PartSeconds = Record<'counts' | 'regressionScores' | 'trees' | 'regressions', number>;

/**
 * CPU seconds that a run takes to measure the utility of its datasets: each part is measured on two samples of the table, of
 * which others stand for a dataset, and carried on to its records and datasets. 0 where utility is not measured.
 */
export function utilitySeconds(planned: MeasuredRun): number {
  const { plan, schema } = planned;
  const { utility, variables, synthesis, seed } = plan.config;
  if (utility === 'off' || plan.purpose === 'calibrate' || plan.purpose === 'replicate') return 0;
  // One tree for the dataset and one for chance.
  const settings: UtilitySettings = { ...UTILITY_DEFAULTS, ...utility, permutations: 1 };
  const opened = openUtility(settings, variables, schema, synthesizedVariables(synthesis.synthesized, schema));
  const streams = seededStreams(seed);
  const rows = planned.records ? rowsOfRecords(planned.records) : rowsOfCombinations(schema, planned.combinations!);
  const larger = Math.min(SAMPLE, rows.records);
  const smaller = Math.max(1, Math.floor(larger / 2));
  const [first, second] = [smaller, larger].map((size) => {
    const table = withCounts(rows, drawRecords(rows, size, streams.open(`table/${size}`)));
    const dataset =
      opened.kind === 'full'
        ? withCounts(rows, resampled(rows, size, streams.open(`dataset/${size}`)))
        : shifted(table, opened.synthesized);
    const input = withoutMissing({ table, datasets: [dataset] }, opened.kind);
    return input === null ? null : partSeconds(input, opened, (name) => streams.open(name));
  });
  if (!first || !second) return 0;
  const datasets = plan.datasets.count;
  const fitted = Math.min(rows.records, settings.records);
  const carriedTo = (part: keyof PartSeconds, records: number) => {
    if (larger === smaller || first[part] === 0) return second[part];
    const power = log(second[part] / first[part]) / log(larger / smaller);
    const bounded = Math.min(MOST_POWER, Math.max(LEAST_POWER, power));
    return second[part] * exp(bounded * log(records / larger));
  };
  const permutations = utility.permutations;
  return (
    (carriedTo('counts', rows.records) * (1 + datasets)) / 2 +
    carriedTo('regressionScores', fitted) * datasets +
    (carriedTo('trees', Math.min(fitted, MOST_TREE_RECORDS)) * (datasets + permutations)) / 2 +
    (carriedTo('regressions', fitted) * (1 + datasets)) / 2
  );
}

/** Draws records of rows by chance, with replacement: for each row how often one of its records is drawn. */
function resampled({ rows, counts, records }: CountedRows, size: number, random: RandomSource): Float64Array {
  const drawn = Float64Array.from({ length: size }, () => Math.floor(random.uniform() * records)).sort();
  const chosen = new Float64Array(rows);
  let row = 0;
  let before = 0;
  for (const record of drawn) {
    while (record >= before + counts[row]!) before += counts[row++]!;
    chosen[row]!++;
  }
  return chosen;
}

/** Rows whose synthesized values are those of the rows half the table on. */
function shifted(rows: CountedRows, synthesized: readonly number[]): CountedRows {
  const by = Math.floor(rows.rows / 2);
  const turned = <T extends Uint8Array | Uint16Array | Float64Array>(values: T): T => {
    const copy = values.slice() as T;
    copy.set(values.subarray(by));
    copy.set(values.subarray(0, by), values.length - by);
    return copy;
  };
  const columns = rows.columns.map((column, v): Column => {
    if (!synthesized.includes(v)) return column;
    return column.type === 'categorical'
      ? { type: 'categorical', codes: turned(column.codes) }
      : { type: 'continuous', values: turned(column.values) };
  });
  return { ...rows, columns };
}

/** Measures utility of one dataset part by part. */
function partSeconds(input: UtilityInput, opened: OpenedUtility, open: Parameters<typeof measureUtility>[2]): PartSeconds {
  // Steps in the order of `measureUtility`: two of counts, one of each score by regression, two of trees, the regressions.
  const { propensity, permutations } = opened.settings;
  const parts: (keyof PartSeconds)[] = [
    'counts',
    'counts',
    ...[...new Set(propensity)].flatMap((terms): (keyof PartSeconds)[] =>
      terms === 'tree' ? new Array(1 + permutations).fill('trees') : ['regressionScores'],
    ),
  ];
  const seconds: PartSeconds = { counts: 0, regressionScores: 0, trees: 0, regressions: 0 };
  const steps = measureUtility(input, opened, open);
  for (let step = 0; ; step++) {
    const { result, seconds: taken } = timed(() => steps.next());
    seconds[parts[step] ?? 'regressions'] += taken;
    if (result.done) return seconds;
  }
}
