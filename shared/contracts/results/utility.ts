import * as z from 'zod';
import { PROPENSITY_TERMS } from '../config/utility.ts';
import { count, nonNegative, nonNegativeOrNull, number, numberOrNull, positiveInteger, share, shareOrNull } from '../number-schemas.ts';
import { errorsOf, intervalOf, kind, reason, synthesized, variable } from '../shared-fields.ts';

/** Tables of counts of one number of variables (Hu & Savitsky 2018, section 3.1). */
const comparedTablesSchema = z.strictObject({
  way: positiveInteger.describe('Number of variables.'),
  tables: count.describe('Tables that are compared.'),
  tablesInAll: count.describe('Tables that there are.'),
  sumAbsoluteDeviation: nonNegative.describe('Sum of absolute differences of counts; mean over datasets.'),
  meanAbsoluteDeviation: nonNegative.describe('Mean over tables and datasets.'),
  maxAbsoluteDeviation: nonNegative.describe('Largest of a table in a dataset.'),
  low: numberOrNull.describe('Lower end of the mean’s 95 % interval.'),
  high: numberOrNull.describe('Its upper end.'),
  reason,
  totalVariation: nonNegative.describe('Half the mean over records: the share to move.'),
  totalVariationByDataset: z.array(nonNegative).describe('The same of each dataset.'),
  expected: nonNegativeOrNull.describe('Mean for records drawn from the table.'),
  expectedReason: z.string().optional(),
});

/** How far a dataset can be told from the table (Hornby & Hu 2021, eq. 6; Snoke et al. 2018). */
const propensityScoreSchema = z.strictObject({
  pmse: nonNegative.describe('Mean squared difference of propensity scores from the synthetic share.'),
  expected: nonNegative.describe('Expected by chance.'),
  expectedDeviation: nonNegativeOrNull.describe('Its standard deviation for one dataset.'),
  ratio: nonNegativeOrNull.describe('pMSE over `expected`.'),
  standardized: numberOrNull.describe('Difference from `expected` in its standard deviations.'),
  expectedFormula: nonNegativeOrNull.describe('By Snoke et al. (2018): `formulaCoefficients` (1 - c)^2 c / N.'),
  ratioFormula: nonNegativeOrNull.describe('pMSE over `expectedFormula`.'),
  standardizedFormula: numberOrNull.describe('Difference from `expectedFormula` in its standard deviations.'),
});

const propensitySchema = z.strictObject({
  terms: z.enum(PROPENSITY_TERMS).describe('`main`, `pairs` or `tree`.'),
  coefficients: count.describe('Coefficients estimated, or leaves of the tree, of the first dataset.'),
  records: count.describe('Records that were used.'),
  expectedBy: z.enum(['formula', 'pairs of rows', 'permutation']).nullable().describe('Where `expected` is from.'),
  formulaCoefficients: count.nullable().describe('Coefficients that the formula counts, of the first dataset.'),
  datasets: z.array(propensityScoreSchema.nullable()).describe('Scores by dataset.'),
  mean: propensityScoreSchema.nullable().describe('Their means.'),
  reason,
});

const estimateSchema = z.strictObject({
  estimate: number.describe('Estimate.'),
  se: nonNegative.describe('Its standard error.'),
  ...intervalOf(number),
});

/** One coefficient in the table, and in the datasets by combining rules. What is null has a reason. */
const coefficientSchema = z.strictObject({
  term: z.string().describe('`SEX=2`, or `(intercept)`.'),
  original: estimateSchema.nullable().describe('In the table.'),
  synthetic: z
    .strictObject({
      estimate: number.describe('Estimate.'),
      se: nonNegativeOrNull.describe('Its standard error.'),
      df: nonNegativeOrNull.describe('Degrees of freedom; null for a normal interval.'),
      ...intervalOf(numberOrNull),
    })
    .nullable()
    .describe('In the datasets, by combining rules.'),
  intervalOverlap: numberOrNull.describe('Overlap of both intervals (Karr et al. 2006); negative if apart.'),
  standardizedDifference: numberOrNull.describe('Difference in the table’s standard errors.'),
  reason,
});

const predictionSchema = z.strictObject({
  quantiles: z.array(number).describe('Quantiles 0, 0.1, ..., 1 of predictions of the source’s held-out records.'),
  meanSquaredError: nonNegative.describe('Of predictions of the table’s held-out records.'),
  distance: nonNegative.describe('Root mean square difference from predictions of the table’s regression.'),
});

