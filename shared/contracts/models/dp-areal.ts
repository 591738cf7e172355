import * as z from 'zod';
import { InvalidConfigError } from '../errors.ts';
import { latentClasses } from '../number-schemas.ts';
import { concentrationSchema, type ModelFacts } from './model-facts.ts';
import { refuseClosedForm, refuseKnown, refuseMarginals, refuseWithoutKept } from './refusals.ts';

/** A Dirichlet process over the patterns of the kept variables, with Poisson-lognormal counts (Hu & Savitsky 2018, section 2.2). */
export const arealFacts = {
  name: 'dp-areal',
  settings: z.strictObject({
    name: z.literal('dp-areal'),
    clusters: latentClasses.default(50).describe('K, the truncation of the Dirichlet process over patterns'),
    concentration: concentrationSchema
      .default({ shape: 1, rate: 1 })
      .describe('Prior of the concentration: Gamma(shape, rate), or a fixed value'),
  }),
  inWords: 'a Dirichlet process mixture for areas',
  references: [],
  method: 'sampled',
  fits: 'combinations',
  offers: [],
  refuse(_given, config) {
    refuseClosedForm('dp-areal', config);
    refuseMarginals(config);
    refuseWithoutKept('dp-areal', config, 1);
    if (config.synthesis.synthesized.length !== 1) {
      throw new InvalidConfigError(
        'one-variable',
        'The model dp-areal synthesizes one variable: name one (synthesis.synthesized, --synthesized).',
      );
    }
    refuseKnown(config);
  },
} as const satisfies ModelFacts;
