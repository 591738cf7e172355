import type { PropensityTerms, UtilitySettings } from '../contracts/config/utility.ts';
import type { MeasuredUtility, UtilitySummary } from '../contracts/results/utility.ts';
import type { Stepwise } from '../contracts/stepwise.ts';
import { standardDeviation } from '../numeric/spread.ts';
import { associationMatrix, compareAssociations } from './associations.ts';
import { propensityOfScores, propensityOfTrees, regressionTerms } from './measure-propensity.ts';
import type { OpenedUtility } from './open-utility.ts';
import { type PreparedUtility, prepareUtility, regressionsOf } from './prepare-utility.ts';
import type { PropensityScore } from './propensity.ts';
import { summarizeTables } from './table-deviations.ts';
import type { UtilityInput } from './utility-input.ts';
import { listedParts, type UtilityFindings, utilityParts } from './utility-parts.ts';
import { utilityWork } from './utility-work.ts';

/** Units of work that {@link measureUtility} takes, about microseconds. */
export const utilityUnits = ({ table, datasets }: UtilityInput, opened: OpenedUtility): number =>
  utilityWork(table, datasets.length, opened, regressionsOf(table, opened)).total;

/**
 * Measures how well datasets serve for what the table does (docs/explanation/utility.md), in this thread. Models are fitted to as many
 * records as the settings say at most, drawn by chance; all else takes all records. Equal streams give equal bytes.
 */
export function* measureUtility(...given: Parameters<typeof prepareUtility>): Stepwise<MeasuredUtility> {
  const prepared = prepareUtility(...given);
  const found: unknown[] = [];
  let done = 0;
  for (const { units, measure } of listedParts(prepared)) {
    found.push(measure());
    done += units;
    yield done;
  }
  return joinUtility(prepared, found);
}

/** What was measured, from what {@link listedParts} found in their order, wherever it was found. */
export function joinUtility(prepared: PreparedUtility, found: readonly unknown[]): MeasuredUtility {
  const { opened, given, fitted, trees } = prepared;
  const { settings, kind, synthesized } = opened;
  const { table, datasets } = given;
  const names = table.schema.variables.map(({ name }) => name);
  const take = inTurn(found);
  const findings = Object.fromEntries(
    Object.entries(utilityParts(prepared)).map(([name, { length }]) => [name, take(length)]),
  ) as UtilityFindings;
  const sources = [table, ...datasets].map((_, s) => findings.associations.slice(s * names.length, (s + 1) * names.length));
  const [ofTable, ...ofDatasets] = sources.map(associationMatrix);
  const takeTables = inTurn(findings.tables);
  const tables = prepared.tables.map(({ way, sets, inAll }) => summarizeTables(way, takeTables(sets.length), inAll, table.records));
  const scored = regressionTerms(opened);
  const propensity = [...new Set(settings.propensity)].map((terms) => {
    if (terms === 'tree') return propensityOfTrees(trees!, findings.trees);
    const first = scored.indexOf(terms) * datasets.length;
    return propensityOfScores(terms, fitted.table.records, kind, findings.scores.slice(first, first + datasets.length));
  });
  const { regressions, patterns, distributions, marginals } = findings;
  const summary: Unsummarized = {
    records: table.records,
    datasets: datasets.length,
    kind,
    synthesized: synthesized.map((v) => names[v]!),
    tables,
    propensity,
    regressions,
    ...(regressions.length === 0 && { regressionsReason: 'No synthesized variable has another one to be regressed on.' }),
    patterns: opened.patterns && { by: opened.patterns.by.map((v) => names[v]!), variables: patterns },
    ...(opened.patternsReason !== undefined && { patternsReason: opened.patternsReason }),
    associations: compareAssociations(names, ofTable!, ofDatasets, new Set(synthesized)),
    ...(distributions.length > 0 && { distributions }),
    marginals,
  };
  return { summary: { ...summary, ...figuresOf(summary, settings) }, tables: findings.tables };
}

/** Takes the next so many of some elements. */
function inTurn<Element>(elements: readonly Element[]): (count: number) => Element[] {
  let taken = 0;
  return (count) => {
    taken += count;
    return elements.slice(taken - count, taken);
  };
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
  /** The standard error that all datasets share; null where it is not known. */
  readonly sharedSe?: number | null;
}

const ONE_DATASET =
  'One dataset does not tell how datasets differ: measure all datasets of the release. What chance alone does to the pMSE of one dataset is known all the same (expectedDeviation).';
const TOGETHER =
  'Overlaps, standardized differences, distances within patterns and differences of associations are one figure of all datasets together, whose error is not known.';

const ONE_PERMUTATION = 'Of one permutation no error of the pMSE ratio by a tree is known either.';

/**
 * The standard error of a pMSE ratio for the permutations by which its denominator is found, to first order: the same in all
 * datasets, which the spread between them does not show. Null where it is not known.
 */
function permutationSe(mean: PropensityScore | null | undefined, permutations: number): number | null {
  if (!mean || mean.ratio === null || mean.expectedDeviation === null) return null;
  return (mean.ratio * mean.expectedDeviation) / mean.expected / Math.sqrt(permutations);
}

/** One number a measure, with its error. */
function figuresOf(
  summary: Unsummarized,
  { propensity: asked, permutations }: UtilitySettings,
): Pick<UtilitySummary, 'figures' | 'figuresSe' | 'figuresSeReason'> {
  const { tables, propensity, regressions, patterns, associations } = summary;
  const variation = (way: number): Figure => {
    const found = tables.find((one) => one.way === way);
    return { value: found?.totalVariation ?? null, datasets: found?.totalVariationByDataset ?? null };
  };
  const score = (terms: PropensityTerms, name: 'pmse' | 'ratio' | 'ratioFormula'): Figure => {
    const found = propensity.find((one) => one.terms === terms);
    return { value: found?.mean?.[name] ?? null, datasets: found?.datasets.map((one) => one?.[name] ?? null) ?? null };
  };
  const scoreOfTree = propensity.find(({ terms }) => terms === 'tree');
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
    propensityRatioTree: { ...score('tree', 'ratio'), sharedSe: permutationSe(scoreOfTree?.mean, permutations) },
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
  const isOfOne = asked.includes('tree') && permutations === 1;
  const reasons = [summary.datasets === 1 ? ONE_DATASET : TOGETHER, ...(isOfOne ? [ONE_PERMUTATION] : [])];
  return {
    figures: each(({ value }) => value),
    figuresSe: each(({ datasets, sharedSe = 0 }) => bothErrors(errorBetween(datasets ?? []), sharedSe)),
    figuresSeReason: reasons.join(' '),
  };
}

/** An error of two parts that do not depend on each other; null where one is not known. */
const bothErrors = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.sqrt(one * one + other * other);

/** The standard error of the mean of what datasets have; null where it is not defined in all of them, or of one alone. */
function errorBetween(datasets: readonly (number | null)[]): number | null {
  const defined = datasets.filter((value) => value !== null);
  return defined.length < 2 || defined.length < datasets.length ? null : standardDeviation(defined) / Math.sqrt(defined.length);
}
