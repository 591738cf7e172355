import { useState } from 'preact/hooks';
import type { Compared, Finished, NamedFile, Progress } from '../engine/questions.ts';
import { commandLine } from './command-words.ts';
import { Comparison } from './comparison.tsx';
import type { EngineClient } from './engine-client.ts';
import { FileDrop } from './file-drop.tsx';
import { Reassessment } from './reassessment.tsx';
import { Results } from './results.tsx';
import { Running } from './run-section.tsx';
import { Refused, SameCommand, type Turn, useWaiting } from './waiting.tsx';
import { SCROLLED } from './words.ts';

interface Props {
  readonly engine: EngineClient;
  readonly turn: Turn;
  readonly jobs: number;
  readonly progress: Progress | null;
  /** Those that the page holds, made here or opened. */
  readonly runs: readonly Finished[];
  /** Hears of a run that was opened. */
  readonly onFinished: (run: Finished) => void;
  /** Hears of one that was made, and is nowhere else. */
  readonly onMade: (run: Finished) => void;
}

/** Runs that have finished: looked at again, side by side, or under other scenarios. */
export function RunsTask({ engine, turn, jobs, progress, runs, onFinished, onMade }: Props) {
  const [shown, setShown] = useState<string | null>(null);
  const [compared, setCompared] = useState<Compared | null>(null);
  const { refusal, wait } = useWaiting(turn);
  const isBusy = turn.busy !== null;
  const run = runs.find(({ runId }) => runId === shown);
  const showOpened = (opened: Finished) => {
    onFinished(opened);
    setShown(opened.runId);
  };
  const showMade = (made: Finished) => {
    onMade(made);
    setShown(made.runId);
    setCompared(null);
  };
  async function open(files: readonly NamedFile[]): Promise<void> {
    setCompared(null);
    for (const file of files) await wait('open', engine.ask('open', file), showOpened);
  }
  const compare = (asked: { risk?: string; utility?: string }) =>
    wait('compare', engine.ask('compare', { runIds: runs.map(({ runId }) => runId), ...asked }), setCompared);
  return (
    <>
      <section aria-labelledby="runs-heading">
        <h2 id="runs-heading">Runs that have finished</h2>
        <FileDrop id="run-files" label="A run as this page saved it, or the folder of one as a ZIP file" isBusy={isBusy} onFiles={open} />
        <Refused refusal={refusal} />
        {runs.length > 0 && <RunTable runs={runs} shown={shown} isBusy={isBusy} onShow={setShown} />}
        {runs.length > 1 && (
          <button type="button" class="main" disabled={isBusy} onClick={() => compare({})}>
            Compare these runs
          </button>
        )}
        <div aria-live="polite">
          {turn.busy === 'open' && <p>Opening the run …</p>}
          {turn.busy === 'compare' && <p>Comparing the runs …</p>}
        </div>
      </section>
      {compared && runs.length > 1 && <Comparison compared={compared} isBusy={isBusy} onMeasures={compare} />}
      {run && (
        <>
          <Results
            heading={`The run ${run.name}`}
            finished={run}
            onZip={(what) => engine.ask('zip', { runId: run.runId, what })}
            onFiles={() => engine.ask('files', { runId: run.runId, what: 'run' })}
          />
          <SameCommand command={commandLine('report', run.name)} />
          {run.summary && run.summary.attributeRisk.length > 0 && (
            <Reassessment
              key={run.runId}
              run={run}
              isBusy={isBusy}
              onReassess={(settings, files) =>
                wait('reassess', engine.ask('reassess', { runId: run.runId, settings, files, jobs }), showMade)
              }
            />
          )}
          {turn.busy === 'reassess' && progress && <Running progress={progress} />}
        </>
      )}
    </>
  );
}

interface TableProps {
  readonly runs: readonly Finished[];
  readonly shown: string | null;
  readonly isBusy: boolean;
  readonly onShow: (runId: string) => void;
}

function RunTable({ runs, shown, isBusy, onShow }: TableProps) {
  return (
    <section class="scroll" {...SCROLLED} aria-label="Runs">
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Model</th>
            <th scope="col" class="number">
              Datasets
            </th>
            <th scope="col" class="number">
              Records
            </th>
            <th scope="col">Seed</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ name, runId, summary }) => (
            <tr key={runId}>
              <th scope="row">
                <button type="button" disabled={isBusy} aria-pressed={shown === runId} onClick={() => onShow(runId)}>
                  Show {name}
                </button>
              </th>
              <td>{summary?.model.name ?? 'calibration'}</td>
              <td class="number">{summary?.synthesis.datasets}</td>
              <td class="number">{summary?.table.records.toLocaleString('en')}</td>
              <td>{summary?.seed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
