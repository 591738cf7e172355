import type { Radius } from '../../contracts/config/identification-scenario.ts';
import type { BoundedMeasure, BoundsRow, FoundBounds, MeasureDistribution, ReleasePosition } from '../../contracts/results/bounds.ts';
import type { MatchFigures } from '../../contracts/results/identification.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { quantile } from '../../numeric/quantile.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import type { Streams } from '../../random/streams.ts';
import type { Table } from '../../table/table.ts';
import { type AttributeDisclosures, attributeDisclosures } from '../identification/attribute-disclosures.ts';
import { type KeptPatterns, loneRecords, type Resampling, resampleUniformly, resampleWithinPatterns } from './resample-synthesized.ts';

/** Values of one measure; null where it is undefined. */
type Values = readonly (number | null)[];

/** One measure over the resamples of both bounds, and in the datasets of a release, null without one. */
export function boundedMeasure(minimum: Values, maximum: Values, release: Values | null): BoundedMeasure {
  const bounds = { minimum: distribution(minimum), maximum: distribution(maximum) };
  if (release === null) return bounds;
  return { ...bounds, release: releasePosition(release, definedOf(minimum), definedOf(maximum)) };
}

function distribution(values: Values): MeasureDistribution {
  const sorted = definedOf(values).sort();
  const defined = sorted.length;
  const at = (probability: number) => (defined === 0 ? null : quantile(sorted, probability));
  const deviation = spread(sorted);
  return {
    defined,
    mean: mean(sorted),
    standardDeviation: deviation,
    standardError: deviation === null ? null : deviation / Math.sqrt(defined),
    smallest: at(0),
    quantile05: at(0.05),
    quantile25: at(0.25),
    median: at(0.5),
    quantile75: at(0.75),
    quantile95: at(0.95),
    largest: at(1),
    ...(defined === 0 ? { reason: 'no resample defines it' } : {}),
    ...(defined === 1 ? { reason: 'one resample has no spread' } : {}),
  };
}

/** Where the mean over the datasets lies between the means of the bounds, and among their resamples. */
function releasePosition(release: Values, minimum: Float64Array, maximum: Float64Array): ReleasePosition {
  const values = definedOf(release);
  const centre = mean(values);
  const range = rangeOfMeans(minimum, maximum);
  const isPlaced = centre !== null && typeof range === 'object';
  const reason =
    centre === null ? 'no dataset defines it' : typeof range === 'string' ? range : values.length < 2 ? 'one dataset has no spread' : null;
  return {
    byDataset: [...release],
    mean: centre,
    standardDeviation: spread(values),
    smallest: centre === null ? null : Math.min(...values),
    largest: centre === null ? null : Math.max(...values),
    shareOfRange: isPlaced ? (centre - range.low) / range.length : null,
    resamples: centre === null ? null : { minimum: beyond(minimum, centre), maximum: beyond(maximum, centre) },
    ...(reason === null ? {} : { reason }),
  };
}

/** From the mean of one bound to that of the other; in words, why there is no such range. */
function rangeOfMeans(minimum: Float64Array, maximum: Float64Array): { low: number; length: number } | string {
  const [low, high] = [mean(minimum), mean(maximum)];
  if (low === null || high === null) return 'no resample of a bound defines it';
  const length = high - low;
  const errors = [minimum, maximum].map((values) => (spread(values) ?? 0) / Math.sqrt(values.length));
  const error = Math.sqrt(errors[0]! * errors[0]! + errors[1]! * errors[1]!);
  if (length === 0) return 'both bounds have the same mean';
  if (Math.abs(length) <= 2 * error) return 'the bounds differ by no more than their Monte Carlo error';
  return { low, length };
}

function beyond(values: Float64Array, value: number): { below: number; above: number } {
  return { below: values.filter((other) => other < value).length, above: values.filter((other) => other > value).length };
}

function definedOf(values: Values): Float64Array {
  return Float64Array.from(values.filter((value) => value !== null));
}

function mean(values: Float64Array): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function spread(values: Float64Array): number | null {
  return values.length < 2 ? null : standardDeviation(values);
}

/** What an intruder is assumed to know, as the bounds' document has it. */
export type BoundedScenario = Pick<FoundBounds['identificationRisk'][number], 'scenario' | 'known' | 'synthesized' | 'radii' | 'shape'>;

