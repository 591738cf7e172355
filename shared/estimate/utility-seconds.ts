import { UTILITY_DEFAULTS, type UtilitySettings } from '../contracts/config/utility.ts';
import { exp, log } from '../numeric/portable-math.ts';
import type { MeasuredRun } from '../pipeline/synthesizers/run-sizes.ts';
import { timed } from '../pipeline/synthesizers/task-estimate.ts';
import type { RandomSource } from '../random/random-source.ts';
import { seededStreams } from '../random/streams.ts';
import { bandedRows, type CountedRows, recordsOfRows, rowsOfCombinations, rowsOfRecords, withCounts } from '../table/counted-rows.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import type { Column } from '../table/table.ts';
import { associationsBefore } from '../utility/associations.ts';
import { defaultRegressions } from '../utility/default-regressions.ts';
import { MOST_TREE_RECORDS } from '../utility/measure-propensity.ts';
import { type OpenedUtility, openUtility } from '../utility/open-utility.ts';
import { comparePatterns } from '../utility/pattern-distributions.ts';
import { splitRows } from '../utility/prepare-utility.ts';
import { MOST_PROPENSITY_COEFFICIENTS, propensityTerms, propensityUtility } from '../utility/propensity.ts';
import { designCount } from '../utility/regression/design.ts';
import { MOST_FACTORIZED } from '../utility/regression/logistic.ts';
import type { OpenedRegression } from '../utility/regression/open-regression.ts';
import { drawRecords } from '../utility/sample-records.ts';
import { chooseTables, compareTable } from '../utility/table-deviations.ts';
import { stackTables, treePropensity } from '../utility/tree-propensity.ts';
import type { OpenStream, UtilityInput } from '../utility/utility-input.ts';
import { measureRegression } from '../utility/utility-parts.ts';
import { regressionWork } from '../utility/utility-work.ts';
import { withoutMissing } from '../utility/without-missing.ts';

/** Records of the samples on which pieces of utility are measured. */
const SAMPLE = 1_000;

/** CPU seconds after which no further piece of a part is measured. */
const PART_SECONDS = 0.08;

/** CPU seconds for which a small regression is repeated, at most so often: its first calls take ten times as long. */
const REGRESSION_SECONDS = 0.2;
const MOST_CALLS = 50;

/** CPU seconds below which what is expected of a part in all need not be known any better than a few calls tell. */
const NEGLIGIBLE_SECONDS = 0.1;
const FEW_CALLS = 3;

/** Coefficients of the regressions that are measured, at most: larger ones are carried on from these. */
const MOST_COEFFICIENTS = 60;

/** Variables between which associations are measured, at most. */
const MOST_ASSOCIATED = 8;

/** The time of a tree grows at least as the root and at most as a power of 1.2 of the records: what is measured has noise. */
const LEAST_POWER = 0.5;
const MOST_POWER = 1.2;

/** A table and something that stands for a dataset of it, in a sample. */
interface Sample {
  readonly table: CountedRows;
  readonly dataset: CountedRows;
}

/** How utility is measured of a run, and of how much. */
interface Measured {
  readonly opened: OpenedUtility;
  readonly open: OpenStream;
  /** Rows of the table, and of as many records as models are fitted to. */
  readonly rows: number;
  readonly fittedRows: number;
  readonly fittedRecords: number;
  readonly datasets: number;
  sample(records: number): Sample | null;
}

/**
 * CPU seconds that a run takes to measure the utility of its datasets, carried on from pieces: some tables of each kind, a few
 * associations, small regressions, and trees of samples. It takes a second or so, however wide the table is; how near it comes is
 * in docs/how-to/cloud.md (looking ahead). 0 where utility is not measured.
 */
export function utilitySeconds(planned: MeasuredRun): number {
  const { plan, schema } = planned;
  const { utility, variables, synthesis, seed } = plan.config;
  if (utility === 'off' || plan.purpose === 'calibrate' || plan.purpose === 'replicate') return 0;
  const settings: UtilitySettings = { ...UTILITY_DEFAULTS, ...utility };
  const opened = openUtility(settings, variables, schema, synthesizedVariables(synthesis.synthesized, schema));
  const streams = seededStreams(seed);
  const all = planned.records ? rowsOfRecords(planned.records) : rowsOfCombinations(schema, planned.combinations!);
  const open: OpenStream = (name) => streams.open(name);
  const fittedRecords = Math.min(all.records, settings.records);
  // Of a large table once: smaller samples are drawn from this one.
  const largest = withCounts(all, drawRecords(all, Math.min(2 * SAMPLE, all.records), open('table')));
  const datasets = plan.datasets.count;
  const measured: Measured = {
    opened,
    open,
    datasets,
    rows: all.rows,
    fittedRows: Math.min(all.rows, fittedRecords),
    fittedRecords,
    sample: (records) => sampleOf(largest, Math.min(records, largest.records), opened, open),
  };
  return (
    countSeconds(measured) * (1 + datasets) +
    scoreSeconds(measured) * datasets +
    treeSeconds(measured) * (datasets + utility.permutations) +
    regressionSeconds(measured) * (1 + datasets)
  );
}

