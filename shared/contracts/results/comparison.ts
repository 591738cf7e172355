import { z } from 'zod';
import { nonNegative } from '../number-schemas.ts';

/** What the standard errors of a measure hold. */
const ERROR_COVERS = ['simulation', 'simulation and release', 'datasets'] as const;

/** One measure of one run. */
const runFigureSchema = z.strictObject({
  /** Null, with a reason, where it is undefined. */
  value: z.number().nullable(),
  reason: z.string().optional(),
  /** Null, with a reason, where it is not known. */
  se: nonNegative.nullable(),
  seReason: z.string().optional(),
  /** One element a dataset; null for a measure of all datasets together. */
  datasets: z.array(z.number()).nullable(),
  /** Of the datasets, quantiles by linear interpolation; null without them. */
  spread: z
    .strictObject({
      least: z.number(),
      lowerQuartile: z.number(),
      median: z.number(),
      upperQuartile: z.number(),
      most: z.number(),
    })
    .nullable(),
});

const figuresSchema = z.record(z.string(), runFigureSchema);

const comparedRunSchema = z.strictObject({
  runId: z.string(),
  name: z.string(),
  model: z.string(),
  datasets: z.int().positive(),
  kind: z.enum(['full', 'partial']),
  synthesized: z.array(z.string()),
  /** By name of the measure: its path in `summary.json`, as acceptance rules have it. */
  risk: figuresSchema,
  utility: figuresSchema,
});

const measureSchema = z.strictObject({
  name: z.string(),
  of: z.enum(['risk', 'utility']),
  /** Which of two values has less risk, or more utility. */
  better: z.enum(['smaller', 'larger']),
  /** What its standard errors hold; null where it has none. */
  covers: z.enum(ERROR_COVERS).nullable(),
  /** Why values of these runs are not of the same thing. */
  caution: z.string().optional(),
});

const dominatedSchema = z.strictObject({
  run: z.string(),
  /** Runs that have no more risk and no less utility, and one of them better. */
  by: z.array(
    z.strictObject({
      run: z.string(),
      /** Whether a measure that is better is so by more than 1.96 standard errors of the difference. */
      beyondErrors: z.boolean(),
    }),
  ),
});

const differenceSchema = z.strictObject({
  measure: z.string(),
  a: z.string(),
  b: z.string(),
  /** b less a. */
  difference: z.number(),
  se: nonNegative.nullable(),
  seReason: z.string().optional(),
  covers: z.enum(ERROR_COVERS).nullable(),
});

/** What `compare` prints with `--json`, and `confidential/comparison.json`: runs of one table side by side. */
export const comparisonSchema = z.strictObject({
  version: z.string(),
  runs: z.array(comparedRunSchema).min(2),
  /** Those that two runs have at least. */
  measures: z.array(measureSchema),
  /** The measures of the map, by which runs dominate each other; null with a reason where all runs share none. */
  map: z.strictObject({ risk: z.string(), utility: z.string() }).nullable(),
  mapReason: z.string().optional(),
  dominated: z.array(dominatedSchema),
  differences: z.array(differenceSchema),
});

/** Runs of one table side by side. */
export type Comparison = z.infer<typeof comparisonSchema>;
/** One of them. */
export type ComparedRun = Comparison['runs'][number];
/** One measure of one run. */
export type RunFigure = z.infer<typeof runFigureSchema>;
/** A measure that runs have in common. */
export type Measure = Comparison['measures'][number];
