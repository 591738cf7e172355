import { z } from 'zod';
import { epsilonSchema, positiveInteger } from '../number-schemas.ts';

/** Names of the synthesizers. */
export const MODEL_NAMES = ['dpmpm', 'dp-areal', 'cart', 'beta-binomial', 'dirichlet-multinomial'] as const;

/** Prior of the concentration of a Dirichlet process: Gamma(shape, rate), or a fixed value. */
const concentrationSchema = z.union([
  z.strictObject({ shape: z.number().positive(), rate: z.number().positive() }),
  z.strictObject({ value: z.number().positive() }),
]);

/** A Dirichlet process mixture of products of multinomials (000 section 2). */
const dpmpmSchema = z.strictObject({
  // Optional beneath its default, so that settings without a name are told apart as this model's.
  name: z.literal('dpmpm').optional().default('dpmpm'),
  classes: positiveInteger.default(40).describe('F, the truncation of the stick-breaking prior'),
  concentration: concentrationSchema
    .default({ shape: 0.25, rate: 0.25 })
    .describe('Prior of alpha: Gamma(shape, rate), or a fixed value'),
});

/** A Dirichlet process over the patterns of the kept variables, with Poisson-lognormal counts (001 section 2.2). */
const arealSchema = z.strictObject({
  name: z.literal('dp-areal'),
  clusters: positiveInteger.default(50).describe('K, the truncation of the Dirichlet process over patterns'),
  concentration: concentrationSchema
    .default({ shape: 1, rate: 1 })
    .describe('Prior of the concentration: Gamma(shape, rate), or a fixed value'),
});

/** Sequential classification and regression trees (004 section 3). */
const cartSchema = z.strictObject({
  name: z.literal('cart'),
  minimumLeaf: positiveInteger.default(5).describe('Records of a leaf at least'),
  complexity: z
    .number()
    .nonnegative()
    .default(1e-8)
    .describe('Share of the risk of the root by which a split must lower it'),
  predictors: z
    .enum(['kept', 'none'])
    .default('kept')
    .describe('What predicts a variable beside those synthesized before it: all kept variables, or none'),
  smoothing: z
    .boolean()
    .default(false)
    .describe('Continuous values from a smoothed leaf, not its own values'),
  proper: z
    .boolean()
    .default(false)
    .describe(
      "Each tree of each dataset grown on a bootstrap sample of the records, as synthpop's proper = TRUE: attribute risk is then not measured",
    ),
});

/** The counts of cells, smoothed so that all datasets together are epsilon-differentially private (003). */
const ofCounts = {
  epsilon: epsilonSchema.describe('Epsilon of differential privacy, in nats, for all datasets together'),
};
const betaBinomialSchema = z
  .strictObject({ name: z.literal('beta-binomial'), ...ofCounts })
  .describe('One variable of two declared categories (003)');
const dirichletMultinomialSchema = z
  .strictObject({ name: z.literal('dirichlet-multinomial'), ...ofCounts })
  .describe('All cells of the declared categories of every variable');

/** The synthesizer of a run; without a name the first. */
export const modelSchema = z.discriminatedUnion('name', [
  dpmpmSchema,
  arealSchema,
  cartSchema,
  betaBinomialSchema,
  dirichletMultinomialSchema,
]);

type Model = z.output<typeof modelSchema>;

/** A model of the counts of cells, whose risk is known exactly. */
export type CountModel = Extract<Model, { epsilon: number }>;

/** True for a model of the counts of cells. */
export const isCountModel = (model: Model): model is CountModel => 'epsilon' in model;
