import type { z } from 'zod';
import { SUMMARY_FIGURES } from './summary-figures.ts';

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
  // Errors, sizes, settings, and what holds without the release.
  [/Se$|\bstandardDeviation\b|\b(standardError|se|low|high|df|records|expected)$/, null],
  [/^(seed|table|model|synthesis)\b|\.original\.|\.next\.|Before$|\.inherent\.resamples$/, null],
  [/(Claimed|HalfLength|halfLength\..*|\.resamples|\.sweep\..*|recordRisks\..*|shown\..*|\.rows\..*)$/, null],
  [/(prior\w*|randomGuessingShare|paretoKThreshold|inherent\..*\.(minimum|maximum))$/, null],
  [/(eproducibility|effectiveDrawsMin|distinguishableShare|truthFoundShare|falseMatchRate)$/, 'larger'],
  [/([iI]ntervalOverlap\w*|truthRankMedian|rankMean(\.mean)?|gainBitsMissedShare)$/, 'larger'],
  [/^(attributeRisk|identificationRisk|attributeDisclosures)\..*(Bits|probability|Right|Share|Rate|Risk)/, 'smaller'],
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

function unitOf(path: string, { format, maxValue, minValue }: z.ZodNumber): string {
  const named = ofPath(UNITS, path);
  if (named !== undefined) return named;
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
    unit: unitOf(figure, schema),
    better: ofPath(BETTER, figure) ?? null,
    least: limit(schema.minValue),
    most: limit(schema.maxValue),
  }));
}
