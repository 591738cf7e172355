import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { exactTerms } from '../../risk/exact/exact-terms.ts';
import type { Store } from '../../storage/store.ts';
import { readCountedRelease } from '../methods/counted.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { type BatchTerms, estimatorTerms } from './estimator-terms.ts';
import type { RiskRows } from './risk-rows.ts';

/**
 * The terms of a run's estimator for some of its rows: from its chains, or, where the risk is exact, from counts, which
 * tell the privacy loss of each row as well.
 *
 * @param onUnit called after each chain is scored, or once
 */
export async function rowTerms(
  store: Store,
  context: ScenarioModel,
  numbers: ChainNumbers,
  { codes, scorers }: Pick<RiskRows, 'codes' | 'scorers'>,
  onUnit: () => void,
): Promise<BatchTerms & { readonly privacyLoss?: Float64Array }> {
  if (context.plan.config.attributeRisk.estimator !== 'exact') {
    return estimatorTerms(store, context, numbers, scorers, onUnit);
  }
  const found = exactTerms(await readCountedRelease(store, context), context.space, codes);
  onUnit();
  return found;
}