/** A sample of a table, and another that stands for a dataset, without missing values; null where nothing is left of it. */
function sampleOf(from: CountedRows, size: number, opened: OpenedUtility, open: OpenStream): Sample | null {
  const table = withCounts(from, drawRecords(from, size, open(`table/${size}`)));
  const dataset =
    opened.kind === 'full' ? withCounts(from, resampled(from, size, open(`dataset/${size}`))) : shifted(table, opened.synthesized);
  const input = withoutMissing({ table, datasets: [dataset] }, opened.kind);
  return input && { table: input.table, dataset: input.datasets[0]! };
}

/** The fraction that leaves the places of a series the most even, however long it is. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The mean seconds of some pieces of a part, scattered over all of them: as many as its time suffices for, one at least. Those of
 * the first half of that time do not count where others follow, since they are not compiled yet.
 */
function meanSeconds<Piece>(pieces: readonly Piece[], measure: (piece: Piece) => unknown): number {
  if (pieces.length === 0) return 0;
  let [spent, counted, done] = [0, 0, 0];
  for (let call = 0; call < 2 * pieces.length && spent < PART_SECONDS; call++) {
    const { seconds } = timed(() => measure(pieces[Math.floor(((call * GOLDEN) % 1) * pieces.length)]!));
    const isWarm = spent >= PART_SECONDS / 2 || call >= pieces.length;
    spent += seconds;
    // The first that counts takes the place of all before it.
    counted = isWarm && done > 0 ? counted + seconds : seconds;
    done = isWarm ? done + 1 : 0;
  }
  return counted / Math.max(1, done);
}

/** Least seconds of several calls: the first ones are not compiled yet, but suffice where so many `times` what they take is negligible. */
function leastSeconds(call: () => unknown, times: number, within = REGRESSION_SECONDS): number {
  let [spent, least] = [0, Infinity];
  const most = () => (least * times < NEGLIGIBLE_SECONDS ? FEW_CALLS : MOST_CALLS);
  for (let calls = 0; calls === 0 || (spent < within && calls < most()); calls++) {
    const { seconds } = timed(call);
    spent += seconds;
    least = Math.min(least, seconds);
  }
  return least;
}

/** Seconds of counts, associations and patterns, of the table or of a dataset. */
function countSeconds({ opened, rows, sample }: Measured): number {
  const { settings, synthesized, kind, patterns } = opened;
  const at = [SAMPLE / 2, 2 * SAMPLE].map((size) => {
    const found = sample(size);
    if (found === null) return null;
    const { table } = found;
    const banded = bandedRows(table, [found.dataset], settings.bands);
    const variables = table.columns.length;
    let seconds = 0;
    for (const way of new Set(settings.ways)) {
      const { sets } = chooseTables(variables, new Set(synthesized), way);
      seconds += (sets.length * meanSeconds(sets, (set) => compareTable(banded.table, banded.datasets, set, kind))) / 2;
    }
    const some = evenly([...Array(variables).keys()], MOST_ASSOCIATED);
    const pairs = (of: number) => (of * (of - 1)) / 2;
    const own = restricted(table, some);
    const associated = timed(() => some.map((_, v) => associationsBefore(own, v))).seconds;
    seconds += some.length < 2 ? 0 : (associated * pairs(variables)) / pairs(some.length);
    if (patterns) {
      const compare = (of: number) => comparePatterns(banded.table, banded.datasets, patterns.by, of);
      seconds += (patterns.of.length * meanSeconds(patterns.of, compare)) / 2;
    }
    return { seconds, rows: table.rows };
  });
  const [first, second] = at;
  if (!first || !second) return 0;
  // A part for the cells, and a part for the rows: no more than in proportion to these.
  const slope = second.rows === first.rows ? 0 : Math.max(0, (second.seconds - first.seconds) / (second.rows - first.rows));
  return second.seconds + Math.min(slope, second.seconds / second.rows) * Math.max(0, rows - second.rows);
}

