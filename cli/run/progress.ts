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
  /** Units of work that the step has; 0 for one that is over in a moment. */
  readonly units: number;
  readonly unitsDone: () => number;
  readonly work: () => Promise<void>;
}

/** Shares and remaining time of a step, from the time it has taken so far. */
function progressLine(unitsDone: number, units: number, seconds: number): string {
  const share = Math.min(1, unitsDone / units);
  const percent = `${Math.floor(100 * share)} %`;
  return share > 0 ? `${percent}, ${formatDuration((seconds * (1 - share)) / share)} left` : percent;
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
    steps.map(({ title, units, unitsDone, work }) => ({
      title,
      task: async (_: unknown, task: { output: string | undefined; title: string }) => {
        const started = performance.now();
        const seconds = () => (performance.now() - started) / 1000;
        let lastShown = 0;
        const timer = setInterval(() => {
          const now = seconds();
          if (units === 0 || now < 2 || (!interactive && now - lastShown < LOG_SECONDS)) return;
          lastShown = now;
          task.output = progressLine(unitsDone(), units, now);
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
  await runSteps([{ title, units, unitsDone: () => unitsDone, work: through }], quiet);
  return finished!.result;
}
