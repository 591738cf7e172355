import * as z from 'zod';
import { PROPENSITY_TERMS } from '../config/utility.ts';
import { count, nonNegative, nonNegativeOrNull, number, numberOrNull, positiveInteger, share, shareOrNull } from '../number-schemas.ts';
import { errorsOf, intervalOf, kind, reason, synthesized, variable } from '../shared-fields.ts';

/** Tables of counts of one number of variables (Hu & Savitsky 2018, section 3.1). */
const comparedTablesSchema = z.strictObject({
  way: positiveInteger.describe('Number of variables.'),
  tables: count.describe('Tables that are compared.'),
  tablesInAll: count.describe('Tables that there are.'),
  sumAbsoluteDeviation: nonNegative.describe('Sums of absolute differences of counts, over tables; mean over datasets.'),
  meanAbsoluteDeviation: nonNegative.describe('Mean over tables and datasets.'),
  maxAbsoluteDeviation: nonNegative.describe('Largest of a table in a dataset.'),
  low: numberOrNull.describe('Lower end of the 95 % interval of the mean over further datasets; null for one dataset.'),
  high: numberOrNull.describe('Its upper end.'),
  reason,
  totalVariation: nonNegative.describe('Half of the mean by the records: the share of them that would have to move to another cell.'),
  totalVariationByDataset: z.array(nonNegative).describe('The same of each dataset.'),
  expected: nonNegativeOrNull.describe(
    'Mean where records are drawn from the table; null, with `expectedReason`, where variables are kept.',
  ),
  expectedReason: z.string().optional(),
});

/** How far a dataset can be told from the table (Hornby & Hu 2021, eq. 6; Snoke et al. 2018). */
const propensityScoreSchema = z.strictObject({
  pmse: nonNegative.describe('Mean squared difference of propensity scores from the share of synthetic rows.'),
  expected: nonNegative.describe('What chance gives, by what `expectedBy` names.'),
  expectedDeviation: nonNegativeOrNull.describe(
    'Standard deviation that chance gives the pMSE of one dataset, by what `expectedBy` names; null for a single permutation.',
  ),
  ratio: nonNegativeOrNull.describe('pMSE by what chance gives; null where nothing is expected.'),
  standardized: numberOrNull.describe('Difference from what chance gives in its standard deviations.'),
  expectedFormula: nonNegativeOrNull.describe(
    'What the formula of Snoke et al. (2018) gives: `formulaCoefficients` (1 - c)^2 c / N; null for trees. The same as `expected` where every variable is synthesized.',
  ),
  ratioFormula: nonNegativeOrNull.describe('pMSE by `expectedFormula`; null for trees, and where nothing is expected.'),
  standardizedFormula: numberOrNull.describe('Difference from `expectedFormula` in the standard deviations of the formula.'),
});

const propensitySchema = z.strictObject({
  terms: z.enum(PROPENSITY_TERMS).describe('`main`, `pairs` or `tree`.'),
  coefficients: count.describe('Coefficients that could be estimated in the first dataset; leaves of trees.'),
  records: count.describe('Records that were used.'),
  expectedBy: z.enum(['formula', 'pairs of rows', 'permutation']).nullable().describe('Where `expected` is from; null without a score.'),
  formulaCoefficients: count
    .nullable()
    .describe(
      'Coefficients that the formula counts in the first dataset: estimated ones beside kept variables and the intercept; null for trees, or without a score.',
    ),
  datasets: z.array(propensityScoreSchema.nullable()).describe('The scores of each dataset; null where none can be fitted.'),
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
  intervalOverlap: numberOrNull.describe('Overlap of both intervals (Karr et al. 2006); negative where they are apart.'),
  standardizedDifference: numberOrNull.describe('Difference in standard errors of the table’s.'),
  reason,
});

const predictionSchema = z.strictObject({
  quantiles: z.array(number).describe('Of predictions of the source’s own held-out records, at 0, 0.1, ..., 1.'),
  meanSquaredError: nonNegative.describe('Of predictions of the table’s held-out records.'),
  distance: nonNegative.describe('Root mean square difference from the predictions of a regression on the table.'),
});

const regressionSchema = z.strictObject({
  formula: z.string().describe('As R writes it.'),
  family: z.enum(['linear', 'logistic', 'ordered']).describe('`linear`, `logistic` or `ordered`.'),
  asked: z.boolean().describe('Whether it was asked for, or stands in place of what was not.'),
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
    .describe('What regressions say of records that they were not fitted to.'),
});

/** Distributions of one variable within patterns: means over patterns of total variation distances (Hu & Savitsky 2018, section 3.3). */
const patternsOfVariableSchema = z.strictObject({
  of: variable,
  patterns: count.describe('Patterns that there are.'),
  meanDistance: share.describe('Mean over patterns of total variation distances.'),
  classes: z
    .array(
      z.strictObject({
        from: count.describe('Records of a pattern from.'),
        to: count.nullable().describe('And to; null for the largest.'),
        patterns: count.describe('Patterns of the class.'),
        meanDistance: share.describe('Mean over patterns of total variation distances.'),
        ...intervalOf(numberOrNull),
      }),
    )
    .describe('The same by the records of a pattern.'),
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
    .describe('Some patterns, the largest first, with the shares of their commonest values.'),
});

