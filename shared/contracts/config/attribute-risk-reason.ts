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
 * synthesized variables are categorical.
 */
export function tableRiskReason(
  config: Config,
  { schema, records }: { readonly schema: TableSchema; readonly records: number },
): string | null {
  const { model, synthesis } = config;
  if (model.name !== 'cart') return attributeRiskReason(config);
  const continuous = schema.variables
    .filter(({ name, type }) => type === 'continuous' && synthesis.synthesized.includes(name))
    .map(({ name }) => name);
  if (continuous.length > 0) {
    return `Attribute risk of trees is of categorical values, and ${continuous.join(', ')} ${continuous.length === 1 ? 'is' : 'are'} continuous and synthesized: single numbers have no probability of being guessed right. What can be said of single records is identification risk, and how often the true values came out.`;
  }
  return records < 2
    ? 'Without its only record a table has none from which anything could be guessed.'
    : null;
}