/** Seconds of the propensity scores by regression, of a dataset. */
function scoreSeconds({ opened, datasets, fittedRows, sample }: Measured): number {
  const found = sample(SAMPLE);
  if (found === null) return 0;
  const { table, dataset } = found;
  const { schema } = table;
  let seconds = 0;
  for (const terms of new Set(opened.settings.propensity)) {
    if (terms === 'tree') continue;
    const coefficients = (variables: readonly number[]) => {
      const sets = propensityTerms(variables.length, terms);
      return { sets: sets.length, count: designCount({ ...schema, variables: variables.map((v) => schema.variables[v]!) }, sets) };
    };
    const all = coefficients([...schema.variables.keys()]);
    if (all.count > MOST_PROPENSITY_COEFFICIENTS) continue;
    // One that is synthesized at least, and others as long as the regression stays small.
    const chosen: number[] = [];
    for (const v of [...opened.synthesized, ...schema.variables.keys()]) {
      if (chosen.includes(v) || (chosen.length >= 2 && coefficients([...chosen, v]).count > MOST_COEFFICIENTS)) continue;
      chosen.push(v);
    }
    const some = coefficients(chosen);
    const synthesized = chosen.flatMap((v, place) => (opened.synthesized.includes(v) ? place : []));
    const work = regressionWork(2 * fittedRows, all.sets, all.count, all.count <= MOST_FACTORIZED);
    const times = work / regressionWork(table.rows + dataset.rows, some.sets, some.count);
    const score = () => propensityUtility(restricted(table, chosen), restricted(dataset, chosen), terms, synthesized);
    seconds += times * leastSeconds(score, times * datasets);
  }
  return seconds;
}

/** Seconds of one tree, which tells a dataset from the table or chance from chance. */
function treeSeconds({ opened, datasets, fittedRecords, sample }: Measured): number {
  const { permutations, propensity } = opened.settings;
  if (!propensity.includes('tree')) return 0;
  const records = Math.min(fittedRecords, MOST_TREE_RECORDS);
  const timesOf = (power: number, sampled: number) => exp(power * log(records / sampled));
  const measured: { seconds: number; records: number }[] = [];
  for (let size = SAMPLE / 8; size <= 2 * SAMPLE && (measured.at(-1)?.seconds ?? 0) < PART_SECONDS; size *= 2) {
    const found = sample(size);
    if (found === null || found.table.records === measured.at(-1)?.records) break;
    const stacked = stackTables(recordsOfRows(found.table), recordsOfRows(found.dataset));
    const times = timesOf(MOST_POWER, found.table.records) * (datasets + permutations);
    measured.push({ seconds: leastSeconds(() => treePropensity(stacked), times, PART_SECONDS), records: found.table.records });
  }
  const [last, before] = measured.reverse();
  if (last === undefined) return 0;
  const grows = before !== undefined && before.seconds > 0 && last.seconds > 0;
  const power = grows ? log(last.seconds / before.seconds) / log(last.records / before.records) : 1;
  return last.seconds * timesOf(Math.min(MOST_POWER, Math.max(LEAST_POWER, power)), last.records);
}

/** Seconds of the regressions, of the table or of a dataset: of each family one is measured, of few of its terms. */
function regressionSeconds({ opened, open, datasets, fittedRows, sample }: Measured): number {
  const found = sample(SAMPLE);
  if (found === null) return 0;
  const { schema } = found.table;
  const regressions = opened.regressions ?? defaultRegressions(found.table, opened);
  const workOf = ({ terms }: OpenedRegression, rows: number) => regressionWork(rows, terms.length, designCount(schema, terms));
  let seconds = 0;
  for (const family of new Set(regressions.map((one) => one.family))) {
    const own = regressions.filter((one) => one.family === family);
    const terms: (readonly number[])[] = [];
    // A term of several variables comes after those of each of them.
    for (const term of own[0]!.terms)
      if (terms.length === 0 || designCount(schema, [...terms, term]) <= MOST_COEFFICIENTS) terms.push(term);
    const small = { ...own[0]!, terms };
    const input: UtilityInput = { table: found.table, datasets: [found.dataset] };
    const split = splitRows(input, opened.settings.heldOut, opened.kind, (name) => open(`held-out/${name}`));
    // Of the table and of the dataset.
    const times = own.reduce((sum, one) => sum + workOf(one, fittedRows), 0) / workOf(small, found.table.rows) / 2;
    seconds += times * leastSeconds(() => measureRegression(small, true, input, split, opened.kind), times * (1 + datasets));
  }
  return seconds;
}

/** So many of some elements at most, at even distances. */
function evenly<T>(elements: readonly T[], most: number): T[] {
  const count = Math.min(most, elements.length);
  return Array.from({ length: count }, (_, i) => elements[Math.floor((i * elements.length) / count)]!);
}

/** Some variables of a table. */
function restricted(rows: CountedRows, variables: readonly number[]): CountedRows {
  const { columns, schema } = rows;
  return {
    ...rows,
    schema: { ...schema, variables: variables.map((v) => schema.variables[v]!) },
    columns: variables.map((v) => columns[v]!),
  };
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
