import { encodeJson } from '../../artifacts/stored-json.ts';
import { runKeys } from '../../contracts/keys.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderAttack } from '../../report/render-attack.ts';
import type { MeasuredAttacks } from '../../risk/attack/measure-attacks.ts';
import type { Store } from '../../storage/store.ts';
import { writeAttackTables } from '../tables/attack-table.ts';

/** Stands in keys for the id of a run: what `attack` stores is of none. */
export const ATTACK = 'attack';

/** Stores what `attack` found: every figure and what is said of every record as tables, the document, and its page. */
export async function storeAttack(store: Store, measured: MeasuredAttacks): Promise<void> {
  const { confidential } = runKeys(ATTACK);
  const page = await renderAttack(measured.summary, { version: VERSION });
  await writeAttackTables(store, ATTACK, measured);
  await store.put(confidential.attack, encodeJson(measured.summary));
  await store.put(confidential.attackReport, new TextEncoder().encode(page));
}
