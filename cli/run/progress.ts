import { setImmediate } from 'node:timers/promises';
import { Listr, ListrLogger, ProcessOutput } from 'listr2';
import type { OnShare, Stepwise } from '../../shared/contracts/stepwise.ts';
import { secondsLeft } from '../../shared/pipeline/tasks/seconds-left.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';

/** Seconds between two lines of progress where lines cannot be rewritten, as in a log file. */
const LOG_SECONDS = 10;

/** Milliseconds between two looks at the progress. */
const LOOK_MILLISECONDS = 250;

/** One step of a run as its progress is shown. */
export interface Step {
  readonly title: string;
  /** Seconds that are left where other threads are at work, null while nothing is known; without it they follow from the shares that the work reports. */
  readonly left?: () => number | null;
  /** Goes on for as long as the step does, and tells what share of it is done, where that is known. */
  readonly work: (onShare: OnShare) => Promise<void>;
}

/** Share and remaining time of a step, of which so many seconds have gone and are left. */
function progressLine(seconds: number, left: number): string {
  return `${Math.floor((100 * seconds) / (seconds + left))} %, ${formatDuration(left)} left`;
}

/**
 * Runs steps one after the other and shows on standard error how far they are. Of an error nothing is shown, since whoever
 * catches it says it once, and knows which messages may quote the table.
 *
 * @throws what a step throws
 */
export async function runSteps(steps: readonly Step[], quiet: boolean): Promise<void> {
  const interactive = process.stderr.isTTY === true;
  // A terminal's lines are rewritten by writing to the given stream, so that standard output stays clean.
  const logger = new ListrLogger({ useIcons: true, processOutput: new ProcessOutput(process.stderr, process.stderr) });
  let failure: unknown;
  const list = new Listr(
    steps.map(({ title, left, work }) => ({
      title,
      task: async (_: unknown, task: { output: string | undefined; title: string }) => {
        const started = performance.now();
        const seconds = () => (performance.now() - started) / 1000;
        let lastShown = 0;
        const told = { done: 0, seconds: 0 };
        const ownLeft = () => secondsLeft([{ kind: title, units: 1, ...told, since: seconds() - told.seconds, hasEnded: false }], 1);
        const look = () => {
          const now = seconds();
          if (now < 2 || now - lastShown < (interactive ? LOOK_MILLISECONDS / 1000 : LOG_SECONDS)) return;
          const remaining = (left ?? ownLeft)();
          if (remaining === null) return;
          lastShown = now;
          task.output = progressLine(now, remaining);
        };
        const timer = setInterval(look, LOOK_MILLISECONDS);
        try {
          // No timer runs while this thread is at work, so that a share is shown at once.
          await work((share) => {
            Object.assign(told, { done: share, seconds: seconds() });
            look();
          });
          task.title = `${title} (${formatDuration(seconds())})`;
        } catch (error) {
          failure = error;
          throw new Error('');
        } finally {
          clearInterval(timer);
        }
      },
    })),
    {
      renderer: quiet ? 'silent' : interactive ? 'default' : 'simple',
      rendererOptions: { logger },
      // The run handles Ctrl-C itself, so that it can say how to go on.
      registerSignalListeners: false,
    } as ConstructorParameters<typeof Listr>[1],
  );
  await list.run().catch((shown: unknown) => {
    throw failure ?? shown;
  });
}

/**
 * Goes through stepwise work as one step of a run. Timers run between its steps, and with them the display.
 *
 * @param units of the whole work
 * @throws what the work throws
 */
export async function runStepwise<Result>(title: string, units: number, work: Stepwise<Result>, quiet: boolean): Promise<Result> {
  let finished: { readonly result: Result } | undefined;
  const through = async (onShare: OnShare) => {
    for (let next = work.next(); ; next = work.next()) {
      if (next.done) {
        finished = { result: next.value };
        return;
      }
      onShare(Math.min(1, next.value / units));
      await setImmediate();
    }
  };
  await runSteps([{ title, work: through }], quiet);
  return finished!.result;
}
