import { useEffect, useState } from 'preact/hooks';
import { VERSION } from '../../shared/contracts/version.ts';
import type { Finished, Progress } from '../engine/questions.ts';
import type { EngineClient } from './engine-client.ts';
import { EvaluateTask } from './evaluate-task.tsx';
import { MaskTask } from './mask-task.tsx';
import { RunsTask } from './runs-task.tsx';
import { VerifyTask } from './verify-task.tsx';
import type { Busy } from './waiting.tsx';

/** What the page can be used for. */
const TASKS = { evaluate: 'Evaluate or assess', runs: 'Open and compare runs', verify: 'Check a release', mask: 'Mask numbers' } as const;

type Task = keyof typeof TASKS;

/** The whole page: what it is used for on top, and that below. */
export function App({ engine }: { readonly engine: EngineClient }) {
  const [task, setTask] = useState<Task>('evaluate');
  const [runs, setRuns] = useState<readonly Finished[]>([]);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [busy, setBusy] = useState<Busy>(null);
  const [hasMade, setMade] = useState(false);
  const [jobs, setJobs] = useState(Math.min(navigator.hardwareConcurrency, 8));
  engine.onProgress = setProgress;
  const isRunning = busy === 'evaluate' || busy === 'reassess';

  useEffect(() => {
    // What is in memory goes with the page.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isRunning || hasMade) addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning, hasMade]);

  const turn = {
    busy,
    onBusy: (next: Busy) => {
      setBusy(next);
      if (next === null) setProgress(null);
    },
  };
  const keep = (run: Finished) => setRuns((before) => [...before.filter(({ runId }) => runId !== run.runId), run]);
  const keepMade = (run: Finished) => {
    keep(run);
    setMade(true);
  };
  const forget = (runIds: readonly string[]) => setRuns((before) => before.filter(({ runId }) => !runIds.includes(runId)));
  const shared = { engine, turn, jobs, progress };
  return (
    <>
      <header>
        <h1>synthrisk</h1>
        <p>
          What could an intruder learn from synthetic data about the people in your table? Everything happens in this page: nothing is sent
          anywhere, and nothing stays when you close it unless you ask for it.
        </p>
        <nav aria-label="What to do">
          {Object.entries(TASKS).map(([own, words]) => (
            <button key={own} type="button" aria-current={task === own ? 'page' : undefined} onClick={() => setTask(own as Task)}>
              {words}
            </button>
          ))}
        </nav>
      </header>
      <main>
        <div hidden={task !== 'evaluate'}>
          <EvaluateTask {...shared} runs={runs} onJobs={setJobs} onFinished={keepMade} onCleared={forget} />
        </div>
        <div hidden={task !== 'runs'}>
          <RunsTask {...shared} runs={runs} onFinished={keep} onMade={keepMade} />
        </div>
        <div hidden={task !== 'verify'}>
          <VerifyTask engine={engine} turn={turn} />
        </div>
        <div hidden={task !== 'mask'}>
          <MaskTask engine={engine} turn={turn} />
        </div>
      </main>
      <footer class="quiet">
        <p>
          synthrisk {VERSION}. The page asks nothing of a network, and its policy lets it ask nothing. Extensions of the browser, and
          whoever else uses this computer, can see what it shows.
        </p>
      </footer>
    </>
  );
}