/** The two scenarios of Hu & Savitsky (2018), section 4.1: what discloses least, and what discloses most. */
export const BOUNDS = ['minimum', 'maximum'] as const;

/** One of the two scenarios. */
export type Bound = (typeof BOUNDS)[number];

/** What is measured of every resample, and of every dataset of a release. */
export interface DisclosureMeasures {
  readonly disclosures: Pick<AttributeDisclosures, 'count' | 'countByVariable'>;
  readonly matchFigures: readonly MatchFigures[];
}

/** How a dataset is measured. */
export interface DisclosureRule {
  /** By variable of the table; undefined where continuous values must be equal. */
  readonly radii: readonly (Radius | undefined)[];
  /** One for each identification scenario: its risk in a dataset whose records are in the table's order. */
  readonly matchers: readonly ((synthetic: Table) => MatchFigures)[];
}

/** Measures one dataset, a resample or one that might be released. */
export function measureDisclosure(
  { table, synthesized }: Pick<Resampling, 'table' | 'synthesized'>,
  { radii, matchers }: DisclosureRule,
  synthetic: Table,
): DisclosureMeasures {
  const { count, countByVariable } = attributeDisclosures(table, synthetic, synthesized, radii);
  return { disclosures: { count, countByVariable }, matchFigures: matchers.map((match) => match(synthetic)) };
}

/**
 * Measures resample `resample` (from 1) of a bound, by a random stream of its own: it is the same in whichever order
 * resamples are drawn.
 */
export function measureResample(
  resampling: Resampling,
  rule: DisclosureRule,
  bound: Bound,
  resample: number,
  streams: Streams,
): DisclosureMeasures {
  const stream = streams.open(`inherent/${bound}/${resample}`);
  const draw = bound === 'minimum' ? resampleUniformly : resampleWithinPatterns;
  return measureDisclosure(resampling, rule, draw(resampling, stream));
}

/** What the bounds of a table are found from. */
export interface BoundsRequest {
  readonly resampling: Resampling;
  /** Quantile bands of the patterns, as they were formed. */
  readonly bands: number;
  readonly rule: DisclosureRule;
  /** The scenarios of `rule.matchers`, in their order. */
  readonly scenarios: readonly BoundedScenario[];
  readonly resamples: number;
  readonly seed: number;
  /** Datasets of a release, in the table's codes and order; may be none. */
  readonly datasets: readonly Table[];
}

/** Measures of every resample of both bounds, and of the datasets of the release. */
export type BoundsMeasures = Record<Bound, DisclosureMeasures[]> & { readonly release: DisclosureMeasures[] };

/** The bounds as documents: the summary without its run, and the rows of `inherent.csv`. */
export interface Bounds {
  readonly found: Omit<FoundBounds, 'version' | 'runId'>;
  readonly rows: BoundsRow[];
}

/**
 * Measures one resample after the other, each bound in turn, then the release. It yields after each, {@link
 * measurementCount} at the end.
 */
export function* measureBounds(request: BoundsRequest, streams: Streams): Stepwise<BoundsMeasures> {
  const { resampling, rule, resamples, datasets } = request;
  const measures: BoundsMeasures = { minimum: [], maximum: [], release: [] };
  let done = 0;
  for (let resample = 1; resample <= resamples; resample++) {
    for (const bound of BOUNDS) {
      measures[bound].push(measureResample(resampling, rule, bound, resample, streams));
      yield ++done;
    }
  }
  for (const dataset of datasets) {
    measures.release.push(measureDisclosure(resampling, rule, dataset));
    yield ++done;
  }
  return measures;
}

/** How many measurements {@link measureBounds} makes. */
export function measurementCount({ resamples, datasets }: BoundsRequest): number {
  return BOUNDS.length * resamples + datasets.length;
}

