import type { Config } from './config.ts';

/**
 * Why attribute risk does not apply to what a config asks for, or null where it does: then the datasets are made, and
 * matched where rows belong to records, but no guess is scored.
 */
export function attributeRiskReason({ model }: Config): string | null {
  if (model.name === 'cart') {
    return 'Trees are no Bayesian model of the table: there is no probability of the release given a guess at a record, from which the risk would follow. What can be said of single records is identification risk, and how often the true values came out.';
  }
  return null;
}