/** One number a measure. */
const figuresSchema = z.strictObject({
  oneWayTotalVariation: shareOrNull.describe(
    'Share of records that would have to move to another cell of a table of one variable: mean. 0: equal tables.',
  ),
  twoWayTotalVariation: shareOrNull.describe('The same of two variables.'),
  threeWayTotalVariation: shareOrNull.describe('The same of three variables.'),
  propensityMain: nonNegativeOrNull.describe('pMSE with each variable as a term. 0: datasets cannot be distinguished from the table.'),
  propensityPairs: nonNegativeOrNull.describe('pMSE with pairs of variables.'),
  propensityTree: nonNegativeOrNull.describe('pMSE by a tree.'),
  propensityRatioMain: nonNegativeOrNull.describe(
    'pMSE by what chance gives, each variable; 1: as chance. By formula where every variable is synthesized, from pairs of rows where some are kept.',
  ),
  propensityRatioPairs: nonNegativeOrNull.describe('The same, pairs of variables.'),
  propensityRatioTree: nonNegativeOrNull.describe('The same, by a tree.'),
  propensityRatioFormulaMain: nonNegativeOrNull.describe(
    'pMSE by what the formula of Snoke et al. (2018) gives, each variable, whether variables are kept or not; 1: as chance.',
  ),
  propensityRatioFormulaPairs: nonNegativeOrNull.describe('The same, pairs of variables.'),
  intervalOverlapMean: shareOrNull.describe('Overlap of confidence intervals of regressions, mean. 1: equal.'),
  standardizedDifferenceMean: nonNegativeOrNull.describe('Differences of coefficients in standard errors of the table’s, mean.'),
  patternDistanceMean: shareOrNull.describe('Distance of distributions within patterns, mean. 0: equal.'),
  associationDifferenceMean: nonNegativeOrNull.describe('Difference of associations between pairs of variables, mean.'),
  associationDifferenceMax: nonNegativeOrNull.describe('The same: largest.'),
});

/** A share of values in the table beside that in the datasets. */
const besideFields = {
  original: share.describe('Share in the table.'),
  synthetic: share.describe('Mean share in the datasets.'),
  syntheticSe: nonNegativeOrNull.describe('Its standard error by the spread between datasets; null, with `reason`, for one dataset.'),
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
    .describe('Shares of values in bins of equal width on the declared scale, masses aside.'),
  masses: z
    .array(z.strictObject({ value: number.describe('The mass.'), ...besideFields }))
    .describe('Shares of the values that are declared as masses.'),
  heaping: z
    .strictObject({ step: number.describe('Power of ten at whose multiples the values of the table heap most.'), ...besideFields })
    .nullable()
    .describe('Share of values, masses aside, that are multiples of `step`; null where the table or a dataset has none.'),
  tails: z
    .strictObject({ low: number.describe('1st percentile of the table.'), high: number.describe('Its 99th percentile.'), ...besideFields })
    .describe('Share of values beyond the 1st and the 99th percentile of the table.'),
  reason,
});

/** Shares of a category, or of several, in table and datasets. */
const sharesFields = { original: besideFields.original, synthetic: besideFields.synthetic, syntheticSe: besideFields.syntheticSe };

/** How one variable is distributed in the table and in the datasets. */
const marginalSchema = z.strictObject({
  variable,
  totalVariation: share.describe('Share of records that would have to move to another category or bin: mean over datasets.'),
  categories: z
    .array(z.strictObject({ category: z.string().describe('The category, or the bin of a number.'), ...sharesFields }))
    .describe('The twelve categories that most records of the table have, in their order, or all where there are few.'),
  others: z
    .strictObject({ categories: count.describe('How many there are.'), ...sharesFields })
    .optional()
    .describe('All other categories together.'),
  reason,
});

const matrixSchema = z.array(z.array(numberOrNull));

/** How well datasets serve for what the table does (docs/explanation/utility.md): `summary.utility`, and what `utility` prints. */
export const utilitySummarySchema = z.strictObject({
  records: count.describe('Records that are compared: those without missing values where these are imputed.'),
  datasets: count.describe('Synthetic datasets.'),
  kind,
  synthesized,
  figures: figuresSchema.describe('One number a measure; null where it is not measured.'),
  figuresSe: errorsOf(figuresSchema).describe(
    'Standard errors of `figures` over releases, by the spread between datasets, and of the ratio by a tree by that of its permutations as well; null, with `figuresSeReason`, for one dataset or one figure of all.',
  ),
  figuresSeReason: z.string().describe('Why some errors of `figures` are null.'),
  tables: z.array(comparedTablesSchema).describe('Tables of counts, an element a number of variables.'),
  propensity: z.array(propensitySchema).describe('How far datasets can be distinguished from the table, an element a kind of score.'),
  regressions: z.array(regressionSchema).describe('Regressions on the table and on the datasets.'),
  regressionsReason: reason.describe('Why there are no regressions.'),
  patterns: z
    .strictObject({
      by: z.array(z.string()).describe('Variables whose values are the pattern.'),
      variables: z.array(patternsOfVariableSchema).describe('The others, one by one.'),
    })
    .nullable()
    .describe('Distributions of variables within patterns of others; null, with `patternsReason`, where there are none.'),
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
    .describe('Cramér’s V, correlation ratios and correlations between pairs of variables.'),
  distributions: z
    .array(distributionSchema)
    .optional()
    .describe('Of the model mixed: how each synthesized continuous variable is distributed in the table and in the datasets.'),
  marginals: z
    .array(marginalSchema)
    .optional()
    .describe('How each other synthesized variable is distributed in the table and in the datasets. What commands print lacks it.'),
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