const regressionSchema = z.strictObject({
  formula: z.string().describe('As R writes it.'),
  family: z.enum(['linear', 'logistic', 'ordered']).describe('`linear`, `logistic` or `ordered`.'),
  asked: z.boolean().describe('Whether it was asked for; else a stand-in.'),
  records: count.describe('Records of the table that were used.'),
  coefficients: z.array(coefficientSchema).describe('Its coefficients.'),
  meanIntervalOverlap: shareOrNull.describe('Mean over coefficients; intervals apart count as 0.'),
  meanAbsoluteStandardizedDifference: nonNegativeOrNull.describe('Mean of absolute differences.'),
  reason,
  heldOut: z
    .strictObject({
      records: count.describe('Records that were held out.'),
      original: predictionSchema.nullable().describe('Of a regression on the table.'),
      datasets: z.array(predictionSchema.nullable()).describe('Of one on each dataset.'),
      reason,
    })
    .describe('How they predict held-out records.'),
});

/** Distributions of one variable within patterns: means over patterns of total variation distances (Hu & Savitsky 2018, section 3.3). */
const patternsOfVariableSchema = z.strictObject({
  of: variable,
  patterns: count.describe('Patterns that there are.'),
  meanDistance: share.describe('Mean total variation distance over patterns.'),
  classes: z
    .array(
      z.strictObject({
        from: count.describe('Records of a pattern from.'),
        to: count.nullable().describe('And to; null for the largest.'),
        patterns: count.describe('Patterns of the class.'),
        meanDistance: share.describe('Mean total variation distance over patterns.'),
        ...intervalOf(numberOrNull),
      }),
    )
    .describe('The same by a pattern’s records.'),
  shown: z
    .array(
      z.strictObject({
        records: count.describe('Records of the pattern.'),
        values: z
          .array(
            z.strictObject({
              value: z.string().describe('The value.'),
              original: share.describe('Its share in the table.'),
              synthetic: share.describe('Its share in the datasets.'),
            }),
          )
          .describe('Its commonest values.'),
      }),
    )
    .describe('The largest patterns, with their commonest values.'),
});

/** One number a measure. */
const figuresSchema = z.strictObject({
  oneWayTotalVariation: shareOrNull.describe('Share of records to move to another cell in tables of one variable. 0: equal.'),
  twoWayTotalVariation: shareOrNull.describe('The same of two variables.'),
  threeWayTotalVariation: shareOrNull.describe('The same of three variables.'),
  propensityMain: nonNegativeOrNull.describe('pMSE, main effects. 0: indistinguishable.'),
  propensityPairs: nonNegativeOrNull.describe('pMSE with pairs of variables.'),
  propensityTree: nonNegativeOrNull.describe('pMSE by a tree.'),
  propensityRatioMain: nonNegativeOrNull.describe(
    'pMSE ratio, main effects. 1: chance. By formula, or pairs of rows where variables are kept.',
  ),
  propensityRatioPairs: nonNegativeOrNull.describe('The same, pairs of variables.'),
  propensityRatioTree: nonNegativeOrNull.describe('The same, by a tree.'),
  propensityRatioFormulaMain: nonNegativeOrNull.describe('pMSE over Snoke et al. (2018), main effects. 1: chance.'),
  propensityRatioFormulaPairs: nonNegativeOrNull.describe('The same, pairs of variables.'),
  intervalOverlapMean: shareOrNull.describe('Mean overlap of confidence intervals of regressions. 1: equal.'),
  standardizedDifferenceMean: nonNegativeOrNull.describe('Mean difference of coefficients, in the table’s standard errors.'),
  patternDistanceMean: shareOrNull.describe('Mean distance of distributions within patterns. 0: equal.'),
  associationDifferenceMean: nonNegativeOrNull.describe('Mean difference of associations between pairs of variables.'),
  associationDifferenceMax: nonNegativeOrNull.describe('The same: largest.'),
});

/** A share of values in the table beside that in the datasets. */
const besideFields = {
  original: share.describe('Share in the table.'),
  synthetic: share.describe('Mean share in the datasets.'),
  syntheticSe: nonNegativeOrNull.describe('Its standard error by the spread between datasets.'),
  datasets: z.array(share).describe('The share in each dataset.'),
};

/** How a continuous variable is distributed: what a reader sees of a model that knows no heaps and has wide tails. */
const distributionSchema = z.strictObject({
  variable,
  bins: z
    .array(
      z.strictObject({
        from: number.describe('Where the bin begins.'),
        to: number.describe('Where it ends.'),
        original: share.describe('Share in the table.'),
        synthetic: share.describe('Mean share in the datasets.'),
      }),
    )
    .describe('Shares in bins of equal width, without masses.'),
  masses: z.array(z.strictObject({ value: number.describe('The mass.'), ...besideFields })).describe('Shares at the declared masses.'),
  heaping: z
    .strictObject({ step: number.describe('Power of ten at which the table heaps most.'), ...besideFields })
    .nullable()
    .describe('Share of values, masses aside, that are multiples of `step`.'),
  tails: z
    .strictObject({ low: number.describe('1st percentile of the table.'), high: number.describe('Its 99th percentile.'), ...besideFields })
    .describe('Share beyond the table’s 1st and 99th percentiles.'),
  reason,
});

