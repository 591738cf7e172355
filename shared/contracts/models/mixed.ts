import * as z from 'zod';
import { declaredContinuous, densityField } from '../continuous.ts';
import { UnsupportedOptionError } from '../errors.ts';
import { latentClasses } from '../number-schemas.ts';
import { type AskedConfig, concentrationSchema, type ModelFacts } from './model-facts.ts';
import { refuseClosedForm, refuseMarginals, refuseZeros } from './refusals.ts';

/** Chosen by the log scores of held-out records of other tables (docs/explanation/synthesizers.md): constants, whatever the table. */
export const NORMAL_PRIOR_SETTINGS = { meanRecords: 0.001, variance: { shape: 1, rate: 0.0003 } };

/** A Dirichlet process mixture of products of multinomials and normals. */
const settings = z.strictObject({
  name: z.literal('mixed'),
  classes: latentClasses.default(40).describe('F, the truncation of the stick-breaking prior'),
  concentration: concentrationSchema.default({ shape: 0.25, rate: 0.25 }).describe('Prior of alpha: Gamma(shape, rate), or a fixed value'),
  meanRecords: z
    .number()
    .positive()
    .default(NORMAL_PRIOR_SETTINGS.meanRecords)
    .describe("kappa0: records that the prior of a class's mean, the middle of the declared range, counts for"),
  variance: z
    .strictObject({ shape: z.number().positive(), rate: z.number().positive() })
    .default(NORMAL_PRIOR_SETTINGS.variance)
    .describe("a0 and b0: inverse gamma prior (shape, rate) of a class's variance, on a scale where the declared range has length 1"),
});

/** A mixture for tables some of whose variables are continuous. */
export const mixedFacts = {
  name: 'mixed',
  settings,
  inWords: 'a Dirichlet process mixture of products of multinomials and normals',
  references: ['Dunson & Xing 2009', 'Murray & Reiter 2016'],
  method: 'sampled',
  fits: 'records',
  offers: ['impute', 'densities', 'lesser-knowledge', 'integrated-phi'],
  refuse(_given, config) {
    refuseClosedForm('mixed', config);
    refuseMarginals(config);
    refuseZeros('mixed', config);
    refuseDeclarations(config);
    refuseUnscored(config);
  },
} as const satisfies ModelFacts;

/** Refuses what is not offered of the risk under densities. */
function refuseUnscored({ attributeRisk: { estimator, scenarios, phi } }: AskedConfig): void {
  if (estimator !== 'augmented') {
    throw new UnsupportedOptionError(
      'estimator-of-mixed',
      'attributeRisk.estimator: under the model mixed the estimator is `augmented`. Leave it out.',
    );
  }
  for (const { candidates, prior } of scenarios) {
    if (candidates !== 'one-change' && typeof candidates === 'string') {
      throw new UnsupportedOptionError(
        'candidates-of-mixed',
        'attributeRisk.candidates: under the model mixed the candidates are `one-change`, every value of one variable, the others known, or those of unknown variables ({unknown: [A, B]}, --unknown A,B). Leave others out.',
      );
    }
    if (prior !== 'uniform' && prior !== 'model') {
      throw new UnsupportedOptionError(
        'prior-of-mixed',
        'attributeRisk.prior: under the model mixed the prior is `uniform` or `model`. Leave others out.',
      );
    }
  }
  if (phi === 'drawn') {
    throw new UnsupportedOptionError(
      'phi-of-mixed',
      'attributeRisk.phi: under the model mixed parameters are integrated out. Leave it out.',
    );
  }
}

/** Refuses declarations of continuous variables that cannot hold, whatever the table. */
function refuseDeclarations({ variables }: AskedConfig): void {
  for (const [name, fields] of Object.entries(variables)) {
    if (fields.drop !== true && (fields.type === 'continuous' || densityField(fields) !== undefined)) declaredContinuous(name, fields);
  }
}
