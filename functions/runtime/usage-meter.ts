import { encodeJson } from '../../shared/artifacts/stored-json.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { RequestCount, UsageNote } from '../../shared/contracts/run/usage.ts';
import type { Store } from '../../shared/storage/store.ts';

const KIB_A_MIB = 1024;

/** Notes are open: memory is told no finer than it is needed for, so that it says nothing of a single record. */
const GRAIN_MIB = 16;

/** What a process of a step is paid by, whatever it does. */
type Rate = Omit<UsageNote, 'calls' | 'seconds' | 'cpuSeconds' | 'peakMemoryMiB' | keyof RequestCount>;

/** Counts what this process uses for each run that it works on, and notes it beside the run's tasks. */
export class UsageMeter {
  /** Of this process alone, so that no two write the same note. */
  readonly #id = globalThis.crypto.randomUUID();
  readonly #rate: Rate;
  /** All requests to S3 of this process, which the store goes on counting. */
  readonly #requests: RequestCount;
  readonly #used = new Map<string, UsageNote>();
  #before = { reads: 0, writes: 0, cpuSeconds: 0 };

  constructor(rate: Rate, requests: RequestCount) {
    this.#rate = rate;
    this.#requests = requests;
  }

  /**
   * Notes that so many more calls and seconds were for a run, with the requests and the time of the processor since the last note,
   * which is itself among them. The last note of a process does not count itself.
   */
  async note(store: Store, runId: string, { calls, seconds }: Pick<UsageNote, 'calls' | 'seconds'>) {
    const { reads, writes } = this.#requests;
    const { system, user } = process.cpuUsage();
    const cpuSeconds = (system + user) / 1e6;
    const nothing = { calls: 0, seconds: 0, cpuSeconds: 0, peakMemoryMiB: 0, reads: 0, writes: 0 };
    const used = this.#used.get(runId) ?? { ...this.#rate, ...nothing };
    const now: UsageNote = {
      ...used,
      calls: used.calls + calls,
      seconds: used.seconds + seconds,
      cpuSeconds: used.cpuSeconds + cpuSeconds - this.#before.cpuSeconds,
      peakMemoryMiB: Math.ceil(process.resourceUsage().maxRSS / KIB_A_MIB / GRAIN_MIB) * GRAIN_MIB,
      reads: used.reads + reads - this.#before.reads,
      writes: used.writes + writes - this.#before.writes,
    };
    this.#before = { reads, writes, cpuSeconds };
    this.#used.set(runId, now);
    await store.put(runKeys(runId).tasks.used(this.#rate.step, this.#id), encodeJson(now));
  }
}
