import { chooseReleaseKey, newKeys, obtainPlaceKey, readRunKey } from '../../shared/artifacts/stored-keys.ts';
import { type Config, configSchema } from '../../shared/contracts/config/config.ts';
import { ProgramError, SynthriskError } from '../../shared/contracts/errors.ts';
import { parseKey } from '../../shared/contracts/secret-key.ts';
import { listFields } from '../../shared/contracts/settings/list-fields.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import { compareRuns } from '../../shared/pipeline/compare/compare-runs.ts';
import { storeComparison } from '../../shared/pipeline/compare/store-comparison.ts';
import { type CarriedOut, carryOut } from '../../shared/pipeline/life/carry-out.ts';
import { readNamedPriors, refuseFilesOfRun } from '../../shared/pipeline/plan/named-files.ts';
import { copyEarlier, planReassessment, refuseUnassessedRun } from '../../shared/pipeline/plan/plan-reassessment.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { PlannedRun } from '../../shared/pipeline/plan/planned-run.ts';
import { reassessmentConfig } from '../../shared/pipeline/plan/reassessment-config.ts';
import { mapLines } from '../../shared/report/words/comparison-in-words.ts';
import { verifiedLines } from '../../shared/report/words/release-in-words.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { type DescribedColumn, describeTable } from '../../shared/table/describe/describe-table.ts';
import { configText, suggestConfig } from '../../shared/table/describe/suggest-config.ts';
import { zipped } from './archive.ts';
import { configOf, parseText, readChosen, requestOf, SETTINGS_FILE } from './chosen.ts';
import { type KeptRun, KeptRuns } from './kept-runs.ts';
import { maskChosen } from './mask.ts';
import { clearPrivateStore, holdsPrivateStore, PrivateStore, privateFiles } from './private-store.ts';
import type { Chosen, Questions, Said, Verb } from './questions.ts';
import { reportInPage } from './report-in-page.ts';
import { requireTabMemory } from './tab-memory.ts';
import type { ThreadPorts } from './task-thread.ts';
import { TaskThreads } from './task-threads.ts';
import { verifyFiles } from './verify-release.ts';

const say = (said: Said) => postMessage(said);

/** The page has the threads. */
const STARTER = {
  start: (ports: ThreadPorts) => postMessage({ start: ports } satisfies Said, { transfer: [ports.store, ports.tasks] }),
  end: () => say({ end: true }),
};

/** What each question is answered by. */
type Answers = { readonly [V in Verb]: (asked: Questions[V]['asked']) => Promise<Questions[V]['answer']> };

/** Histograms of the columns that a config bands, of their numbers before that. */
async function barsOfBanded(table: Uint8Array, config: Config): Promise<ReadonlyMap<string, DescribedColumn['bars']>> {
  const banded = Object.entries(config.variables).filter(([, { breaks }]) => breaks !== undefined);
  if (banded.length === 0) return new Map();
  const asNumbers = banded.map(([name, { breaks: _, ...others }]) => [name, { ...others, type: 'continuous' as const }]);
  const { columns } = await describeTable(table, { ...config, variables: { ...config.variables, ...Object.fromEntries(asNumbers) } });
  return new Map(columns.map(({ name, bars }) => [name, bars]));
}

/** What does the work of the page, away from what a person sees. */
export class Engine implements Answers {
  /** Holds the runs that are made here, but for those among private files. */
  readonly #store = new MemoryStore();
  readonly #runs = new KeptRuns();
  #ending = new AbortController();
  /** Of the run under way. */
  #threads: TaskThreads | null = null;

  /** Answers one question after the other as they come. */
  async hear<V extends Verb>(number: number, verb: V, asked: Questions[V]['asked']): Promise<void> {
    try {
      say({ number, answer: await (this[verb] as (given: typeof asked) => Promise<unknown>).call(this, asked) });
    } catch (error) {
      const named =
        error instanceof SynthriskError ? error : new ProgramError('program-failed', 'The page has failed by a mistake of its program.');
      say({ number, error: reportInPage(named) });
    }
  }

  async describe(chosen: Questions['describe']['asked']): Promise<Questions['describe']['answer']> {
    const earlier = this.#earlier(chosen);
    const config = configOf(chosen, earlier);
    const { columns: described, records } = await describeTable(chosen.table, config);
    const unbanded = await barsOfBanded(chosen.table, config);
    const columns = described.map((column) => ({ ...column, bars: column.bars ?? unbanded.get(column.name) ?? null }));
    const refused = await requestOf(chosen, earlier, config)
      .then((request) => planRun({ ...request, ...newKeys() }))
      .then(
        () => null,
        (error: unknown) => {
          if (error instanceof SynthriskError) return reportInPage(error);
          throw error;
        },
      );
    return { columns, records, refused };
  }

  async settings(): Promise<Questions['settings']['answer']> {
    return listFields(configSchema, 'input');
  }

