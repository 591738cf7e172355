import type { PropensityTerms } from '../contracts/config/utility.ts';
import type { ComparedTable, MeasuredUtility, UtilityRegression, UtilitySummary } from '../contracts/results/utility.ts';
import type { Stepwise } from '../contracts/stepwise.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { bandedRows, type CountedRows, withCounts } from '../table/counted-rows.ts';
import { associationMatrix, compareAssociations } from './associations.ts';
import { compareDistribution } from './compare-distribution.ts';
import { compareMarginal } from './compare-marginals.ts';
import { defaultRegressions } from './default-regressions.ts';
import { measurePropensity } from './measure-propensity.ts';
import type { OpenedUtility } from './open-utility.ts';
import { comparePatterns } from './pattern-distributions.ts';
import { compareRegression } from './regression/compare-regression.ts';
import { prepareRegression } from './regression/fit-regression.ts';
import { predictHeldOut, type SplitRows } from './regression/held-out.ts';
import type { OpenedRegression } from './regression/open-regression.ts';
import { drawRecords } from './sample-records.ts';
import { chooseTables, compareTable, summarizeTables } from './table-deviations.ts';
import type { OpenStream, UtilityInput } from './utility-input.ts';
import { utilityWork } from './utility-work.ts';

/** Units of work that {@link measureUtility} takes, about microseconds. */
export const utilityUnits = ({ table, datasets }: UtilityInput, opened: OpenedUtility): number =>
  utilityWork(table, datasets.length, opened, regressionsOf(table, opened)).total;

/** The regressions that are asked for, or those of every synthesized variable. */
const regressionsOf = (table: CountedRows, opened: OpenedUtility) => opened.regressions ?? defaultRegressions(table, opened);

/**
 * Measures how well datasets serve for what the table does (docs/explanation/utility.md). Models are fitted to as many records as the
 * settings say at most, drawn by chance; all else takes all records. Equal streams give equal bytes.
 *
 * @param given rows without missing values, as {@link withoutMissing} leaves them
 */
export function* measureUtility(given: UtilityInput, opened: OpenedUtility, open: OpenStream): Stepwise<MeasuredUtility> {
  const { settings, kind, synthesized } = opened;
  const { table, datasets } = given;
  const names = table.schema.variables.map(({ name }) => name);
  const chosen = new Set(synthesized);
  const banded = bandedRows(table, datasets, settings.bands);
  const regressionsMeasured = regressionsOf(table, opened);
  const work = utilityWork(table, datasets.length, opened, regressionsMeasured);
  let done = 0;
  const compared: ComparedTable[] = [];
  const tables: UtilitySummary['tables'] = [];
  for (const way of [...new Set(settings.ways)].sort()) {
    const { sets, inAll } = chooseTables(names.length, chosen, way);
    if (sets.length === 0) continue;
    const ofWay: ComparedTable[] = [];
    for (const set of sets) {
      ofWay.push(compareTable(banded.table, banded.datasets, set, kind));
      done += work.table;
      yield done;
    }
    compared.push(...ofWay);
    tables.push(summarizeTables(way, ofWay, inAll, table.records));
  }
  let patterns: UtilitySummary['patterns'] = null;
  if (opened.patterns) {
    patterns = { by: opened.patterns.by.map((v) => names[v]!), variables: [] };
    for (const of of opened.patterns.of) {
      patterns.variables.push(comparePatterns(banded.table, banded.datasets, opened.patterns.by, of));
      done += work.pattern;
      yield done;
    }
  }
  const matrices: (number | null)[][][] = [];
  for (const source of [table, ...datasets]) {
    const before = done;
    const steps = associationMatrix(source);
    let next = steps.next();
    for (; !next.done; next = steps.next()) {
      done = before + work.association * next.value;
      yield done;
    }
    matrices.push(next.value);
  }
  const [ofTable, ...ofDatasets] = matrices;
  const associations = compareAssociations(names, ofTable!, ofDatasets, chosen);

  const fitted = limitRecords(given, settings.records, kind, (name) => open(`utility/records/${name}`));
  const propensity: UtilitySummary['propensity'] = [];
  for (const terms of new Set(settings.propensity)) {
    const steps = measurePropensity(fitted, opened, terms, open);
    let next = steps.next();
    for (; !next.done; next = steps.next()) {
      done += work.score[terms];
      yield done;
    }
    propensity.push(next.value);
  }
  const split = splitRows(fitted, settings.heldOut, kind, (name) => open(`utility/held-out/${name}`));
  const regressions: UtilitySummary['regressions'] = [];
  for (const regression of regressionsMeasured) {
    regressions.push(measureRegression(regression, opened.regressions !== null, fitted, split, kind));
    done += work.regression(regression);
    yield done;
  }
  const summary: Unsummarized = {
    records: table.records,
    datasets: datasets.length,
    kind,
    synthesized: synthesized.map((v) => names[v]!),
    tables,
    propensity,
    regressions,
    ...(regressions.length === 0 && { regressionsReason: 'No synthesized variable has another one to be regressed on.' }),
    patterns,
    ...(opened.patternsReason !== undefined && { patternsReason: opened.patternsReason }),
    associations,
    ...(opened.distributions.length > 0 && { distributions: opened.distributions.map((own) => compareDistribution(given, own)) }),
    marginals: synthesized
      .filter((v) => !opened.distributions.some(({ variable }) => variable === v))
      .map((variable) => compareMarginal(given, variable)),
  };
  return { summary: { ...summary, ...figuresOf(summary) }, tables: compared };
}

