import { z } from 'zod';

const positiveInteger = z.int().positive();

/** How the intruder's candidate values are chosen: the papers' R_i (000 section 3.1), or 000 eq. (16). */
export const candidatesSchema = z.union([
  z.literal('one-change'),
  z.strictObject({ unknown: z.array(z.string().min(1)).min(1) }),
]);

const variableOverrideSchema = z
  .strictObject({
    type: z.enum(['categorical', 'continuous']).optional(),
    categories: z.array(z.string()).min(1).optional(),
  })
  .describe('Overrides what is inferred for a variable; declared categories are the only ones accepted.');

const modelSchema = z.strictObject({
  name: z.literal('dpmpm').default('dpmpm'),
  classes: positiveInteger.default(40).describe('F, the truncation of the stick-breaking prior'),
  concentration: z
    .union([
      z.strictObject({ shape: z.number().positive(), rate: z.number().positive() }),
      z.strictObject({ value: z.number().positive() }),
    ])
    .default({ shape: 0.25, rate: 0.25 })
    .describe('Prior of alpha: Gamma(shape, rate), or a fixed value'),
});

const mcmcSchema = z.strictObject({
  chains: z.int().min(2).default(32).describe('Base chains: fresh, on the table'),
  burnIn: z.int().nonnegative().default(1000).describe('Iterations discarded by a fresh chain'),
  draws: z.int().min(4).default(50).describe('Draws kept from each base chain'),
  thin: positiveInteger.default(10).describe('Iterations between two kept draws of a base chain'),
  pairedChains: z.int().min(2).default(8).describe('Paired chains of each dataset on each side'),
  pairedDraws: z.int().min(4).default(150).describe('Draws kept from each paired chain'),
  pairedThin: positiveInteger.default(5).describe('Iterations between two kept draws of a paired chain'),
});

const synthesisSchema = z.strictObject({
  datasets: positiveInteger.default(5).describe('m, the number of synthetic datasets'),
  chains: z
    .enum(['own', 'one'])
    .default('own')
    .describe('own: each dataset from a chain of its own; one: spaced draws of one chain'),
  synthesized: z.literal('all').default('all'),
  missing: z.enum(['refuse', 'category']).default('refuse'),
});

const attributeRiskSchema = z.strictObject({
  estimator: z.enum(['augmented', 'parameters', 'importance']).default('augmented'),
  candidates: candidatesSchema.default('one-change'),
  prior: z.literal('uniform').default('uniform'),
  slope: z.number().positive().default(1).describe('Power of the likelihood, as found by a calibration'),
});

/** The config file, with every default filled in. Unknown fields are refused. */
export const configSchema = z
  .strictObject({
    table: z.string().min(1).optional().describe('Path of the confidential table, CSV or Parquet'),
    seed: z.int().nonnegative().default(1),
    variables: z.record(z.string(), variableOverrideSchema).default({}),
    model: modelSchema.prefault({}),
    mcmc: mcmcSchema.prefault({}),
    synthesis: synthesisSchema.prefault({}),
    attributeRisk: attributeRiskSchema.prefault({}),
    acceptance: z
      .array(z.string().min(1))
      .default([])
      .describe('Rules on the summary, for example "attributeRisk.truthRankedFirstShare <= 0.05"'),
  })
  .describe('Config of a synthrisk run');

/** A config with every default filled in. */
export type Config = z.output<typeof configSchema>;

/** How the intruder's candidate values are chosen. */
export type Candidates = z.infer<typeof candidatesSchema>;

/** Which probability is estimated; see `risk/attribute-estimators.ts` for their meaning. */
export type Estimator = Config['attributeRisk']['estimator'];
