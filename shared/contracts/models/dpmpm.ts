import * as z from 'zod';
import { latentClasses } from '../number-schemas.ts';
import { concentrationSchema, type ModelFacts } from './model-facts.ts';
import { refuseClosedForm, refuseKnown, refuseMarginals } from './refusals.ts';

/** A Dirichlet process mixture of products of multinomials (Hu et al. 2014, section 2). */
export const dpmpmFacts = {
  name: 'dpmpm',
  settings: z.strictObject({
    // Optional beneath its default, so that settings without a name are taken for this model's.
    name: z.literal('dpmpm').optional().default('dpmpm'),
    classes: latentClasses.default(40).describe('F, the truncation of the stick-breaking prior'),
    concentration: concentrationSchema
      .default({ shape: 0.25, rate: 0.25 })
      .describe('Prior of alpha: Gamma(shape, rate), or a fixed value'),
  }),
  inWords: 'a Dirichlet process mixture of products of multinomials',
  references: ['Dunson & Xing 2009'],
  method: 'sampled',
  fits: 'combinations',
  offers: [...(['impute', 'structural-zeros', 'lesser-knowledge', 'integrated-phi'] as const), 'expected-copies'],
  refuse(_given, config) {
    refuseClosedForm('dpmpm', config);
    refuseMarginals(config);
    refuseKnown(config);
  },
} as const satisfies ModelFacts;