/** A table and its datasets with fewer records, where they have more. */
function limitRecords({ table, datasets }: UtilityInput, records: number, kind: 'full' | 'partial', open: OpenStream): UtilityInput {
  const limited = (rows: CountedRows, name: string) =>
    rows.records <= records ? rows : withCounts(rows, drawRecords(rows, records, open(name)));
  // The same records of all where rows belong to records.
  return {
    table: limited(table, 'table'),
    datasets: datasets.map((dataset, l) => limited(dataset, kind === 'partial' ? 'table' : `${l + 1}`)),
  };
}

interface SplitUtility {
  readonly table: SplitRows;
  readonly datasets: readonly SplitRows[];
}

/** Training and held-out records of a table and of its datasets. */
export function splitRows({ table, datasets }: UtilityInput, share: number, kind: 'full' | 'partial', open: OpenStream): SplitUtility {
  const split = (rows: CountedRows, name: string): SplitRows => {
    const heldOut = drawRecords(rows, Math.max(1, Math.round(share * rows.records)), open(name));
    const training = rows.counts.map((count, row) => count - heldOut[row]!);
    return { training: withCounts(rows, training), heldOut: withCounts(rows, heldOut) };
  };
  return {
    table: split(table, 'table'),
    datasets: datasets.map((dataset, l) => split(dataset, kind === 'partial' ? 'table' : `${l + 1}`)),
  };
}

/** One regression on a table and its datasets, and what it predicts of records that it has not seen. */
export function measureRegression(
  opened: OpenedRegression,
  asked: boolean,
  { table, datasets }: UtilityInput,
  split: SplitUtility,
  kind: 'full' | 'partial',
): UtilityRegression {
  const prepared = prepareRegression(opened, table.schema);
  const original = prepared.fit(table);
  const fitted = datasets.map((dataset) => prepared.fit(dataset, original));
  const sizeRatio = datasets.reduce((sum, { records }) => sum + records, 0) / datasets.length / table.records;
  const { coefficients, ...figures } = compareRegression(prepared, original, fitted, kind, sizeRatio);
  const predicted = predictHeldOut(prepared, original, split.table, split.datasets);
  const heldOut = { records: split.table.heldOut.records, ...predicted };
  return { ...figures, asked, records: table.records, coefficients, heldOut };
}

/** Of some numbers the mean, of none null. */
function meanOrNull(values: readonly (number | null | undefined)[]): number | null {
  const defined = values.filter((value) => value !== null && value !== undefined);
  return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
}

type Unsummarized = Omit<UtilitySummary, 'figures' | 'figuresSe' | 'figuresSeReason'>;

/** A number of a measure, and those of the datasets; null for one of all datasets together. */
interface Figure {
  readonly value: number | null;
  readonly datasets: readonly (number | null)[] | null;
}

const ONE_DATASET =
  'One dataset does not tell how datasets differ: measure all datasets of the release. What chance alone does to the pMSE of one dataset is known all the same (expectedDeviation).';
const TOGETHER =
  'Overlaps, standardized differences, distances within patterns and differences of associations are one figure of all datasets together, whose error is not known.';

/** One number a measure, with its error between datasets. */
function figuresOf(summary: Unsummarized): Pick<UtilitySummary, 'figures' | 'figuresSe' | 'figuresSeReason'> {
  const { tables, propensity, regressions, patterns, associations } = summary;
  const variation = (way: number): Figure => {
    const found = tables.find((one) => one.way === way);
    return { value: found?.totalVariation ?? null, datasets: found?.totalVariationByDataset ?? null };
  };
  const score = (terms: PropensityTerms, name: 'pmse' | 'ratio' | 'ratioFormula'): Figure => {
    const found = propensity.find((one) => one.terms === terms);
    return { value: found?.mean?.[name] ?? null, datasets: found?.datasets.map((one) => one?.[name] ?? null) ?? null };
  };
  const together = (value: number | null): Figure => ({ value, datasets: null });
  const figures = {
    oneWayTotalVariation: variation(1),
    twoWayTotalVariation: variation(2),
    threeWayTotalVariation: variation(3),
    propensityMain: score('main', 'pmse'),
    propensityPairs: score('pairs', 'pmse'),
    propensityTree: score('tree', 'pmse'),
    propensityRatioMain: score('main', 'ratio'),
    propensityRatioPairs: score('pairs', 'ratio'),
    propensityRatioTree: score('tree', 'ratio'),
    propensityRatioFormulaMain: score('main', 'ratioFormula'),
    propensityRatioFormulaPairs: score('pairs', 'ratioFormula'),
    intervalOverlapMean: together(meanOrNull(regressions.map((one) => one.meanIntervalOverlap))),
    standardizedDifferenceMean: together(meanOrNull(regressions.map((one) => one.meanAbsoluteStandardizedDifference))),
    patternDistanceMean: together(meanOrNull(patterns?.variables.map(({ meanDistance }) => meanDistance) ?? [])),
    associationDifferenceMean: together(associations.meanAbsoluteDifference),
    associationDifferenceMax: together(associations.maxAbsoluteDifference),
  } satisfies Record<keyof UtilitySummary['figures'], Figure>;
  const each = (of: (figure: Figure) => number | null) =>
    Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, of(figure)])) as UtilitySummary['figures'];
  return {
    figures: each(({ value }) => value),
    figuresSe: each(({ datasets }) => errorBetween(datasets ?? [])),
    figuresSeReason: summary.datasets === 1 ? ONE_DATASET : TOGETHER,
  };
}

/** The standard error of the mean of what datasets have; null where it is not defined in all of them, or of one alone. */
function errorBetween(datasets: readonly (number | null)[]): number | null {
  const defined = datasets.filter((value) => value !== null);
  return defined.length < 2 || defined.length < datasets.length ? null : standardDeviation(defined) / Math.sqrt(defined.length);
}
