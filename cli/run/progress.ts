import { setImmediate } from 'node:timers/promises';
import { Listr, ListrLogger, ProcessOutput } from 'listr2';
import type { Stepwise } from '../../shared/contracts/stepwise.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';

/** Seconds between two lines of progress where lines cannot be rewritten, as in a log file. */
const LOG_SECONDS = 10;

/** Milliseconds between two looks at the progress. */
const LOOK_MILLISECONDS = 250;

/** One step of a run as its progress is shown. */
export interface Step {
  readonly title: string;
  /** Seconds that are left after so many, null while nothing is known; absent of a step that is over in a moment. */
  readonly left?: (seconds: number) => number | null;
  readonly work: () => Promise<void>;
}

/** Seconds that are left of units of work that follow each other, from the time that those done have taken. */
export function leftOfUnits(unitsDone: number, units: number, seconds: number): number | null {
  return unitsDone > 0 ? (seconds * Math.max(0, units - unitsDone)) / unitsDone : null;
}

/** Share and remaining time of a step, of which so many seconds have gone and are left. */
function progressLine(seconds: number, left: number | null): string {
  if (left === null) return '0 %';
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
        const timer = setInterval(() => {
          const now = seconds();
          if (left === undefined || now < 2 || (!interactive && now - lastShown < LOG_SECONDS)) return;
          lastShown = now;
          task.output = progressLine(now, left(now));
        }, LOOK_MILLISECONDS);
        try {
          await work();
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
  let unitsDone = 0;
  let finished: { readonly result: Result } | undefined;
  const through = async () => {
    for (let next = work.next(); ; next = work.next()) {
      if (next.done) {
        finished = { result: next.value };
        return;
      }
      unitsDone = next.value;
      await setImmediate();
    }
  };
  await runSteps([{ title, left: (seconds) => leftOfUnits(unitsDone, units, seconds), work: through }], quiet);
  return finished!.result;
}
