import { measureInWords } from '../../shared/report/words/measures-in-words.ts';
import type { Compared } from '../engine/questions.ts';
import { commandLine } from './command-words.ts';
import { save } from './files.ts';
import { ReportFrame } from './report-frame.tsx';
import { SameCommand } from './waiting.tsx';

interface Props {
  readonly compared: Compared;
  readonly isBusy: boolean;
  readonly onMeasures: (asked: { risk?: string; utility?: string }) => void;
}

/** Runs side by side: the map in words, its measures to choose, its page, and what can be saved. */
export function Comparison({ compared: { archive, comparison, lines, page }, isBusy, onMeasures }: Props) {
  const { map, measures, runs } = comparison;
  const named = map === null ? [] : ['--risk', map.risk, '--utility', map.utility];
  const axis = (of: 'risk' | 'utility') => (
    <div>
      <label for={`measure-${of}`}>{of === 'risk' ? 'Measure of risk' : 'Measure of utility'}</label>
      <select
        id={`measure-${of}`}
        disabled={isBusy}
        value={map![of]}
        onChange={(event) => onMeasures({ ...map!, [of]: event.currentTarget.value })}
      >
        {measures
          .filter((own) => own.of === of && runs.every((run) => run[of][own.name] !== undefined))
          .map(({ name }) => (
            <option key={name} value={name}>
              {measureInWords(name)}
            </option>
          ))}
      </select>
    </div>
  );
  return (
    <section class="comparison" aria-labelledby="comparison-heading">
      <h2 id="comparison-heading">The runs side by side</h2>
      {map && (
        <div class="fields">
          {axis('risk')}
          {axis('utility')}
        </div>
      )}
      <pre {...{ tabIndex: 0 }}>{lines.join('\n')}</pre>
      <ReportFrame what="comparison" page={page} file="comparison.html" />
      <button type="button" onClick={() => save('comparison-confidential.zip', archive, 'application/zip')}>
        Save the comparison with its tables (confidential)
      </button>
      <SameCommand command={commandLine('compare', ...runs.map(({ name }) => name), ...named, '--out', 'compared')} />
    </section>
  );
}