  async suggest(chosen: Questions['suggest']['asked']): Promise<string> {
    const { table: _, variables, missingCodes, count, numbers, ...others } = parseText(chosen.settings);
    return configText(await suggestConfig(chosen.table, configOf(chosen, this.#earlier(chosen))), {
      file: SETTINGS_FILE,
      table: chosen.name,
      others,
    });
  }

  async plan({ jobs, ...chosen }: Questions['plan']['asked']): Promise<Questions['plan']['answer']> {
    const planned = await planRun({ ...(await requestOf(chosen, this.#earlier(chosen))), ...newKeys() });
    requireTabMemory(planned, jobs);
    const { stepMemory: _, ...estimate } = estimateRun(planned, jobs);
    const { table, warnings } = planned.plan;
    return { combinations: table.combinations, estimate, warnings: warnings.map(({ message }) => message) };
  }

  async evaluate({ jobs, releaseKey, passphrase, ...chosen }: Questions['evaluate']['asked']): Promise<Questions['evaluate']['answer']> {
    const files = passphrase === undefined ? null : await privateFiles();
    const store = files === null ? this.#store : await PrivateStore.open(files, passphrase!);
    const earlier = this.#earlier(chosen);
    const ofEarlier = earlier && (await readRunKey(earlier.store, earlier.plan.runId));
    const given = releaseKey === undefined ? (ofEarlier ?? undefined) : parseKey(releaseKey, 'release-key');
    const planned = await planRun({
      ...(await requestOf(chosen, earlier)),
      placeKey: await obtainPlaceKey(store),
      releaseKey: (runId) => chooseReleaseKey(store, runId, given),
    });
    requireTabMemory(planned, jobs);
    const { plan } = await this.#carryOut(planned, jobs, store);
    return this.#runs.keep({ name: plan.runId, plan, store, settings: chosen.settings });
  }

  open(archive: Questions['open']['asked']): Promise<Questions['open']['answer']> {
    return this.#runs.open(archive);
  }

  async compare({ runIds, ...asked }: Questions['compare']['asked']): Promise<Questions['compare']['answer']> {
    const runs = runIds.map((runId) => this.#runs.get(runId));
    const areNamed = new Set(runs.map(({ name }) => name)).size === runs.length;
    const comparison = await compareRuns(
      runs.map(({ name, plan, store }) => ({ name: areNamed ? name : plan.runId, plan, store })),
      asked,
    );
    const written = new MemoryStore();
    await storeComparison(written, comparison);
    const files: [string, Uint8Array][] = [];
    for (const key of await written.list('')) files.push([`confidential/${key}`, await written.get(key)]);
    const page = new TextDecoder().decode(await written.get('comparison.html'));
    return { comparison, lines: mapLines(comparison), page, archive: zipped(files) };
  }

  async reassess({ files, jobs, runId, settings }: Questions['reassess']['asked']): Promise<Questions['reassess']['answer']> {
    const reassessed = this.#runs.get(runId);
    refuseUnassessedRun(reassessed.plan);
    const read = readChosen(files);
    const config = await reassessmentConfig(reassessed.plan, { given: parseText(settings), read });
    refuseFilesOfRun(config, reassessed.plan, reassessed.name);
    const store = this.#store;
    const own = await readRunKey(reassessed.store, runId);
    const planned = await planReassessment(reassessed, config, {
      ...(await readNamedPriors(config, read)),
      placeKey: await obtainPlaceKey(store),
      releaseKey: (anew) => chooseReleaseKey(store, anew, own ?? undefined),
    });
    await copyEarlier(reassessed, store, planned.plan);
    const { plan } = await this.#carryOut(planned, jobs, store);
    return this.#runs.keep({ name: plan.runId, plan, store, settings });
  }

  async verify({ files }: Questions['verify']['asked']): Promise<Questions['verify']['answer']> {
    const release = await verifyFiles(files);
    return { release, lines: verifiedLines(release) };
  }

  mask(asked: Questions['mask']['asked']): Promise<Questions['mask']['answer']> {
    return maskChosen(asked);
  }

  files({ runId, what }: Questions['files']['asked']): Promise<Questions['files']['answer']> {
    return this.#runs.files(runId, what);
  }

  async zip(asked: Questions['zip']['asked']): Promise<Uint8Array> {
    return zipped(await this.files(asked));
  }

  async kept(): Promise<Questions['kept']['answer']> {
    const files = await privateFiles();
    return files && { isKept: await holdsPrivateStore(files) };
  }

  async clear(): Promise<readonly string[]> {
    const files = await privateFiles();
    if (files !== null) await clearPrivateStore(files);
    return this.#runs.forget((store) => store instanceof PrivateStore);
  }

  async pause({ isPaused }: Questions['pause']['asked']): Promise<null> {
    if (isPaused) this.#threads?.pause();
    else this.#threads?.goOn();
    return null;
  }

  async cancel(): Promise<null> {
    this.#ending.abort(
      new ProgramError('ended', 'The run was ended. What its chains have done is kept until the page is closed: evaluate again to go on.'),
    );
    return null;
  }

  async failed(): Promise<null> {
    this.#ending.abort(new ProgramError('thread-failed', 'A thread of the page has ended: it may have had too little memory.'));
    return null;
  }

  #earlier({ ofRun }: Chosen): KeptRun | undefined {
    return ofRun === undefined ? undefined : this.#runs.get(ofRun);
  }

  /** Carries a planned run out in threads of its own, and says how far it is. */
  async #carryOut(planned: PlannedRun, jobs: number, store: Store): Promise<CarriedOut> {
    this.#ending = new AbortController();
    const { signal } = this.#ending;
    const threads = new TaskThreads(STARTER, store, jobs);
    this.#threads = threads;
    const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    try {
      const carried = carryOut(store, planned, {
        signal,
        onReport: (isDone) => say({ progress: { phase: 'report', done: Number(isDone), total: 1 } }),
        runTasks: (phase, tasks, units) => {
          const total = units.reduce((sum, some) => sum + some, 0);
          let done = 0;
          say({ progress: { phase, done, total } });
          return threads.run(tasks, (more) => {
            done += more;
            say({ progress: { phase, done, total } });
          });
        },
      });
      return await Promise.race([carried, ended]);
    } finally {
      threads.close();
      this.#threads = null;
    }
  }
}
