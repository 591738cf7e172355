import * as z from 'zod';
import { nonNegativeOrNull, number, numberOrNull, positiveInteger } from '../number-schemas.ts';
import { kind, reason, runId, synthesized, version } from '../shared-fields.ts';

const ERROR_COVERS = ['simulation', 'simulation and release', 'datasets'] as const;

const runFigureSchema = z.strictObject({
  value: numberOrNull.describe('Its value; null with a reason where it is undefined.'),
  reason,
  se: nonNegativeOrNull.describe('Its standard error; null, with `seReason`, where it is not known.'),
  seReason: z.string().optional(),
  halfWidth: nonNegativeOrNull.describe(
    'Half of the width of its 95 % interval, by Student’s t for releases and datasets; null as its error is.',
  ),
  datasets: z.array(number).nullable().describe('The value of each dataset; null for a measure of all together.'),
  spread: z
    .strictObject({
      least: number.describe('Smallest.'),
      lowerQuartile: number.describe('25 % quantile.'),
      median: number.describe('Median.'),
      upperQuartile: number.describe('75 % quantile.'),
      most: number.describe('Largest.'),
    })
    .nullable()
    .describe('Quantiles over datasets, by linear interpolation; null without them.'),
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
  name: z.string().describe('Path in `summary.json`, as acceptance rules have it.'),
  of: z.enum(['risk', 'utility']).describe('`risk` or `utility`.'),
  better: z.enum(['smaller', 'larger']).describe('Which of two values is better.'),
  covers: z.enum(ERROR_COVERS).nullable().describe('What its errors hold; null where it has none.'),
  caution: z.string().optional().describe('Why values of these runs are not of the same thing.'),
});

const dominatedSchema = z.strictObject({
  run: z.string().describe('Name of the run.'),
  by: z
    .array(
      z.strictObject({
        run: z.string().describe('Name of the run.'),
        beyondErrors: z.boolean().describe('Whether by more than half of the 95 % interval of the difference.'),
      }),
    )
    .describe('Runs that have no more risk and no less utility, and one of them better.'),
});

const differenceSchema = z.strictObject({
  measure: z.string().describe('Name of the measure.'),
  a: z.string().describe('One run.'),
  b: z.string().describe('The other.'),
  difference: number.describe('b less a.'),
  se: nonNegativeOrNull.describe('Its standard error; null, with `seReason`, where it is not known.'),
  seReason: z.string().optional(),
  halfWidth: nonNegativeOrNull.describe('Half of the width of its 95 % interval; null as its error is.'),
  covers: z.enum(ERROR_COVERS).nullable().describe('What its errors hold; null where it has none.'),
});

/** What `compare` prints with `--json`, and `confidential/comparison.json`: runs of one table side by side. */
export const comparisonSchema = z.strictObject({
  version,
  runs: z.array(comparedRunSchema).min(2).describe('The runs.'),
  measures: z.array(measureSchema).describe('Measures that two runs have at least.'),
  map: z
    .strictObject({ risk: z.string().describe('That of risk.'), utility: z.string().describe('That of utility.') })
    .nullable()
    .describe('The measures by which runs dominate each other; null, with `mapReason`, where all share none.'),
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
