import { namesInWords } from '../../shared/contracts/in-command.ts';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import type { UtilityRegression, UtilitySummary } from '../../shared/contracts/results/utility.ts';
import { copiesLines } from '../../shared/report/words/copies-in-words.ts';
import { formatCount, formatFigure, formatMeasured, formatPercent, formatQuantity } from '../../shared/report/words/format-number.ts';
import { chanceInWords, EXPECTED_IN_WORDS, PROPENSITY_FIGURES, TERMS_IN_WORDS } from '../../shared/report/words/utility-in-words.ts';
import type { TableCopies } from '../../shared/risk/copies/count-copies.ts';
import { acceptanceLines } from './print-acceptance.ts';
import { type Printing, writeFindings } from './write-lines.ts';

/** Coefficients of a regression that are listed at most. */
const LISTED_COEFFICIENTS = 12;

const figure = (value: number | null | undefined) => (value === null || value === undefined ? '-' : formatFigure(value));

function tableLines({ tables }: UtilitySummary): string[] {
  return tables.map(({ way, tables: compared, tablesInAll, meanAbsoluteDeviation, low, high, totalVariation, expected }) => {
    const interval = low === null ? '' : ` (95 % interval ${formatFigure(low)} to ${formatFigure(high!)})`;
    const chance = expected === null ? '' : `; ${formatFigure(expected)} expected by chance`;
    return `  ${way}-way tables            ${formatPercent(totalVariation)} of records in another cell; mean absolute difference ${formatFigure(meanAbsoluteDeviation)}${interval}${chance}; ${compared < tablesInAll ? `${formatCount(compared)} of ${formatQuantity(tablesInAll, 'table')}` : formatQuantity(compared, 'table')}`;
  });
}

function propensityLines({ propensity, figuresSe }: UtilitySummary): string[] {
  return propensity.map(({ terms, mean, expectedBy, reason }) => {
    const name = `  distinguishability, ${TERMS_IN_WORDS[terms]}`;
    if (mean === null || expectedBy === null) return `${name}: not measured: ${reason}`;
    const errors = PROPENSITY_FIGURES[terms];
    const ratio = mean.ratio === null ? '-' : formatMeasured(mean.ratio, figuresSe[errors.ratio]);
    const chance = chanceInWords(mean);
    const formula = expectedBy === 'pairs of rows' ? `; ${figure(mean.ratioFormula)} times by the formula of Snoke et al. (2018)` : '';
    return `${name}: pMSE ratio ${ratio}, 1 expected by chance; pMSE ${formatMeasured(mean.pmse, figuresSe[errors.pmse])} (${EXPECTED_IN_WORDS[expectedBy]}${chance === null ? '' : `; ${chance}`})${formula}`;
  });
}

/** A formula without the category that a response is compared with, which is a value of the table. */
const withoutCategory = (formula: string) => formula.replace(/ == .* ~ /s, ' (one category) ~ ');

/** The variable that a regression predicts. */
const responseOf = (formula: string) => formula.replace(/( == .*)? ~ .*/s, '');

/**
 * A term without categories, which are values of the table: the name of a variable with the place of the coefficient in the
 * report, or the place alone. Terms of numbers and the intercept stay as they are.
 */
function shownTerm(term: string, index: number, variables: readonly string[]): string {
  if (term === '(intercept)' || term.split(':').every((part) => variables.includes(part))) return term;
  const [longest] = variables.filter((name) => term.startsWith(`${name}=`)).sort((a, b) => b.length - a.length);
  return longest === undefined ? `coefficient ${index + 1}` : `${longest} (coefficient ${index + 1})`;
}

/** Of regressions without any overlap, as of one dataset, whose coefficients have no intervals. */
const NOT_COMPARED = 'no interval could be compared';

/** What is left without an interval overlap in a regression. */
const withoutOverlap = ({ coefficients }: UtilityRegression) => coefficients.filter((one) => one.intervalOverlap === null);

/** A regression that was asked for. */
function regressionLines(regression: UtilityRegression, names: readonly string[]): string[] {
  const { formula, family, meanIntervalOverlap, coefficients, heldOut } = regression;
  const error = heldOut.original
    ? `; of held-out records squared error ${formatFigure(heldOut.original.meanSquaredError)} from the table`
    : '';
  const own = heldOut.datasets.filter((one) => one !== null);
  const mean = own.reduce((sum, one) => sum + one.meanSquaredError, 0) / own.length;
  const others = own.length > 0 ? `, ${formatFigure(mean)} from the datasets` : '';
  const undefinedOnes = withoutOverlap(regression);
  const reasons = [...new Set(undefinedOnes.map(({ reason }) => reason ?? 'its interval has no width'))];
  const left = reasons.length === 0 ? [] : [`    ${undefinedOnes.length} coefficients without: ${reasons.join('; ')}`];
  const listed = coefficients.slice(0, LISTED_COEFFICIENTS);
  return [
    `  ${formula} (${family}): ${meanIntervalOverlap === null ? NOT_COMPARED : `intervals overlap by ${formatPercent(meanIntervalOverlap)} on average`}${error}${others}`,
    ...left,
    ...listed.map((one, index) => coefficientLine(one, shownTerm(one.term, index, names))),
  ];
}

