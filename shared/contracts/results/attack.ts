import { z } from 'zod';
import { nonNegative, share } from '../number-schemas.ts';

const count = z.int().nonnegative();
const reason = z.string().optional();

/** synthpop's measures of one target and its keys (Raab, Nowok and Dibben 2024), as shares of records. */
const disclosureFiguresSchema = z.strictObject({
  UiO: share,
  UiS: share,
  UiOiS: share,
  repU: share,
  Dorig: share,
  Dsyn: share,
  iS: share,
  DiS: share,
  DiSCO: share,
  DiSDiO: share,
  /** Most and mean number of records that one combination of keys discloses; the mean is null where none does. */
  maxDenom: nonNegative,
  meanDenom: nonNegative.nullable(),
  baseCAPd: share,
  CAPd: share,
  CAPs: share,
  DCAP: share,
  /** DiSCO / iS, which synthpop before 1.9-3 prints as TCAP: null where no record's keys are in the dataset. */
  TCAP_alt: share.nullable(),
  /** DiSCO / DiS: null where the keys of no record go with one value in the dataset. */
  TCAP: share.nullable(),
});

const disclosureSchema = z.strictObject({
  target: z.string(),
  keys: z.array(z.string()),
  datasets: z.array(disclosureFiguresSchema),
  /** Means over datasets; of what some dataset lacks null. */
  mean: disclosureFiguresSchema,
});

/** One attack of Anonymeter on one dataset (Giomi et al. 2023). Shares with 95 % intervals of Wilson. */
const attackOutcomeSchema = z.strictObject({
  attack: z.enum(['univariate', 'multivariate', 'linkability', 'inference']),
  /** Number of the dataset, from 1. */
  dataset: z.int().positive(),
  /** Of inference: what is inferred. */
  target: z.string().optional(),
  attempts: count,
  /** Of singling out: different queries that single out a record of the dataset; fewer than attempts where there are no more. */
  queries: count.optional(),
  successes: count,
  /** Share of attempts that succeed against the table, before anything is taken off for the control. */
  rate: share,
  rateLow: share,
  rateHigh: share,
  /** What is left of the rate beyond that against the control; the rate itself without one. */
  risk: share,
  low: share,
  high: share,
  /** Share of attempts that succeed by guessing. */
  baseline: share,
  baselineLow: share,
  baselineHigh: share,
  baselineAttempts: count,
  baselineSuccesses: count,
  /** Share of attempts that succeed against records that the release was not made from; null without a control. */
  control: share.nullable(),
  controlAttempts: count.nullable(),
  /** Of singling out carried over to a table of the same number of records, and no whole number then. */
  controlSuccesses: nonNegative.nullable(),
  reason,
});

const spreadSchema = z.strictObject({ mean: nonNegative, low5: nonNegative, median: nonNegative });

const nearestSchema = z.strictObject({
  /** Rows of the dataset whose closest record of the table was sought. */
  records: count,
  /** Mean, 5 % quantile and median, and the share of rows that equal a record. */
  distanceToClosest: spreadSchema.extend({ zeroShare: share }),
  ratio: spreadSchema,
  /** Share of rows that are closer to the table than to as many records of the control; ties count half. */
  shareCloserThanControl: share.nullable(),
  low: share.nullable(),
  high: share.nullable(),
});

const sudaSchema = z.strictObject({
  /** Keys of a minimal sample unique at most. */
  subsetSize: z.int().positive(),
  /** How many minimal sample uniques there are, by the number of their keys from 1. */
  minimalSampleUniques: z.array(count),
  records: count,
  scoreMean: nonNegative,
  scoreMax: nonNegative,
  /** Probability that a record that is unique in the sample is so in the population, over all of them: null without any unique or pair. */
  dis: share.nullable(),
  disScoreMean: share,
  disScoreMax: share,
  reason,
});

const keyCountsSchema = z.strictObject({
  sampleUniques: count,
  /** Least number of records that share their keys: the k of k-anonymity. */
  k: z.int().positive(),
  /** Records that share their keys with fewer than k records, themselves included. */
  violations: z.array(z.strictObject({ k: z.int().positive(), records: count, share })),
  individualRisk: z.strictObject({
    mean: share,
    max: share,
    /** Expected re-identifications: the sum over records. */
    expected: nonNegative,
  }),
  suda: sudaSchema,
});

/** What other tools measure of a release (docs/explanation/compared.md): what `attack` prints. */
export const attackSummarySchema = z.strictObject({
  records: count,
  controlRecords: count.nullable(),
  controlReason: reason,
  datasets: count,
  keys: z.array(z.string()),
  target: z.array(z.string()),
  /** Keys and targets that are continuous, and counted in bands. */
  banded: z.array(z.string()),
  samplingFraction: z.number().nullable(),
  disFraction: z.number(),
  disclosure: z.array(disclosureSchema),
  singlingOut: z.array(attackOutcomeSchema),
  linkability: z.array(attackOutcomeSchema),
  inference: z.array(attackOutcomeSchema),
  nearestNeighbour: nearestSchema.extend({ reason, datasets: z.array(nearestSchema) }),
  /** Of the table, and of each dataset. */
  keyCounts: keyCountsSchema.extend({ release: z.array(keyCountsSchema) }),
});

/** Columns of `confidential/attack.csv` in their order, with their types in Parquet: one row a figure. */
export const ATTACK_COLUMNS = {
  measure: 'string',
  item: 'string',
  dataset: 'int32',
  figure: 'string',
  value: 'double',
} as const;

/** Columns of `confidential/attack-records.csv`: one row a record of the table and target. */
export const ATTACK_RECORD_COLUMNS = {
  record: 'int32',
  target: 'string',
  key_count: 'int32',
  individual_risk: 'double',
  suda_score: 'double',
  dis_suda_score: 'double',
  replicated_unique: 'double',
  cap: 'double',
  disclosed: 'double',
  inferred: 'double',
  distance_to_closest: 'double',
} as const;

/** What other tools measure of a release. */
export type AttackSummary = z.infer<typeof attackSummarySchema>;
/** synthpop's measures of one target. */
export type DisclosureFigures = z.infer<typeof disclosureFiguresSchema>;
/** One attack of Anonymeter on one dataset. */
export type AttackOutcome = z.infer<typeof attackOutcomeSchema>;
/** Closest records of the rows of a dataset. */
export type NearestFigures = z.infer<typeof nearestSchema>;
/** What sdcMicro counts of the keys of a file. */
export type KeyCounts = z.infer<typeof keyCountsSchema>;

/** One row of `confidential/attack.csv`; `dataset` is 0 for what is of the table or of all, and `item` what the figure is of. */
export interface AttackRow {
  readonly measure: string;
  readonly item: string;
  readonly dataset: number;
  readonly figure: string;
  readonly value: number | null;
}
