import type { TableSchema } from '../schema.ts';
import type { Config } from './config.ts';

/**
 * Why attribute risk does not apply to what a config asks for, or null where it does: then the datasets are made, and
 * matched where rows belong to records, but no guess is scored.
 */
export function attributeRiskReason({ synthesis }: Config): string | null {
  const { synthesized, missing, structuralZeros } = synthesis;
  if (structuralZeros !== undefined && synthesized !== 'all') {
    return 'With structural zeros the possible synthesized values of a record depend on its kept ones and its class, which the likelihood of a guess does not follow.';
  }
  if (structuralZeros !== undefined && missing === 'impute') {
    return 'With structural zeros missing values do not integrate out of the likelihood of a guess.';
  }
  if (missing === 'impute' && synthesized !== 'all') {
    return 'Where missing values of kept variables are imputed, the release holds drawn values that the likelihood of a guess does not follow.';
  }
  return null;
}

/**
 * Why attribute risk does not apply to what a config asks for of a table, or null where it does: trees have it where all
 * synthesized variables are categorical, or continuous with bands or a grid of candidates.
 */
export function tableRiskReason(
  config: Config,
  { schema, records }: { readonly schema: TableSchema; readonly records: number },
): string | null {
  const { model } = config;
  if (model.name !== 'cart') return attributeRiskReason(config);
  if (model.proper) return PROPER_TREES;
  const continuous = withoutCandidates(config, schema);
  if (continuous.length > 0) {
    return `Attribute risk of trees is of values that can be listed, and ${continuous.join(', ')} ${continuous.length === 1 ? 'is' : 'are'} continuous and synthesized without candidates. ${DECLARE_CANDIDATES} Without them, what is said of single records is identification risk, which values of one record alone came out, and how often the true values did.`;
  }
  return records < 2
    ? 'Without its only record a table has none from which anything could be guessed.'
    : null;
}

/** Why trees on bootstrap samples have no attribute risk. */
export const PROPER_TREES =
  'Trees that are grown on bootstrap samples of the records (model.proper) have a likelihood that is a mean over all samples, and under nearly every sample some released value is impossible: no simulation of them finds it. What is said of single records is identification risk, and how often the true values came out. Leave model.proper out to measure attribute risk.';

/** What helps where a continuous variable has no candidates. */
export const DECLARE_CANDIDATES =
  'Declare bands or a grid in the config, as variables: { NAME: { candidates: { bands: [0, 1000, 5000] } } } or { grid: [500, 3000] }: then it is measured.';

/** The continuous synthesized variables of a table of which no candidates are declared. */
export function withoutCandidates({ synthesis, variables }: Config, schema: TableSchema): string[] {
  return schema.variables
    .filter(
      ({ name, type }) =>
        type === 'continuous' &&
        synthesis.synthesized.includes(name) &&
        !(Object.hasOwn(variables, name) && variables[name]!.candidates !== undefined),
    )
    .map(({ name }) => name);
}
