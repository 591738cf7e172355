import { z } from 'zod';
import { PROPENSITY_TERMS } from '../config/utility.ts';
import { nonNegative, share } from '../number-schemas.ts';

const count = z.int().nonnegative();
const reason = z.string().optional();

/** Tables of counts of one number of variables (001 section 3.1). */
const comparedTablesSchema = z.strictObject({
  way: z.int().positive(),
  /** Tables that are compared, and those that there are. */
  tables: count,
  tablesInAll: count,
  /** Sum over tables of the sums of absolute differences between counts, mean over datasets: 001, Table 2. */
  sumAbsoluteDeviation: nonNegative,
  /** Mean over tables and datasets, and the largest of a table in a dataset. */
  meanAbsoluteDeviation: nonNegative,
  maxAbsoluteDeviation: nonNegative,
  /** 95 % interval of the mean over further datasets; null with a reason where there is one dataset. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  reason,
  /** Half of the mean by the records: the share of them that would have to move to another cell. */
  totalVariation: nonNegative,
  /** The same of each dataset. */
  totalVariationByDataset: z.array(nonNegative),
  /** What the mean is expected to be where records are drawn from the table; null with a reason where some variables are kept. */
  expected: nonNegative.nullable(),
  expectedReason: reason,
});

/** How far a dataset can be told from the table (004 eq. 6; Snoke et al. 2018). */
const propensityScoreSchema = z.strictObject({
  pmse: nonNegative,
  expected: nonNegative,
  /** Null where nothing is expected. */
  ratio: nonNegative.nullable(),
  standardized: z.number().nullable(),
});

const propensitySchema = z.strictObject({
  terms: z.enum(PROPENSITY_TERMS),
  /** Coefficients that could be estimated in the first dataset; of trees the leaves. */
  coefficients: count,
  /** Records of the table that were used. */
  records: count,
  /** Where the expectation is from; null where there is no score. */
  expectedBy: z.enum(['formula', 'pairs of rows', 'permutation']).nullable(),
  /** One element a dataset; null where it cannot be fitted. */
  datasets: z.array(propensityScoreSchema.nullable()),
  mean: propensityScoreSchema.nullable(),
  reason,
});

const estimateSchema = z.strictObject({
  estimate: z.number(),
  se: nonNegative,
  low: z.number(),
  high: z.number(),
});

/** One coefficient in the table, and in the datasets by combining rules. What is null has a reason. */
const coefficientSchema = z.strictObject({
  term: z.string(),
  original: estimateSchema.nullable(),
  synthetic: z
    .strictObject({
      estimate: z.number(),
      se: nonNegative.nullable(),
      /** Null where the interval is that of the normal distribution, or there is none. */
      df: nonNegative.nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
    })
    .nullable(),
  /** Karr et al. 2006; negative where intervals are apart. */
  intervalOverlap: z.number().nullable(),
  /** In standard errors of the table's estimate. */
  standardizedDifference: z.number().nullable(),
  reason,
});

const predictionSchema = z.strictObject({
  /** Of what is predicted of the source's own held-out records: at 0, 0.1, ..., 1 (001 Figure 2). */
  quantiles: z.array(z.number()),
  /** Of what is predicted of the table's held-out records. */
  meanSquaredError: nonNegative,
  /** Root mean square of what that differs by from the predictions of a regression on the table. */
  distance: nonNegative,
});

const regressionSchema = z.strictObject({
  formula: z.string(),
  family: z.enum(['linear', 'logistic', 'ordered']),
  /** Whether it was asked for, or stands in place of what was not. */
  asked: z.boolean(),
  records: count,
  coefficients: z.array(coefficientSchema),
  /** Over coefficients; intervals that are apart count as 0. */
  meanIntervalOverlap: share.nullable(),
  meanAbsoluteStandardizedDifference: nonNegative.nullable(),
  reason,
  heldOut: z.strictObject({
    records: count,
    original: predictionSchema.nullable(),
    datasets: z.array(predictionSchema.nullable()),
    reason,
  }),
});

/** Distributions of one variable within patterns: means over patterns of total variation distances (001 section 3.3). */
const patternsOfVariableSchema = z.strictObject({
  of: z.string(),
  patterns: count,
  meanDistance: share,
  /** By the records of a pattern; `to` is null for the largest. */
  classes: z.array(
    z.strictObject({
      from: count,
      to: count.nullable(),
      patterns: count,
      meanDistance: share,
      low: z.number().nullable(),
      high: z.number().nullable(),
    }),
  ),
  /** Some patterns, the largest first, with the shares of their commonest values (001 Figure 3). */
  shown: z.array(
    z.strictObject({
      records: count,
      values: z.array(z.strictObject({ value: z.string(), original: share, synthetic: share })),
    }),
  ),
});

const matrixSchema = z.array(z.array(z.number().nullable()));

/** How well datasets serve for what the table does (docs/explanation/utility.md): `summary.utility`, and what `utility` prints. */
export const utilitySummarySchema = z.strictObject({
  /** Records of the table that are compared: those without missing values where these are imputed. */
  records: count,
  datasets: count,
  kind: z.enum(['full', 'partial']),
  synthesized: z.array(z.string()),
  /** One number a measure, for rules and comparisons; null where it is not measured. */
  figures: z.strictObject({
    oneWayTotalVariation: share.nullable(),
    twoWayTotalVariation: share.nullable(),
    threeWayTotalVariation: share.nullable(),
    propensityMain: nonNegative.nullable(),
    propensityPairs: nonNegative.nullable(),
    propensityTree: nonNegative.nullable(),
    propensityRatioMain: nonNegative.nullable(),
    propensityRatioPairs: nonNegative.nullable(),
    propensityRatioTree: nonNegative.nullable(),
    intervalOverlapMean: share.nullable(),
    standardizedDifferenceMean: nonNegative.nullable(),
    patternDistanceMean: share.nullable(),
    associationDifferenceMean: nonNegative.nullable(),
    associationDifferenceMax: nonNegative.nullable(),
  }),
  tables: z.array(comparedTablesSchema),
  propensity: z.array(propensitySchema),
  regressions: z.array(regressionSchema),
  regressionsReason: reason,
  patterns: z
    .strictObject({ by: z.array(z.string()), variables: z.array(patternsOfVariableSchema) })
    .nullable(),
  patternsReason: reason,
  /** Cramér's V, correlation ratios and correlations; matrices are variables x variables. */
  associations: z.strictObject({
    variables: z.array(z.string()),
    original: matrixSchema,
    synthetic: matrixSchema,
    meanAbsoluteDifference: nonNegative.nullable(),
    maxAbsoluteDifference: nonNegative.nullable(),
    mostChanged: z.array(z.string()).nullable(),
  }),
});

/** Columns of `confidential/utility.csv` in their order, with their types in Parquet: one row a figure. */
export const UTILITY_COLUMNS = {
  measure: 'string',
  item: 'string',
  dataset: 'int32',
  figure: 'string',
  value: 'double',
} as const;

/** How well datasets serve for what the table does. */
export type UtilitySummary = z.infer<typeof utilitySummarySchema>;
/** One regression on the table and on the datasets. */
export type UtilityRegression = UtilitySummary['regressions'][number];

/** One row of `confidential/utility.csv`; `dataset` is 0 for what is of all, and `item` what the figure is of. */
export interface UtilityRow {
  readonly measure: string;
  readonly item: string;
  readonly dataset: number;
  readonly figure: string;
  readonly value: number | null;
}
