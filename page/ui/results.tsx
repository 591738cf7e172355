import { useState } from 'preact/hooks';
import type { Summary } from '../../shared/contracts/results/summary.ts';
import { acceptanceFigures } from '../../shared/contracts/settings/summary-figures.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { formatFigure, formatMeasured, formatPercent, formatPercentEstimate } from '../../shared/report/words/format-number.ts';
import { measureInWords } from '../../shared/report/words/measures-in-words.ts';
import type { Finished } from '../engine/questions.ts';
import { Refusal } from './engine-client.ts';
import { canSaveFolders, save, saveInFolder } from './files.ts';
import { ReportFrame } from './report-frame.tsx';
import { Refused } from './waiting.tsx';
import { SCROLLED } from './words.ts';

const UNITS = new Map(acceptanceFigures().map(({ figure, unit }) => [figure, unit]));

/** What a figure of the headline counts or measures, whichever scenario it is of. */
const unitOf = (name: string) => UNITS.get(name.replace(/\[".*"\]/s, ''));

/** A figure with its error, as the report writes it. */
function inWords(name: string, value: number, se: number | null): string {
  // Some shares can be below zero, where a release misleads.
  const isShare = unitOf(name) === 'share of 1' || /\bshare\b/.test(measureInWords(name));
  if (se === null || se === 0) return isShare ? formatPercent(value) : formatFigure(value);
  return isShare ? formatPercentEstimate(value, se) : formatMeasured(value, se);
}

interface Props {
  readonly heading: string;
  readonly finished: Finished;
  readonly onZip: (what: 'run' | 'release') => Promise<Uint8Array>;
  /** The files of everything, by their paths. */
  readonly onFiles: () => Promise<ReadonlyMap<string, Uint8Array>>;
}

/** What a run came to, its report as it is, and what can be saved. */
export function Results({ heading, finished, onZip, onFiles }: Props) {
  const { purpose, report, runId, summary, verdict, version } = finished;
  const [savedAs, setSavedAs] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  async function saving(work: () => Promise<void>): Promise<void> {
    setSavedAs('');
    setRefusal(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error);
    }
  }
  const zip = (what: 'run' | 'release') =>
    saving(async () => save(`${runId}-${what === 'run' ? 'confidential' : 'release'}.zip`, await onZip(what), 'application/zip'));
  const intoFolder = () =>
    saving(async () => {
      if (await saveInFolder(onFiles)) setSavedAs(`Everything is in the folder ${runId} now.`);
    });
  const id = `results-heading-${runId}`;
  return (
    <section class="results" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {verdict && <p class="verdict">{verdict}</p>}
      {summary && summary.headline.length > 0 && <Headline headline={summary.headline} />}
      {summary?.warnings.map(({ code, message }) => (
        <p key={code} class="notice">
          {message}
        </p>
      ))}
      {version !== VERSION && (
        <p class="notice">
          Version {version} wrote this run, and this page is of {VERSION}. Its report shows here without its search: save it, and open the
          file.
        </p>
      )}
      {report && <ReportFrame what="report" page={report} file={`${runId}-report.html`} />}
      <button type="button" onClick={() => zip('run')}>
        Save everything (confidential, with the release key)
      </button>
      {canSaveFolders() && (
        <button type="button" onClick={intoFolder}>
          Save everything into a folder (confidential)
        </button>
      )}
      {(purpose === 'evaluate' || purpose === 'synthesize') && (
        <button type="button" onClick={() => zip('release')}>
          Save the synthetic datasets alone
        </button>
      )}
      <p aria-live="polite">{savedAs}</p>
      <Refused refusal={refusal} />
    </section>
  );
}

function Headline({ headline }: Pick<Summary, 'headline'>) {
  return (
    <section class="scroll" {...SCROLLED} aria-label="Figures">
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" class="number">
              Value ± standard error
            </th>
            <th scope="col" class="number">
              Without the release, or by chance
            </th>
          </tr>
        </thead>
        <tbody>
          {headline.map(({ name, value, se, baseline }) => (
            <tr key={name}>
              <th scope="row">{measureInWords(name)}</th>
              <td class="number">{inWords(name, value, se)}</td>
              <td class="number">{baseline === null ? '–' : inWords(name, baseline, null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
