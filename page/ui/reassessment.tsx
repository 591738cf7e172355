import { useState } from 'preact/hooks';
import { stringify } from 'yaml';
import type { Finished, NamedFile } from '../engine/questions.ts';
import { commandLine } from './command-words.ts';
import { FileDrop } from './file-drop.tsx';
import { Typed } from './typed.tsx';
import { SameCommand } from './waiting.tsx';

/** What a person begins with: an intruder who does not know the first value that was synthesized. */
const beginning = ({ summary }: Finished) =>
  stringify({ attributeRisk: { candidates: { unknown: summary!.synthesis.synthesized.slice(0, 1) }, prior: 'model' } });

interface Props {
  readonly run: Finished;
  readonly isBusy: boolean;
  readonly onReassess: (settings: string, files: ReadonlyMap<string, Uint8Array>) => void;
}

/** A run under other scenarios and rules. */
export function Reassessment({ run, isBusy, onReassess }: Props) {
  const [settings, setSettings] = useState(() => beginning(run));
  const [files, setFiles] = useState<readonly NamedFile[]>([]);
  return (
    <section aria-labelledby="reassess-heading">
      <h2 id="reassess-heading">Another intruder, or other rules</h2>
      <p>What the run has drawn stays. Say what another intruder knows and believes, and by which rules the result is judged.</p>
      <label for="scenarios">Settings of attributeRisk and acceptance (YAML)</label>
      <Typed as="textarea" id="scenarios" spellcheck={false} disabled={isBusy} value={settings} onType={setSettings} />
      <FileDrop
        id="scenario-files"
        label="Files that these settings name"
        isBusy={isBusy}
        onFiles={(more) => setFiles([...files, ...more])}
      >
        {files.length > 0 && <p>{files.map(({ name }) => name).join(' · ')}</p>}
      </FileDrop>
      <button
        type="button"
        class="main"
        disabled={isBusy}
        onClick={() => onReassess(settings, new Map(files.map(({ name, bytes }) => [name, bytes])))}
      >
        Reassess
      </button>
      <SameCommand command={commandLine('reassess', run.name, '--config', 'scenarios.yaml')} />
    </section>
  );
}
