import * as z from 'zod';
import { summarySchema } from '../results/summary.ts';
import { meaningByName } from '../shared-fields.ts';
import { didYouMean } from './nearest-name.ts';

/** A number of `summary.json`, and what it means. */
type SummaryFigure = { readonly schema: z.ZodNumber; readonly meaning: string | null };

const figures = new Map<string, SummaryFigure>();
const scenarioLists = new Set<string>();

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

const isNumber = (schema: unknown): boolean =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? isNumber(schema.unwrap()) : schema instanceof z.ZodNumber;

/** Notes the numbers of a value and of what it may hold; `said` is what a schema around it says that it means. */
function note(schema: unknown, path: string, said?: string): void {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    note(schema.unwrap(), path, said ?? schema.description);
  }
  // A list of bare numbers is no figure of its own.
  else if (schema instanceof z.ZodArray && !isNumber(schema.element)) note(schema.element, path);
  else if (schema instanceof z.ZodDiscriminatedUnion) for (const one of schema.options) note(one, path);
  else if (schema instanceof z.ZodNumber && !figures.has(path)) {
    figures.set(path, { schema, meaning: said ?? schema.description ?? meaningByName(lastOf(path), []) });
  } else if (schema instanceof z.ZodObject) {
    if ('scenario' in schema.shape) scenarioLists.add(path);
    for (const [name, field] of Object.entries(schema.shape)) note(field, path === '' ? name : `${path}.${name}`);
  }
}
// What rules come to is not for other rules.
const { acceptance: _, ...judged } = summarySchema.shape;
for (const [name, field] of Object.entries(judged)) note(field, name);

/** Every number of `summary.json` that a rule can name, by its path without regard to lists: `attributeRisk.gainBitsMean`. */
export const SUMMARY_FIGURES: ReadonlyMap<string, SummaryFigure> = figures;

/** Paths of lists with an element a scenario, behind which a rule may name one. */
export const SCENARIO_LISTS: ReadonlySet<string> = scenarioLists;

/** ` (did you mean attributeRisk.gainBitsMean?)`: the figure nearest to a path that is none, also where it lacks its beginning. */
export function suggestFigure(path: string): string {
  const names = [...SUMMARY_FIGURES.keys()];
  const whole = didYouMean(path, names);
  if (whole !== '') return whole;
  // The first, since what a rule is about stands before its parts.
  const ending = names.find((name) => lastOf(name).toLowerCase() === lastOf(path).toLowerCase());
  return ending === undefined ? '' : ` (did you mean ${ending}?)`;
}

/** A figure that an acceptance rule can name. */
export interface AcceptanceFigure {
  /** As a rule names it. */
  readonly figure: string;
  readonly meaning: string | null;
  readonly unit: string;
  /** Which of two values is better; null for what is neither, such as an error or a number of records. */
  readonly better: 'smaller' | 'larger' | null;
  /** The least and the most that it can be; null where there is no limit. */
  readonly least: number | null;
  readonly most: number | null;
}

/** Which value is better, by the path of a figure: the first that fits. */
const BETTER: readonly (readonly [path: RegExp, better: AcceptanceFigure['better']])[] = [
  // What ratios of membership are held to, and the people beside.
  [/\.membership\.(othersCount|meanInverseRatioMembers|meanRatioOthers|power|roc\..*)$/, null],
  [
    /\.reconstruction\.(candidates|baselineRecords|cellsShare|curve\..*|calibration\..*|.*(guesses|baseline|expected|missed|byControl))$/,
    null,
  ],
  // Errors, sizes, settings, and what holds without the release.
  [/Se($|\.)|\bstandardDeviation\b|\b(standardError|se|low|high|df|records|expected(Formula|Deviation)?)$/, null],
  [/^(seed|table|model|synthesis)\b|\.original\.|\.next\.|Before$|\.inherent\.resamples$/, null],
  [/(Claimed|HalfLength|halfLength\..*|\.resamples|\.sweep\..*|recordRisks\..*|shown\..*|\.rows\..*)$/, null],
  [/(prior\w*|randomGuessingShare|paretoKThreshold|inherent\..*\.(minimum|maximum))$/, null],
  [/(eproducibility|effectiveDrawsMin|distinguishableShare|truthFoundShare|falseMatchRate)$/, 'larger'],
  [/([iI]ntervalOverlap\w*|truthRankMedian|rankMean(\.mean)?|gainBitsMissedShare)$/, 'larger'],
  [/^(attributeRisk|identificationRisk|attributeDisclosures)\..*(Bits|probability|Right|Share|Rate|Risk)/, 'smaller'],
  [/\.withinAfter$/, 'smaller'],
  [/\.(crps|width|medianError)After$/, 'larger'],
  [/\.membership\.(auc|foundAt\w+|balancedAccuracy)$/, 'smaller'],
  [/\.reconstruction\..*(hits|share|aboveBaseline)$/, 'smaller'],
  [/(privacyLoss\w*|provenRecords|valuesGivenAway|truthRankedFirst|uniqueMatches|heavyTailShare)$/, 'smaller'],
  [/(changeInErrors|paretoKMax|broken\w*|probability\w*|attributeDisclosures\..*)$/, 'smaller'],
  [/(uniqueValues\.released|\.release|shareOfRange)$/, 'smaller'],
  [/^utility\.(figures|propensity|associations)\.|(Deviation|Variation|Distance|distance|Error|Difference)$/, 'smaller'],
];

/** What a figure counts or measures, by the end of its path: the first that fits. */
const UNITS: readonly (readonly [path: RegExp, unit: string])[] = [
  [/[bB]its/, 'bits'],
  [/privacyLoss|epsilon/, 'nats'],
  [/truthRankMedian|rankMean|\.rank$/, 'rank'],
  [/expectedMatchRisk|uniqueMatches|provenRecords|truthRankedFirst$|\.records$/, 'records'],
  [/^attributeDisclosures\..*(mean|standardDeviation|smallest|largest)$/, 'records'],
  [/[sS]eed$/, 'number'],
];

const ofPath = <Value>(table: readonly (readonly [RegExp, Value])[], path: string): Value | undefined =>
  table.find(([pattern]) => pattern.test(path))?.[1];

function unitOf({ format, maxValue, minValue }: z.ZodNumber): string {
  if (minValue === 0 && maxValue === 1) return 'share of 1';
  return format === 'safeint' ? 'count' : 'number';
}

/** Whole numbers have the limits of double precision, which say nothing. */
const limit = (value: number | null): number | null => (value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value);

/** All figures that acceptance rules can name, from the schema of the summary. */
export function acceptanceFigures(): AcceptanceFigure[] {
  return Array.from(SUMMARY_FIGURES, ([figure, { schema, meaning }]) => ({
    figure,
    meaning,
    unit: ofPath(UNITS, figure) ?? unitOf(schema),
    better: ofPath(BETTER, figure) ?? null,
    least: limit(schema.minValue),
    most: limit(schema.maxValue),
  }));
}
