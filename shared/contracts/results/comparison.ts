import * as z from 'zod';
import { nonNegativeOrNull, number, numberOrNull, positiveInteger } from '../number-schemas.ts';
import { kind, reason, runId, synthesized, version } from '../shared-fields.ts';

const ERROR_COVERS = ['simulation', 'simulation and release', 'datasets'] as const;

const runFigureSchema = z.strictObject({
  value: numberOrNull.describe('Its value; null where undefined.'),
  reason,
  se: nonNegativeOrNull.describe('Its standard error.'),
  seReason: z.string().optional(),
  halfWidth: nonNegativeOrNull.describe('Half-width of its 95 % interval (Student’s t).'),
  datasets: z.array(number).nullable().describe('Value by dataset.'),
  spread: z
    .strictObject({
      least: number.describe('Smallest.'),
      lowerQuartile: number.describe('25 % quantile.'),
      median: number.describe('Median.'),
      upperQuartile: number.describe('75 % quantile.'),
      most: number.describe('Largest.'),
    })
    .nullable()
    .describe('Quantiles over datasets.'),
});

const figuresSchema = z.record(z.string(), runFigureSchema.describe('One measure.'));

const comparedRunSchema = z.strictObject({
  runId,
  name: z.string().describe('Name.'),
  model: z.string().describe('Name of the synthesizer.'),
  datasets: positiveInteger.describe('Synthetic datasets.'),
  kind,
  synthesized,
  risk: figuresSchema.describe('Measures of risk, by name.'),
  utility: figuresSchema.describe('Measures of utility, by name.'),
});

const measureSchema = z.strictObject({
  name: z.string().describe('Path in `summary.json`.'),
  of: z.enum(['risk', 'utility']).describe('`risk` or `utility`.'),
  better: z.enum(['smaller', 'larger']).describe('Which of two values is better.'),
  covers: z.enum(ERROR_COVERS).nullable().describe('What its errors cover.'),
  caution: z.string().optional().describe('Why values of these runs are not comparable.'),
});

const dominatedSchema = z.strictObject({
  run: z.string().describe('Name of the run.'),
  by: z
    .array(
      z.strictObject({
        run: z.string().describe('Name of the run.'),
        beyondErrors: z.boolean().describe('Whether by more than half of the difference’s 95 % interval.'),
      }),
    )
    .describe('Runs with no more risk and no less utility.'),
});

const differenceSchema = z.strictObject({
  measure: z.string().describe('Name of the measure.'),
  a: z.string().describe('One run.'),
  b: z.string().describe('The other.'),
  difference: number.describe('b less a.'),
  se: nonNegativeOrNull.describe('Its standard error.'),
  seReason: z.string().optional(),
  halfWidth: nonNegativeOrNull.describe('Half-width of its 95 % interval (Student’s t).'),
  covers: z.enum(ERROR_COVERS).nullable().describe('What its errors cover.'),
});

/** What `compare` prints with `--json`, and `confidential/comparison.json`: runs of one table side by side. */
export const comparisonSchema = z.strictObject({
  version,
  runs: z.array(comparedRunSchema).min(2).describe('The runs.'),
  measures: z.array(measureSchema).describe('Measures that at least two runs have.'),
  map: z
    .strictObject({ risk: z.string().describe('That of risk.'), utility: z.string().describe('That of utility.') })
    .nullable()
    .describe('Measures by which runs dominate each other.'),
  mapReason: z.string().optional(),
  dominated: z.array(dominatedSchema).describe('Runs that another one beats.'),
  differences: z.array(differenceSchema).describe('Pairs of runs, measure by measure.'),
});

/** Runs of one table side by side. */
export type Comparison = z.infer<typeof comparisonSchema>;
/** One of them. */
export type ComparedRun = Comparison['runs'][number];
/** One measure of one run. */
export type RunFigure = z.infer<typeof runFigureSchema>;
/** A measure that runs have in common. */
export type Measure = Comparison['measures'][number];
