import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { readStreams } from '../../artifacts/stored-keys.ts';
import { readMembership } from '../../artifacts/stored-part.ts';
import { membershipFigures } from '../../risk/membership/membership-figures.ts';
import type { Store } from '../../storage/store.ts';
import { othersOf } from '../assess/other-people.ts';
import type { RiskMethod, StatedRisk, SummarizedRows } from './risk-method.ts';

/** What the rows of a scenario and the people who are not in the table come to, from the parts of a method; or why it has none. */
export async function statedMembership(
  { membershipReason }: Pick<RiskMethod, 'membershipReason'>,
  store: Store,
  { plan, scenario }: ScenarioModel,
  { round, counts }: SummarizedRows,
): Promise<StatedRisk['membership']> {
  const reason = membershipReason(plan.config);
  if (reason !== null) return { reason };
  const part = await readMembership(store, scenario, round);
  return membershipFigures(part, counts, await readStreams(store, plan), othersOf(plan));
}