/** The regressions that nobody asked for, all in one line: of each variable on the others. */
function defaultRegressionLines(regressions: readonly UtilityRegression[]): string[] {
  if (regressions.length === 0) return [];
  const overlaps = regressions.flatMap(({ formula, meanIntervalOverlap }) =>
    meanIntervalOverlap === null ? [] : [{ formula, overlap: meanIntervalOverlap }],
  );
  const name = `  ${formatQuantity(regressions.length, 'regression')} of one variable on the others`;
  const without = regressions.flatMap(withoutOverlap).length;
  const left = without === 0 ? '' : `; ${formatQuantity(without, 'coefficient')} could not be compared; the report says why`;
  if (overlaps.length === 0) return [`${name}: ${NOT_COMPARED}; the report says why`];
  const mean = overlaps.reduce((sum, { overlap }) => sum + overlap, 0) / overlaps.length;
  const least = overlaps.reduce((lowest, one) => (one.overlap < lowest.overlap ? one : lowest));
  return [
    `${name}: intervals overlap by ${formatPercent(mean)} on average, least of ${responseOf(least.formula)} (${formatPercent(least.overlap)})${left}`,
  ];
}

function coefficientLine({ original, synthetic, intervalOverlap }: UtilityRegression['coefficients'][number], term: string): string {
  const interval = (of: { low: number | null; high: number | null } | null) =>
    of === null || of.low === null ? '[-]' : `[${formatFigure(of.low)}, ${formatFigure(of.high!)}]`;
  return `    ${term}: ${figure(original?.estimate)} ${interval(original)} in the table, ${figure(synthetic?.estimate)} ${interval(synthetic)} in the datasets, overlap ${figure(intervalOverlap)}`;
}

/**
 * Utility as it is printed, where logs may keep it. Categories are values of the table: terms of coefficients are without
 * them, formulas that nobody typed without the category that a response is compared with, their coefficients and the values
 * within patterns are left out. Report and tables have all.
 */
export function withoutValues(utility: UtilitySummary): UtilitySummary {
  const { marginals: _, ...others } = utility;
  const { variables } = utility.associations;
  const regressions = utility.regressions.map((one) => {
    if (!one.asked) return { ...one, formula: withoutCategory(one.formula), coefficients: [] };
    const coefficients = one.coefficients.map((own, index) => ({ ...own, term: shownTerm(own.term, index, variables) }));
    return { ...one, coefficients };
  });
  const patterns = utility.patterns && { ...utility.patterns, variables: utility.patterns.variables.map((own) => ({ ...own, shown: [] })) };
  return { ...others, regressions, patterns };
}

/** Utility as lines for a person. */
export function utilityLines(utility: UtilitySummary): string[] {
  const { patterns, associations } = utility;
  return [
    `Utility, ${formatQuantity(utility.datasets, 'dataset')} beside ${formatQuantity(utility.records, 'record')}`,
    ...tableLines(utility),
    ...propensityLines(utility),
    ...utility.regressions.filter(({ asked }) => asked).flatMap((one) => regressionLines(one, associations.variables)),
    ...defaultRegressionLines(utility.regressions.filter(({ asked }) => !asked)),
    ...(utility.regressionsReason === undefined ? [] : [`  regressions: none. ${utility.regressionsReason}`]),
    ...(patterns === null
      ? []
      : patterns.variables.map(
          ({ of, meanDistance, patterns: count }) =>
            `  ${of} within ${formatQuantity(count, 'pattern')} of ${namesInWords(patterns.by)}: distance ${formatFigure(meanDistance)} (0 the same, 1 nothing in common)`,
        )),
    associations.mostChanged === null
      ? '  associations: none are defined'
      : `  associations           differ by ${formatFigure(associations.meanAbsoluteDifference!)} on average, most between ${associations.mostChanged.join(' and ')} (${formatFigure(associations.maxAbsoluteDifference!)})`,
    `  Where no error is given: ${utility.figuresSeReason}`,
  ];
}

/** Prints what `utility` found: the document without values of the table as JSON, or lines for a person. */
export function printUtility(
  utility: UtilitySummary,
  { acceptance, copies, sampleUniques }: TableCopies & Pick<Summary, 'acceptance'>,
  printing: Printing,
): void {
  if (printing.json) {
    const shown = { ...withoutValues(utility), copies };
    const judged = acceptance.length === 0 ? shown : { ...shown, acceptance };
    process.stdout.write(`${JSON.stringify(judged, null, 2)}\n`);
    return;
  }
  writeFindings([...utilityLines(utility), ...copiesLines(copies, sampleUniques), ...acceptanceLines(acceptance, false)], printing);
}
