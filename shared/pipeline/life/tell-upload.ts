import { encodeJson, parseArtifact, readJson } from '../../artifacts/stored-json.ts';
import { type TableOutcome, type Upload, type UploadOutcome, uploadOutcomeSchema } from '../../contracts/cloud/workflow.ts';
import { outcomeKey } from '../../contracts/keys.ts';
import type { Store } from '../../storage/store.ts';

/** Sequencers of events on one key are compared as hexadecimal numbers that are filled up with zeros on the right. */
function isLater(one: string, other: string): boolean {
  const digits = Math.max(one.length, other.length);
  const filled = (sequencer: string) => sequencer.toUpperCase().padEnd(digits, '0');
  return filled(one) > filled(other);
}

/** Tables of one name of which it is noted what became of them, beside the last one. */
const MOST_EARLIER = 20;

/** What is known of an upload, with what became of one more of its tables; null where that adds nothing. */
function withOutcome(known: UploadOutcome | null, told: TableOutcome): UploadOutcome | null {
  if (known === null) return told;
  const { earlier = [], ...last } = known;
  const all = [last, ...earlier];
  const same = all.find(({ table }) => table?.version === told.table?.version);
  // An event may be delivered twice: what became of its table stays so, whatever happens to the second execution.
  if (told.table !== undefined && same !== undefined && 'runId' in same && 'error' in told) return null;
  const others = all.filter((one) => one !== same);
  const isLast = others.every(({ table }) => !told.table || !table || !isLater(table.sequencer, told.table.sequencer));
  const first = isLast ? told : others[0]!;
  const rest = [told, ...others].filter((one) => one !== first).slice(0, MOST_EARLIER);
  return rest.length === 0 ? first : { ...first, earlier: rest };
}

/**
 * Notes beside an upload what became of its table, and keeps what became of other tables of the same name. Of a key below which
 * no table can be there is nothing to note.
 */
export async function tellUpload(store: Store, { key, table }: Upload, became: TableOutcome): Promise<void> {
  const outcome = outcomeKey(key);
  if (outcome === null) return;
  await store.change(outcome, (bytes) => {
    const known = bytes === null ? null : parseArtifact(bytes, outcome, uploadOutcomeSchema);
    const now = withOutcome(known, table === undefined ? became : { ...became, table });
    return now === null ? null : encodeJson(now);
  });
}

/** What became of the table of an upload, or null where nothing has. */
export async function readTableOutcome(store: Store, { key, table }: Upload): Promise<TableOutcome | null> {
  const outcome = outcomeKey(key);
  if (outcome === null || (await store.head(outcome)) === null) return null;
  const { earlier = [], ...last } = await readJson(store, outcome, uploadOutcomeSchema);
  return [last, ...earlier].find((one) => one.table?.version === table?.version) ?? null;
}
