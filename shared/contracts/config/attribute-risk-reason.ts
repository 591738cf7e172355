import { factsOf } from '../models/models.ts';
import type { TableSchema } from '../schema.ts';
import type { Config } from './config.ts';

/**
 * Why attribute risk does not apply to what a config asks for, or null where it does: then the datasets are made, and
 * matched where rows belong to records, but no guess is scored.
 */
export function attributeRiskReason({ synthesis }: Pick<Config, 'synthesis'>): string | null {
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

/** The same of what a config asks for of a table. */
export const tableRiskReason = (config: Config, table: { readonly schema: TableSchema; readonly records: number }): string | null =>
  attributeRiskReason(config) ?? factsOf(config.model).riskReason?.(config, table) ?? null;

/** What structural zeros need, so that their attribute risk is measured. */
export const ZEROS_NEED = 'the model dpmpm with numbers in bands (--breaks), all variables synthesized, and no missing values to impute';

/** Whether a config that names structural zeros would have what they need. */
export const mayHaveZeros = ({ model, synthesis }: Pick<Config, 'model' | 'synthesis'>): boolean =>
  factsOf(model).offers.includes('structural-zeros') &&
  attributeRiskReason({ synthesis: { ...synthesis, structuralZeros: 'zeros.csv' } }) === null;