/** Shares of a category, or of several, in table and datasets. */
const sharesFields = { original: besideFields.original, synthetic: besideFields.synthetic, syntheticSe: besideFields.syntheticSe };

/** How one variable is distributed in the table and in the datasets. */
const marginalSchema = z.strictObject({
  variable,
  totalVariation: share.describe('Share of records to move to another category or bin.'),
  categories: z
    .array(z.strictObject({ category: z.string().describe('The category, or bin of a number.'), ...sharesFields }))
    .describe('Up to twelve of the table’s commonest categories.'),
  others: z
    .strictObject({ categories: count.describe('How many there are.'), ...sharesFields })
    .optional()
    .describe('All other categories together.'),
  reason,
});

const matrixSchema = z.array(z.array(numberOrNull));

/** How well datasets serve for what the table does (docs/explanation/utility.md): `summary.utility`, and what `utility` prints. */
export const utilitySummarySchema = z.strictObject({
  records: count.describe('Records compared, without missing values where imputed.'),
  datasets: count.describe('Synthetic datasets.'),
  kind,
  synthesized,
  figures: figuresSchema.describe('One number a measure; null if not measured.'),
  figuresSe: errorsOf(figuresSchema).describe('Standard errors by the spread between datasets; the tree’s includes its permutations.'),
  figuresSeReason: z.string().describe('Why some errors of `figures` are null.'),
  tables: z.array(comparedTablesSchema).describe('Tables of counts, by number of variables.'),
  propensity: z.array(propensitySchema).describe('Distinguishability (pMSE), by kind of score.'),
  regressions: z.array(regressionSchema).describe('Regressions on table and datasets.'),
  regressionsReason: reason.describe('Why there are no regressions.'),
  patterns: z
    .strictObject({
      by: z.array(z.string()).describe('Variables whose values are the pattern.'),
      variables: z.array(patternsOfVariableSchema).describe('The others, one by one.'),
    })
    .nullable()
    .describe('Distributions within patterns of other variables.'),
  patternsReason: z.string().optional(),
  associations: z
    .strictObject({
      variables: z.array(z.string()).describe('Names of variables.'),
      original: matrixSchema.describe('Of the table, variables x variables.'),
      synthetic: matrixSchema.describe('Of the datasets.'),
      meanAbsoluteDifference: nonNegativeOrNull.describe('Mean difference between them.'),
      maxAbsoluteDifference: nonNegativeOrNull.describe('Largest difference.'),
      mostChanged: z.array(z.string()).nullable().describe('The pair of the largest.'),
    })
    .describe('Cramér’s V, correlation ratios and correlations.'),
  distributions: z.array(distributionSchema).optional().describe('Model mixed: distributions of synthesized continuous variables.'),
  marginals: z.array(marginalSchema).optional().describe('Distributions of other synthesized variables; not printed.'),
});

/** What was measured: the figures, and the tables of counts one by one. */
export const measuredUtilitySchema = z.strictObject({
  summary: utilitySummarySchema,
  tables: z.array(
    z.strictObject({
      variables: z.array(count).readonly().describe('Indices of its variables.'),
      deviations: z.array(z.number()).readonly().describe('Sum of absolute differences between counts, one element a dataset.'),
      expected: z
        .number()
        .nullable()
        .describe('What the sum is expected to be of a dataset that draws records of the table; null where some variables are kept.'),
    }),
  ),
});

/** What was measured: the figures, and the tables of counts one by one. */
export type MeasuredUtility = z.infer<typeof measuredUtilitySchema>;
/** How far the counts of one table are from those of the datasets. */
export type ComparedTable = MeasuredUtility['tables'][number];

/** How one variable is distributed in the table and in the datasets. */
export type UtilityMarginal = z.infer<typeof marginalSchema>;

/** How well datasets serve for what the table does. */
export type UtilitySummary = z.infer<typeof utilitySummarySchema>;
/** How one continuous variable is distributed in the table and in the datasets. */
export type UtilityDistribution = z.infer<typeof distributionSchema>;
/** One regression on the table and on the datasets. */
export type UtilityRegression = UtilitySummary['regressions'][number];
