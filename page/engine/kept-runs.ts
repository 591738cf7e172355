import { readJson } from '../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { PLACE_KEY, runKeys } from '../../shared/contracts/keys.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import type { Plan } from '../../shared/contracts/run/plan.ts';
import { manifestSchema } from '../../shared/contracts/run/run-state.ts';
import { openFinishedRun } from '../../shared/pipeline/life/finished-run.ts';
import { assertListed } from '../../shared/pipeline/release/release-state.ts';
import { reportCalibration } from '../../shared/pipeline/results/calibrate-run.ts';
import { reportRun } from '../../shared/pipeline/results/report-run.ts';
import { verdictLine } from '../../shared/report/review/verdict.ts';
import type { Store } from '../../shared/storage/store.ts';
import { unpackRun } from './archive.ts';
import { SETTINGS_FILE } from './chosen.ts';
import type { Finished, NamedFile } from './questions.ts';

/** A finished run that the page holds. */
export interface KeptRun {
  readonly name: string;
  readonly plan: Plan;
  readonly store: Store;
  /** Text of its settings, where it was made here. */
  readonly settings: string | null;
}

/** What stands beside the manifest that lists it, or comes after it. */
const UNLISTED = /^(run\.json|confidential\/(manifest|manifest\.signature)\.json)$/;

/** Holds what was unpacked of a run to its manifest, where it has one: an archive can be damaged, and says nothing of it. */
async function holdToManifest({ plan, store }: Pick<KeptRun, 'plan' | 'store'>): Promise<void> {
  const { confidential, root } = runKeys(plan.runId);
  if ((await store.head(confidential.manifest)) === null) return;
  const { artifacts } = await readJson(store, confidential.manifest, manifestSchema);
  for (const [path, entry] of Object.entries(artifacts)) {
    const key = root + path;
    if (UNLISTED.test(path) || (await store.head(key)) === null) continue;
    await assertListed(key, await store.get(key), entry);
  }
}

/** The runs that the page has made or opened, by their ids. */
export class KeptRuns {
  readonly #runs = new Map<string, KeptRun>();

  /** Keeps a run, in place of one with its id, and says what it came to. */
  async keep(run: KeptRun): Promise<Finished> {
    this.#runs.set(run.plan.runId, run);
    return finished(run);
  }

  /** Opens a run from the archive of its folder. Throws InvalidConfigError, ArtifactError. */
  async open(archive: NamedFile): Promise<Finished> {
    const { name, state, store } = await unpackRun(archive);
    const { plan } = await openFinishedRun(store, state, archive.name);
    const run = { name, plan, store, settings: null };
    await holdToManifest(run);
    return this.keep(run);
  }

  /** Forgets the runs that are held in stores of a kind, and gives their ids. */
  forget(isOfKind: (store: Store) => boolean): string[] {
    const forgotten = [...this.#runs.values()].filter(({ store }) => isOfKind(store)).map(({ plan }) => plan.runId);
    for (const runId of forgotten) this.#runs.delete(runId);
    return forgotten;
  }

  /** A run that is held. */
  get(runId: string): KeptRun {
    const run = this.#runs.get(runId);
    if (run === undefined) throw new InvalidConfigError('no-run', `The page holds no run ${runId}.`);
    return run;
  }

  /** The folder of a run as the command line leaves it, or what leaves the agency if a person decides so, by the paths of its files. */
  async files(runId: string, what: 'run' | 'release'): Promise<Map<string, Uint8Array>> {
    const { settings, store } = this.get(runId);
    const { confidential, manifest, release, root } = runKeys(runId);
    const files = new Map<string, Uint8Array>();
    const add = (key: string, bytes: Uint8Array) => files.set(`${runId}/${key.slice(root.length)}`, bytes);
    const keys = what === 'run' ? await store.list(root) : [...(await store.list(release.root)), manifest, runKeys(runId).run];
    for (const key of keys) add(key, await store.get(key));
    if (what === 'run' && settings !== null) add(`${root}${SETTINGS_FILE}`, new TextEncoder().encode(settings));
    // A folder that was named for one run holds the key of its place among what is confidential.
    if (what === 'run' && (await store.head(PLACE_KEY)) !== null) add(confidential.placeKey, await store.get(PLACE_KEY));
    return files;
  }
}

/** What a run came to, from its files. A report that is not there is written. */
async function finished({ name, plan, store }: KeptRun): Promise<Finished> {
  const { confidential } = runKeys(plan.runId);
  const { purpose, runId, version } = plan;
  const isCalibration = purpose === 'calibrate';
  const reportKey = isCalibration ? confidential.calibrationReport : confidential.report;
  const about = { runId, name, purpose, version };
  const summary = isCalibration ? null : await readJson(store, confidential.summary, summarySchema);
  if (purpose === 'synthesize') return { ...about, summary, verdict: null, report: null };
  if ((await store.head(reportKey)) === null) await (isCalibration ? reportCalibration : reportRun)(store, plan);
  const report = new TextDecoder().decode(await store.get(reportKey));
  return { ...about, summary, verdict: summary && verdictLine(summary), report };
}