/** Puts the measures of resamples and release together: the summary without its run, and the rows of `inherent.csv`. */
export function summarizeBounds(request: BoundsRequest, measures: BoundsMeasures): Bounds {
  const { resampling, bands, rule, scenarios, resamples, seed, datasets } = request;
  const { table, synthesized, patterns } = resampling;
  const names = table.schema.variables.map(({ name }) => name);
  const over = (measure: (of: DisclosureMeasures) => number | null): BoundedMeasure =>
    boundedMeasure(
      measures.minimum.map(measure),
      measures.maximum.map(measure),
      datasets.length === 0 ? null : measures.release.map(measure),
    );
  const identificationRisk = scenarios.map((scenario, index) => {
    const ofScenario = (measure: Exclude<keyof MatchFigures, 'falseMatchRateReason'>) =>
      over(({ matchFigures }) => matchFigures[index]![measure]);
    return {
      ...scenario,
      expectedMatchRisk: ofScenario('expectedMatchRisk'),
      trueMatchRate: ofScenario('trueMatchRate'),
      falseMatchRate: ofScenario('falseMatchRate'),
      uniqueMatches: ofScenario('uniqueMatches'),
    };
  });
  const attributeDisclosures = {
    radii: Object.fromEntries(synthesized.flatMap((variable) => (rule.radii[variable] ? [[names[variable]!, rule.radii[variable]]] : []))),
    all: over(({ disclosures }) => disclosures.count),
    byVariable: synthesized.map((variable, k) => ({
      variable: names[variable]!,
      ...over(({ disclosures }) => disclosures.countByVariable[k]!),
    })),
  };
  const kept = table.schema.variables.filter((_, variable) => !synthesized.includes(variable));
  const lone = loneRecords(patterns);
  const found = {
    seed,
    table: { records: table.records, variables: names.length },
    synthesized: synthesized.map((variable) => names[variable]!),
    kept: kept.map(({ name }) => name),
    patterns: {
      count: patterns.count,
      bands,
      banded: kept.flatMap(({ name, type }) => (type === 'continuous' ? [name] : [])),
      loneRecords: lone,
      loneRecordShare: lone / table.records,
    },
    resamples,
    datasets: datasets.length,
    attributeDisclosures,
    identificationRisk,
    warnings: [
      ...lonePatternWarning(patterns, table.records),
      ...beyondMaximum('exact attribute disclosures', attributeDisclosures.all),
      ...identificationRisk.flatMap(({ scenario, expectedMatchRisk }) =>
        beyondMaximum(`the expected match risk of scenario ${scenario}`, expectedMatchRisk),
      ),
    ],
  };
  return { found, rows: boundsRows(scenarios, measures) };
}

/** Most records alone in their patterns for which the maximum still says something of a perfect synthesizer. */
const LONE_RECORD_SHARE = 0.5;

function lonePatternWarning(patterns: KeptPatterns, records: number): Warning[] {
  const share = loneRecords(patterns) / records;
  if (share <= LONE_RECORD_SHARE) return [];
  return [
    {
      code: 'patterns-of-one-record',
      message: `${(100 * share).toFixed(1)} % of the records share their pattern of kept variables with no other. The maximum gives them their true values, and is close to a copy of the table: fewer bands for continuous variables make larger patterns.`,
    },
  ];
}

/** More risk than nearly every resample of a perfect synthesizer has. */
function beyondMaximum(what: string, { maximum, release }: BoundedMeasure): Warning[] {
  if (release?.mean == null || maximum.largest === null || release.mean <= maximum.largest) return [];
  return [
    {
      code: 'release-beyond-maximum',
      message: `In the release ${what} are on average larger than in every resample of the maximum: it discloses more than a perfect synthesizer would.`,
    },
  ];
}

/** The rows of `inherent.csv`: scenario within resample within bound. */
function boundsRows(scenarios: readonly BoundedScenario[], measures: Readonly<Record<Bound, readonly DisclosureMeasures[]>>): BoundsRow[] {
  return BOUNDS.flatMap((bound) =>
    measures[bound].flatMap(({ disclosures, matchFigures }, index) =>
      matchFigures.map((figures, scenario) => ({
        bound,
        resample: index + 1,
        scenario: scenarios[scenario]!.scenario,
        exact_disclosures: disclosures.count,
        expected_match_risk: figures.expectedMatchRisk,
        true_match_rate: figures.trueMatchRate,
        false_match_rate: figures.falseMatchRate,
        unique_matches: figures.uniqueMatches,
      })),
    ),
  );
}
