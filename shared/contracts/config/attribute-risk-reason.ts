import type { Config } from './config.ts';

/**
 * Why attribute risk does not apply to what a config asks for, or null where it does: then the datasets are made, and
 * matched where rows belong to records, but no guess is scored.
 */
export function attributeRiskReason({ model, synthesis }: Config): string | null {
  if (model.name === 'cart') {
    return 'Trees are no Bayesian model of the table: there is no probability of the release given a guess at a record, from which the risk would follow. What can be said of single records is identification risk, and how often the true values came out.';
  }
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
