import { z } from 'zod';
import { declaredContinuous, densityField } from '../continuous.ts';
import { positiveInteger } from '../number-schemas.ts';
import { type AskedConfig, concentrationSchema, type ModelFacts } from './model-facts.ts';
import { refuseClosedForm, refuseMarginals, refuseZeros } from './refusals.ts';

/** A Dirichlet process mixture of products of multinomials and normals. */
const settings = z.strictObject({
  name: z.literal('mixed'),
  classes: positiveInteger.default(40).describe('F, the truncation of the stick-breaking prior'),
  concentration: concentrationSchema.default({ shape: 0.25, rate: 0.25 }).describe('Prior of alpha: Gamma(shape, rate), or a fixed value'),
  meanRecords: z
    .number()
    .positive()
    .default(0.05)
    .describe("kappa0: records that the prior of a class's mean counts for; it is the middle of the declared range"),
  variance: z
    .strictObject({ shape: z.number().positive(), scale: z.number().positive() })
    .default({ shape: 2, scale: 0.005 })
    .describe("a0 and b0: prior of a class's variance where the declared range has length 1, inverse gamma (shape, scale)"),
});

/** A mixture for tables some of whose variables are continuous. */
export const mixedFacts = {
  name: 'mixed',
  settings,
  inWords: 'a Dirichlet process mixture of products of multinomials and normals',
  references: ['Dunson & Xing 2009', 'Murray & Reiter 2016'],
  method: 'sampled',
  fits: 'records',
  offers: ['impute', 'densities'],
  refuse(_given, config) {
    refuseClosedForm('mixed', config);
    refuseMarginals(config);
    refuseZeros('mixed', config);
    refuseDeclarations(config);
  },
  riskReason: () => UNMEASURED,
} as const satisfies ModelFacts;

const UNMEASURED =
  'Attribute risk is not measured under the model mixed. What is said of single records is identification risk and how often the true values came out.';

/** Refuses declarations of continuous variables that cannot hold, whatever the table. */
function refuseDeclarations({ variables }: AskedConfig): void {
  for (const [name, fields] of Object.entries(variables)) {
    if (fields.drop !== true && (fields.type === 'continuous' || densityField(fields) !== undefined)) declaredContinuous(name, fields);
  }
}
