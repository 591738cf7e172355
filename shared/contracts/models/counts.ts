import * as z from 'zod';
import { scoresCells } from '../candidates.ts';
import { UnsupportedOptionError } from '../errors.ts';
import { epsilonSchema } from '../number-schemas.ts';
import type { AskedConfig, Given, ModelFacts } from './model-facts.ts';
import { refuseChains, refuseZeros } from './refusals.ts';

/** The counts of cells, smoothed so that all datasets together are epsilon-differentially private (McClure & Reiter 2012). */
const ofCounts = { epsilon: epsilonSchema.describe('Epsilon of differential privacy, in nats, for all datasets together') };

/** What the models of counts have in common. */
const COUNTS = { references: [], method: 'counted', fits: 'combinations', offers: [] } as const;

/** One variable of two declared categories. */
export const betaBinomialFacts = {
  name: 'beta-binomial',
  settings: z
    .strictObject({ name: z.literal('beta-binomial'), ...ofCounts })
    .describe('One variable of two declared categories (McClure & Reiter 2012)'),
  inWords: 'a beta-binomial model of counts',
  ...COUNTS,
  refuse: (given, config) => refuseBeyondCounts('beta-binomial', given, config),
} as const satisfies ModelFacts;

/** All cells of the declared categories. */
export const dirichletMultinomialFacts = {
  name: 'dirichlet-multinomial',
  settings: z
    .strictObject({ name: z.literal('dirichlet-multinomial'), ...ofCounts })
    .describe('All cells of the declared categories of every variable'),
  inWords: 'a Dirichlet-multinomial model of counts',
  ...COUNTS,
  refuse: (given, config) => refuseBeyondCounts('dirichlet-multinomial', given, config),
} as const satisfies ModelFacts;

/** Refuses what does not go with a model of counts, which makes whole records and whose risk is exact. */
function refuseBeyondCounts(name: string, given: Given, config: AskedConfig): void {
  const { synthesis, attributeRisk } = config;
  refuseChains('no-chains', name, (given.mcmc ?? {}) as Given, given.synthesis as Given | undefined);
  if (synthesis.synthesized !== 'all') {
    throw new UnsupportedOptionError(
      'partial-counts',
      `The model ${name} synthesizes all variables: epsilon says nothing of variables that are released as they are. Leave synthesis.synthesized out, and others than these out of the table.`,
    );
  }
  if (synthesis.missing !== 'refuse') {
    throw new UnsupportedOptionError(
      'missing-undeclared',
      `The model ${name} takes no missing values: whether there are some would be read off the data. Declare a category for them and write it into the table.`,
    );
  }
  refuseZeros(name, config);
  const estimator = (given.attributeRisk as Given | undefined)?.estimator ?? 'exact';
  if (estimator !== 'exact') {
    throw new UnsupportedOptionError(
      'exact-alone',
      `attributeRisk.estimator: the risk under the model ${name} is exact, and nothing is estimated. Leave it out.`,
    );
  }
  if (attributeRisk.marginals !== undefined) {
    throw new UnsupportedOptionError(
      'exact-cells',
      `Under the model ${name} marginals are of single variables: leave attributeRisk.marginals out.`,
    );
  }
  if (attributeRisk.scenarios.some(({ candidates, prior }) => scoresCells(candidates) && prior !== 'uniform')) {
    throw new UnsupportedOptionError(
      'prior-of-exact-cells',
      `attributeRisk.prior: under the model ${name} the empty cells are not walked one by one, so that of the candidates \`all-cells\` only the prior \`uniform\` is offered. Name all variables as unknown instead (attributeRisk.candidates: {unknown: [A, B]}, --unknown A,B).`,
    );
  }
  if (attributeRisk.slope !== 1) {
    throw new UnsupportedOptionError(
      'exact-slope',
      `attributeRisk.slope: the likelihood under the model ${name} is exact, and is taken as it is.`,
    );
  }
}
