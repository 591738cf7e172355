import type { Chosen, Finished, NamedFile } from '../engine/questions.ts';
import { FileDrop } from './file-drop.tsx';

interface Props {
  readonly chosen: Chosen | null;
  /** Those that the page holds. */
  readonly runs: readonly Finished[];
  readonly isBusy: boolean;
  readonly onChoose: (chosen: Chosen) => void;
  readonly onAnew: () => void;
}

/** Text of the settings file among files, and the others. */
function withoutSettings(files: readonly NamedFile[]) {
  const settings = files.find(({ name }) => /\.ya?ml$/i.test(name));
  return { settings: settings && new TextDecoder().decode(settings.bytes), others: files.filter((file) => file !== settings) };
}

/** What a person has chosen first: the first table, its settings, and what belongs to them. Null where there is no table. */
export function firstChoice(files: readonly NamedFile[]): Chosen | null {
  const { settings = '', others } = withoutSettings(files);
  const [table, ...beside] = others;
  if (table === undefined) return null;
  return { name: table.name, table: table.bytes, settings, files: byName(beside), synthetic: [] };
}

/** Whether datasets are there already. */
export const isAssessment = ({ ofRun, synthetic }: Chosen): boolean => synthetic.length > 0 || ofRun !== undefined;

const byName = (files: readonly NamedFile[]) => new Map(files.map(({ name, bytes }) => [name, bytes]));

/** Takes the table, a settings file, and the files that this names. */
export function TableSection({ chosen, runs, isBusy, onChoose, onAnew }: Props) {
  function begin(files: readonly NamedFile[]): void {
    const first = firstChoice(files);
    if (first !== null) onChoose(first);
  }
  function add(files: readonly NamedFile[]): void {
    const { settings = chosen!.settings, others } = withoutSettings(files);
    onChoose({ ...chosen!, settings, files: new Map([...chosen!.files, ...byName(others)]) });
  }
  return (
    <section aria-labelledby="table-heading">
      <h2 id="table-heading">1. The table</h2>
      {chosen === null ? (
        <FileDrop id="table-file" label="Confidential table (CSV, Parquet or Excel), with run.yaml if you have one" onFiles={begin} />
      ) : (
        <>
          <FileDrop
            id="more-files"
            label="Other files: run.yaml, structural zeros, a prior, a control, or the release-key of a release to repeat"
            isBusy={isBusy}
            onFiles={add}
          >
            <p>
              <strong>{chosen.name}</strong>
              {[...chosen.files.keys()].map((name) => ` · ${name}`)}
            </p>
            <button type="button" disabled={isBusy} onClick={onAnew}>
              Begin anew with another table
            </button>
          </FileDrop>
          <details open={isAssessment(chosen)}>
            <summary>Assess synthetic datasets that were made elsewhere, or by an earlier run</summary>
            <FileDrop
              id="synthetic-files"
              label="All of the datasets (CSV, Parquet or Excel): they are assessed, and none is made"
              isBusy={isBusy}
              onFiles={(synthetic) => onChoose({ ...chosen, synthetic })}
            >
              {chosen.synthetic.length > 0 && (
                <p>
                  <strong>{chosen.synthetic.map(({ name }) => name).join(' · ')}</strong>{' '}
                  <button type="button" disabled={isBusy} onClick={() => onChoose({ ...chosen, synthetic: [] })}>
                    Make datasets here after all
                  </button>
                </p>
              )}
            </FileDrop>
            <OfRun chosen={chosen} runs={runs} isBusy={isBusy} onChoose={onChoose} />
          </details>
        </>
      )}
    </section>
  );
}

/** Which run's datasets are assessed, from the draws that generated them. */
function OfRun({ chosen, runs, isBusy, onChoose }: Omit<Props, 'chosen' | 'onAnew'> & { readonly chosen: Chosen }) {
  const { ofRun: _, ...others } = chosen;
  const assessable = runs.filter(({ purpose }) => purpose !== 'calibrate');
  if (assessable.length === 0) {
    return <p class="quiet">To assess the datasets of an earlier run from its draws, open the run first: "Open and compare runs".</p>;
  }
  return (
    <>
      <label for="of-run">Or the datasets of a run, from the draws that generated them</label>
      <select
        id="of-run"
        disabled={isBusy}
        value={chosen.ofRun ?? ''}
        onChange={({ currentTarget: { value } }) => onChoose(value === '' ? others : { ...others, ofRun: value })}
      >
        <option value="">none</option>
        {assessable.map(({ name, runId }) => (
          <option key={runId} value={runId}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}
