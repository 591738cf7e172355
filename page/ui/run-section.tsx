import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Progress, Questions } from '../engine/questions.ts';
import { Typed } from './typed.tsx';
import type { Busy } from './waiting.tsx';
import { DOING, inWords } from './words.ts';

interface Props {
  readonly busy: Busy;
  readonly isPossible: boolean;
  /** Whether datasets are there already. */
  readonly isAssessment: boolean;
  readonly jobs: number;
  readonly planned: Questions['plan']['answer'] | null;
  readonly progress: Progress | null;
  readonly onJobs: (jobs: number) => void;
  readonly onPlan: () => void;
  readonly onEvaluate: () => void;
  readonly onPause: (isPaused: boolean) => void;
  readonly onCancel: () => void;
  /** What can be chosen beside. */
  readonly children: ComponentChildren;
}

/** What the run would take, and the run itself. */
export function RunSection({
  children,
  busy,
  isAssessment,
  isPossible,
  jobs,
  planned,
  progress,
  onJobs,
  onPlan,
  onEvaluate,
  onPause,
  onCancel,
}: Props) {
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    if (busy !== 'evaluate') setPaused(false);
  }, [busy]);
  const pause = (next: boolean) => {
    setPaused(next);
    onPause(next);
  };
  return (
    <section aria-labelledby="run-heading">
      <h2 id="run-heading">4. The {isAssessment ? 'assessment' : 'evaluation'}</h2>
      <label for="jobs">Cores to use</label>
      <Typed
        id="jobs"
        type="number"
        min={1}
        max={64}
        value={String(jobs)}
        disabled={busy !== null}
        onType={(text) => onJobs(Math.max(1, Number(text)))}
      />
      {children}
      <div>
        <button type="button" disabled={busy !== null || !isPossible} onClick={onPlan}>
          How long will it take?
        </button>
        <button type="button" class="main" disabled={busy !== null || !isPossible} onClick={onEvaluate}>
          {isAssessment ? 'Assess' : 'Evaluate'}
        </button>
        {busy === 'evaluate' && (
          <>
            <button type="button" onClick={() => pause(!isPaused)}>
              {isPaused ? 'Go on' : 'Pause'}
            </button>
            <button type="button" onClick={onCancel}>
              End the run
            </button>
          </>
        )}
      </div>
      <div aria-live="polite">
        {busy === 'plan' && <p>Measuring this computer …</p>}
        {busy === 'describe' && <p>Reading the table …</p>}
        {planned && (
          <>
            <p>
              {planned.combinations.toLocaleString('en')} combinations; about {inWords(60 * planned.estimate.minutes)} and{' '}
              {Math.ceil(planned.estimate.memoryMiB).toLocaleString('en')} MiB of memory.
            </p>
            {planned.warnings.map((message) => (
              <p key={message} class="notice">
                {message}
              </p>
            ))}
          </>
        )}
      </div>
      {busy === 'evaluate' && progress && <Running progress={progress} isPaused={isPaused} />}
    </section>
  );
}

interface RunningProps {
  readonly progress: Progress;
  readonly isPaused?: boolean;
}

/** How far the phase is, and how long it may still take. */
export function Running({ progress: { phase, done, total }, isPaused = false }: RunningProps) {
  const began = useRef({ phase, isPaused, done, at: performance.now() });
  if (began.current.phase !== phase || began.current.isPaused !== isPaused) {
    began.current = { phase, isPaused, done, at: performance.now() };
  }
  const seconds = (performance.now() - began.current.at) / 1000;
  const doneSince = done - began.current.done;
  const left = doneSince > 0 && seconds > 2 ? `, about ${inWords((seconds * (total - done)) / doneSince)} left of this step` : '';
  return (
    <div>
      <label for="running">
        {DOING[phase]}
        {isPaused ? ': paused. What is at work is finished first; nothing else begins.' : left}
      </label>
      <progress id="running" max={Math.max(total, 1)} value={done} />
    </div>
  );
}
