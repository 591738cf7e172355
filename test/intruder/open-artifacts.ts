import { OPEN_KEYS } from '../../infra/access/step-access.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import type { Store } from '../../shared/storage/store.ts';
import { matches } from '../infra/rights.ts';

/** Whether an object is one that anybody reads who watches runs. */
export const isOpen = (key: string) => OPEN_KEYS.some((pattern) => matches(pattern, key));

/** Fields with what was measured on a machine: times, memory, and dollars, which follow from times. */
const MEASURED = /^(seconds|cpuSeconds|.*(Vcpu|GiB|Cpu)Seconds|dollars|dollarsByStep|peakMemoryMiB)$/;

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What a watcher has seen of a run: texts by where they stood. */
export type Seen = Readonly<Record<string, string>>;

/** A text without what is by chance, or of the moment: the run's id, other ids, times. */
function withoutChance(text: string, runId: string): string {
  return text.replaceAll(runId, 'RUN').replaceAll(TIME, 'TIME').replaceAll(UUID, 'UUID');
}

/** A value of JSON with what was measured replaced by its kind. */
function withoutMeasures(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMeasures);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, MEASURED.test(name) ? 'MEASURED' : withoutMeasures(inner)]),
  );
}

/** What somebody was told of a run, as a text that is the same for every run that tells the same. */
export function comparable(told: unknown, runId: string): string {
  return withoutChance(JSON.stringify(withoutMeasures(told)), runId);
}

/**
 * The open objects of a run, and of its upload, as texts by their keys, but for the release: what a release tells is what
 * synthrisk measures. Digests and sizes in a manifest are checked to be those of released files, which anybody can form
 * who has the files, and left out.
 */
export async function openArtifacts(store: Store, runId: string, ...others: readonly string[]): Promise<Seen> {
  const { manifest, release, root, signature } = runKeys(runId);
  const keys = [...(await store.list(root)), ...others].filter(isOpen);
  const released = new Set<string>();
  for (const key of keys.filter((one) => one.startsWith(release.root))) {
    released.add(await sha256(await store.get(key)));
  }
  const seen: Record<string, string> = {};
  for (const key of keys.filter((one) => !one.startsWith(release.root))) {
    let text = new TextDecoder().decode(await store.get(key));
    // Of the manifest that follows from the release, by a key that is the same for every run.
    if (key === signature) text = text.replace(/"signature": "[^"]+"/, '"signature": "of the manifest"');
    if (key === manifest) {
      text = text.replace(/"sha256": "([0-9a-f]+)",\s*"bytes": \d+/g, (entry, digest) =>
        released.has(digest) ? '"digest": "of a released file"' : entry,
      );
    }
    seen[withoutChance(key, runId)] = comparable(JSON.parse(text), runId);
  }
  return seen;
}

/** Where two runs tell something else. */
export function differences(one: Seen, other: Seen): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((place) => one[place] !== other[place]).sort();
}
