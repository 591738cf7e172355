import * as z from 'zod';
import { UnsupportedOptionError } from '../errors.ts';
import { positiveInteger } from '../number-schemas.ts';
import type { TableSchema } from '../schema.ts';
import type { AskedConfig, Given, ModelFacts } from './model-facts.ts';
import { refuseBeyondRecords, refuseChains, refuseKnownCandidates, refuseMarginals } from './refusals.ts';

/** Sequential classification and regression trees (Hornby & Hu 2021, section 3). */
const settings = z.strictObject({
  name: z.literal('cart'),
  minimumLeaf: positiveInteger.default(5).describe('Records of a leaf at least'),
  complexity: z.number().nonnegative().default(1e-8).describe('Share of the risk of the root by which a split must lower it'),
  predictors: z
    .enum(['kept', 'none'])
    .default('kept')
    .describe('What predicts a variable beside those synthesized before it: all kept variables, or none'),
  smoothing: z.boolean().default(false).describe('Continuous values from a smoothed leaf, not its own values'),
  proper: z
    .boolean()
    .default(false)
    .describe(
      "Each tree of each dataset grown on a bootstrap sample of the records, as synthpop's proper = TRUE: attribute risk is then not measured",
    ),
});

/** Trees, whose risk is that of values that can be listed. */
export const cartFacts = {
  name: 'cart',
  settings,
  inWords: 'sequential classification and regression trees',
  references: ['Reiter 2005'],
  method: 'grown',
  fits: 'records',
  offers: [],
  untold: 'one record can change the trees, and with them the probabilities of all others',
  refuse(given, config) {
    refuseMarginals(config);
    refuseBeyondRecords('cart', config);
    refuseBeyondTrees(given, config);
  },
  riskReason(config, { schema, records }) {
    if (config.model.proper === true) return PROPER_TREES;
    const continuous = withoutCandidates(config, schema);
    if (continuous.length > 0) {
      return `Attribute risk of trees is of values that can be listed, and ${continuous.join(', ')} ${continuous.length === 1 ? 'is' : 'are'} continuous and synthesized without candidates. ${DECLARE_CANDIDATES} Without them, what is said of single records is identification risk, which values of one record alone came out, and how often the true values did.`;
    }
    return records < 2 ? 'Without its only record a table has none from which anything could be guessed.' : null;
  },
} as const satisfies ModelFacts;

/** Refuses what trees would ignore, having no chains and no parameters, and what is not offered of their risk. */
function refuseBeyondTrees(given: Given, { synthesis, attributeRisk, mcmc }: AskedConfig): void {
  const { precision, ...chained } = (given.mcmc ?? {}) as Given;
  refuseChains('not-of-cart', 'cart', chained, given.synthesis as Given);
  if (precision !== undefined && mcmc.precision === 'high') {
    throw new UnsupportedOptionError(
      'not-of-cart',
      'mcmc.precision: the risk of trees is exact by default, and nothing is more precise. `quick` holds their divisions as they are.',
    );
  }
  const foreign = ['estimator', 'slope', 'phi'].find((one) => (given.attributeRisk as Given | undefined)?.[one] !== undefined);
  if (foreign !== undefined) {
    throw new UnsupportedOptionError(
      'not-of-cart',
      `attributeRisk.${foreign}: the likelihood of trees is exact, with the precision quick that of their divisions as they are, and nothing is estimated. Leave it out.`,
    );
  }
  for (const { prior, candidates } of attributeRisk.scenarios) {
    if (prior !== 'uniform' && prior !== 'model') {
      throw new UnsupportedOptionError(
        'prior-of-trees',
        'attributeRisk.prior: under the model cart the priors `uniform` and `model`, that of the trees without the record, are offered.',
      );
    }
    if (candidates === 'one-change') continue;
    if (typeof candidates === 'string') {
      throw new UnsupportedOptionError(
        'candidates-of-trees',
        'attributeRisk.candidates: under the model cart the candidates are `one-change`, of one synthesized variable, or unknown variables ({unknown: [A, B]}, --unknown A,B).',
      );
    }
    if (synthesis.synthesized !== 'all') refuseKnownCandidates(candidates, synthesis.synthesized);
  }
}

/** Why trees on bootstrap samples have no attribute risk. */
export const PROPER_TREES =
  'Trees that are grown on bootstrap samples of the records (model.proper) have a likelihood that is a mean over all samples, and under nearly every sample some released value is impossible: no simulation of them finds it. What is said of single records is identification risk, and how often the true values came out. Leave model.proper out to measure attribute risk.';

/** What helps where a continuous variable has no candidates. */
export const DECLARE_CANDIDATES =
  'Declare bands or a grid in the config, as variables: { NAME: { candidates: { bands: [0, 1000, 5000] } } } or { grid: [500, 3000] }: then it is measured.';

/** The continuous synthesized variables of a table of which no candidates are declared. */
export function withoutCandidates({ synthesis, variables }: AskedConfig, schema: TableSchema): string[] {
  const isDeclared = (name: string) => Object.hasOwn(variables, name) && variables[name]!.candidates !== undefined;
  const isGuessed = (name: string) => (synthesis.synthesized === 'all' || synthesis.synthesized.includes(name)) && !isDeclared(name);
  return schema.variables.flatMap(({ name, type }) => (type === 'continuous' && isGuessed(name) ? [name] : []));
}
