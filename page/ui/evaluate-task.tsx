import { useEffect, useRef, useState } from 'preact/hooks';
import type { Chosen, Finished, Progress, Questions } from '../engine/questions.ts';
import { Columns } from './columns.tsx';
import { commandLine } from './command-words.ts';
import type { EngineClient } from './engine-client.ts';
import { PrivateFiles } from './private-files.tsx';
import { Results } from './results.tsx';
import { RunSection } from './run-section.tsx';
import { Settings } from './settings.tsx';
import { isAssessment, TableSection } from './table-section.tsx';
import { Refused, type Turn, useWaiting } from './waiting.tsx';

type Answer<V extends keyof Questions> = Questions[V]['answer'];

/** A release key among the files that were chosen: it repeats the release that had it. */
const keyOf = ({ files }: Chosen) => (files.has('release-key') ? { releaseKey: files.get('release-key')! } : {});

/** The command that evaluates what was chosen, or assesses it. */
function commandOf({ files, name, ofRun, synthetic }: Chosen, runs: readonly Finished[]): string {
  const key = files.has('release-key') ? ['--release-key', 'release-key'] : [];
  const settings = [...files.keys()].find((file) => /\.json$/i.test(file));
  if (ofRun !== undefined) {
    const own = synthetic.length === 0 ? [] : ['--synthetic', ...synthetic.map((file) => file.name)];
    const run = runs.find(({ runId }) => runId === ofRun)!.name;
    return commandLine('assess', name, '--config', 'run.yaml', '--run', run, ...own, ...key);
  }
  if (synthetic.length === 0) return commandLine('evaluate', name, '--config', 'run.yaml', ...key);
  const synthpop = settings === undefined ? [] : ['--synthpop', settings];
  return commandLine('assess', name, '--config', 'run.yaml', '--synthetic', ...synthetic.map((file) => file.name), ...synthpop, ...key);
}

interface Props {
  readonly engine: EngineClient;
  readonly turn: Turn;
  readonly jobs: number;
  readonly progress: Progress | null;
  /** Those that the page holds. */
  readonly runs: readonly Finished[];
  readonly onJobs: (jobs: number) => void;
  readonly onFinished: (run: Finished) => void;
  /** Hears which runs have gone with the private files. */
  readonly onCleared: (runIds: readonly string[]) => void;
}

/** A table is evaluated, or datasets of it that were made elsewhere are assessed. */
export function EvaluateTask({ engine, turn, jobs, progress, runs, onJobs, onFinished, onCleared }: Props) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [described, setDescribed] = useState<Answer<'describe'> | null>(null);
  const [planned, setPlanned] = useState<Answer<'plan'> | null>(null);
  const [finished, setFinished] = useState<Finished | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [fields, setFields] = useState<Answer<'settings'>>([]);
  useEffect(() => {
    void engine.ask('settings', {}).then(setFields);
  }, [engine]);
  const latest = useRef<Chosen | null>(null);
  latest.current = chosen;
  const { refusal, wait } = useWaiting(turn);
  const { busy } = turn;

  const describe = (next: Chosen) =>
    wait('describe', engine.ask('describe', next), (answer) => {
      // An answer for what has changed since is no answer any more.
      if (latest.current === next) setDescribed(answer);
    });

  function begin(next: Chosen | null): void {
    setChosen(next);
    latest.current = next;
    setPlanned(null);
    setFinished(null);
    setDescribed(null);
  }
  function choose(next: Chosen): void {
    begin(next);
    void describe(next);
  }

  const change = (settings: string) => choose({ ...chosen!, settings });
  const evaluate = (what: Chosen) =>
    wait('evaluate', engine.ask('evaluate', { ...what, jobs, ...keyOf(what), ...(passphrase === '' ? {} : { passphrase }) }), (run) => {
      setFinished(run);
      onFinished(run);
    });

  function clear(runIds: readonly string[]): void {
    if (finished && runIds.includes(finished.runId)) setFinished(null);
    if (chosen?.ofRun !== undefined && runIds.includes(chosen.ofRun)) {
      const { ofRun: _, ...others } = chosen;
      choose(others);
    }
    onCleared(runIds);
  }

  return (
    <>
      <TableSection chosen={chosen} runs={runs} isBusy={busy !== null} onChoose={choose} onAnew={() => begin(null)} />
      <Refused refusal={refusal} />
      {chosen && described && (
        <Columns
          described={described}
          settings={chosen.settings}
          isBusy={busy !== null}
          onChange={change}
          onSuggest={() => wait('suggest', engine.ask('suggest', chosen), (settings) => change(settings))}
        />
      )}
      {chosen && (
        <Settings
          settings={chosen.settings}
          fields={fields}
          columns={described?.columns ?? []}
          command={commandOf(chosen, runs)}
          isAssessment={isAssessment(chosen)}
          isBusy={busy !== null}
          onChange={change}
        />
      )}
      {chosen && (
        <RunSection
          busy={busy}
          isPossible={described?.refused === null}
          isAssessment={isAssessment(chosen)}
          jobs={jobs}
          planned={planned}
          progress={progress}
          onJobs={onJobs}
          onPlan={() => wait('plan', engine.ask('plan', { ...chosen, jobs }), setPlanned)}
          onEvaluate={() => evaluate(chosen)}
          onPause={(isPaused) => engine.ask('pause', { isPaused })}
          onCancel={() => engine.ask('cancel', {})}
        >
          <PrivateFiles engine={engine} turn={turn} passphrase={passphrase} onPassphrase={setPassphrase} onCleared={clear} />
        </RunSection>
      )}
      {finished && (
        <Results
          heading="5. The results"
          finished={finished}
          onZip={(what) => engine.ask('zip', { runId: finished.runId, what })}
          onFiles={() => engine.ask('files', { runId: finished.runId, what: 'run' })}
        />
      )}
    </>
  );
}
