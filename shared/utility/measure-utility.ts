import type { UtilitySummary } from '../contracts/results/utility.ts';
import type { Stepwise } from '../contracts/stepwise.ts';
import { bandedRows, type CountedRows, withCounts } from '../table/counted-rows.ts';
import { associationMatrix, compareAssociations } from './associations.ts';
import { defaultRegressions } from './default-regressions.ts';
import { measurePropensity } from './measure-propensity.ts';
import { measureRegression } from './measure-regression.ts';
import type { OpenedUtility } from './open-utility.ts';
import { comparePatterns } from './pattern-distributions.ts';
import { divideRows, drawRecords } from './sample-records.ts';
import { type ComparedTable, chooseTables, compareTable, summarizeTables } from './table-deviations.ts';
import type { OpenStream, SplitUtility, UtilityInput } from './utility-input.ts';

/** What was measured: the figures, and the tables of counts one by one. */
export interface MeasuredUtility {
  readonly summary: UtilitySummary;
  readonly tables: readonly ComparedTable[];
}

/** Steps that {@link measureUtility} takes at most. */
export function utilitySteps({ settings, regressions }: OpenedUtility, datasets: number): number {
  return settings.propensity.length * datasets + settings.permutations + (regressions?.length ?? 12) + 2;
}

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
  const compared: ComparedTable[] = [];
  const tables = [...new Set(settings.ways)].sort().flatMap((way) => {
    const { sets, inAll } = chooseTables(names.length, chosen, way);
    if (sets.length === 0) return [];
    const ofWay = sets.map((set) => compareTable(banded.table, banded.datasets, set, kind));
    compared.push(...ofWay);
    return [summarizeTables(way, ofWay, inAll, table.records)];
  });
  let done = 1;
  yield done;
  const patterns = opened.patterns && {
    by: opened.patterns.by.map((v) => names[v]!),
    variables: opened.patterns.of.map((of) => {
      const { by: _, ...found } = comparePatterns(banded.table, banded.datasets, opened.patterns!.by, of);
      return { ...found, classes: [...found.classes], shown: found.shown.map(copyPattern) };
    }),
  };
  const associations = compareAssociations(
    names,
    associationMatrix(table),
    datasets.map((dataset) => associationMatrix(dataset)),
    chosen,
  );
  yield ++done;

  const fitted = limitRecords(given, settings.records, kind, (name) => open(`utility/records/${name}`));
  const propensity: UtilitySummary['propensity'] = [];
  for (const terms of new Set(settings.propensity)) {
    const steps = measurePropensity(fitted, opened, terms, open);
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done) {
        propensity.push(next.value);
        break;
      }
      yield ++done;
    }
  }
  const split = splitRows(fitted, settings.heldOut, kind, (name) => open(`utility/held-out/${name}`));
  const regressions: UtilitySummary['regressions'] = [];
  for (const regression of opened.regressions ?? defaultRegressions(table, opened)) {
    regressions.push(measureRegression(regression, opened.regressions !== null, fitted, split, kind));
    yield ++done;
  }
  const summary: Omit<UtilitySummary, 'figures'> = {
    records: table.records,
    datasets: datasets.length,
    kind,
    synthesized: synthesized.map((v) => names[v]!),
    tables,
    propensity,
    regressions,
    ...(regressions.length === 0 ? { regressionsReason: 'No synthesized variable has another one to be regressed on.' } : {}),
    patterns,
    ...(opened.patternsReason === undefined ? {} : { patternsReason: opened.patternsReason }),
    associations: {
      variables: [...associations.variables],
      original: associations.original.map((line) => [...line]),
      synthetic: associations.synthetic.map((line) => [...line]),
      meanAbsoluteDifference: associations.meanAbsoluteDifference,
      maxAbsoluteDifference: associations.maxAbsoluteDifference,
      mostChanged: associations.mostChanged && [...associations.mostChanged],
    },
  };
  return { summary: { ...summary, figures: figuresOf(summary) }, tables: compared };
}

const copyPattern = ({ records, values }: ReturnType<typeof comparePatterns>['shown'][number]) => ({
  records,
  values: values.map((value) => ({ ...value })),
});

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

function splitRows({ table, datasets }: UtilityInput, share: number, kind: 'full' | 'partial', open: OpenStream): SplitUtility {
  const split = (rows: CountedRows, name: string) => {
    const { chosen, others } = divideRows(rows, drawRecords(rows, Math.max(1, Math.round(share * rows.records)), open(name)));
    return { training: others, heldOut: chosen };
  };
  return {
    table: split(table, 'table'),
    datasets: datasets.map((dataset, l) => split(dataset, kind === 'partial' ? 'table' : `${l + 1}`)),
  };
}

/** Of some numbers the mean, of none null. */
function meanOrNull(values: readonly (number | null | undefined)[]): number | null {
  const defined = values.filter((value) => value !== null && value !== undefined);
  return defined.length === 0 ? null : defined.reduce((sum, value) => sum + value, 0) / defined.length;
}

/** One number a measure. */
function figuresOf({
  tables,
  propensity,
  regressions,
  patterns,
  associations,
}: Omit<UtilitySummary, 'figures'>): UtilitySummary['figures'] {
  const variation = (way: number) => tables.find((one) => one.way === way)?.totalVariation ?? null;
  const score = (terms: string) => propensity.find((one) => one.terms === terms)?.mean ?? null;
  return {
    oneWayTotalVariation: variation(1),
    twoWayTotalVariation: variation(2),
    threeWayTotalVariation: variation(3),
    propensityMain: score('main')?.pmse ?? null,
    propensityPairs: score('pairs')?.pmse ?? null,
    propensityTree: score('tree')?.pmse ?? null,
    propensityRatioMain: score('main')?.ratio ?? null,
    propensityRatioPairs: score('pairs')?.ratio ?? null,
    propensityRatioTree: score('tree')?.ratio ?? null,
    propensityRatioFormulaMain: score('main')?.ratioFormula ?? null,
    propensityRatioFormulaPairs: score('pairs')?.ratioFormula ?? null,
    intervalOverlapMean: meanOrNull(regressions.map((one) => one.meanIntervalOverlap)),
    standardizedDifferenceMean: meanOrNull(regressions.map((one) => one.meanAbsoluteStandardizedDifference)),
    patternDistanceMean: meanOrNull(patterns?.variables.map(({ meanDistance }) => meanDistance) ?? []),
    associationDifferenceMean: associations.meanAbsoluteDifference,
    associationDifferenceMax: associations.maxAbsoluteDifference,
  };
}
