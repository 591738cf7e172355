import { useState } from 'preact/hooks';
import { MASKING_METHODS } from '../../shared/contracts/config/masking.ts';
import { MASK_FLAGS, type MaskFlags, type MethodFlag } from '../../shared/contracts/settings/masking-settings.ts';
import { formatFigure } from '../../shared/report/words/format-number.ts';
import { methodInWords } from '../../shared/report/words/masking-in-words.ts';
import type { Chosen, Masked } from '../engine/questions.ts';
import { commandLine } from './command-words.ts';
import type { EngineClient } from './engine-client.ts';
import { FileDrop } from './file-drop.tsx';
import { save } from './files.ts';
import { ReportFrame } from './report-frame.tsx';
import { firstChoice } from './table-section.tsx';
import { Typed } from './typed.tsx';
import { Refused, SameCommand, type Turn, useWaiting } from './waiting.tsx';

/** What a setting of a method is, in words. */
const SETTINGS: Readonly<Record<Exclude<MethodFlag, 'tail'>, string>> = {
  k: 'Records that share a value at least',
  aggregate: 'What stands for a group: mean or median',
  p: 'Percent of the ranks that a value goes at most',
  noise: 'Variance of the noise, as a share of that of the variable',
  separation: 'How far the two halves are from zero, in standard deviations',
  errors: 'Share of the variables of a record that are wrong',
  top: 'Percent of the records whose values are cut',
};

/** What of other flags a person can say, as words with commas between. */
const LISTS = {
  variables: 'Variables that are masked (all numbers, if empty)',
  swap: 'Categorical variables whose values trade places',
  strata: 'Only among records that agree on these',
  subdomains: 'Variables whose parts are judged one by one',
} as const;

const typed = (text: string) => text.split(',').flatMap((word) => word.trim() || []);

/** What was typed, as the command takes it. */
function flagsOf(method: string, texts: Readonly<Record<string, string>>): MaskFlags {
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries([
    ['method', method],
    ...given.map(([flag, text]) => [flag, flag in LISTS ? typed(text) : flag === 'aggregate' ? text.trim() : Number(text)]),
  ]);
}

const commandOf = (chosen: Chosen | null, flags: MaskFlags) =>
  commandLine(
    'mask',
    chosen?.name ?? 'table.csv',
    ...(chosen?.settings ? ['--config', 'run.yaml'] : []),
    ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]),
    ...(chosen?.files.has('release-key') ? ['--release-key', 'release-key'] : []),
  );

/** Numbers of a table are masked, to hold them against synthetic data. */
export function MaskTask({ engine, turn }: { readonly engine: EngineClient; readonly turn: Turn }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [method, setMethod] = useState<string>(MASKING_METHODS[0]);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [masked, setMasked] = useState<Masked | null>(null);
  const { refusal, wait } = useWaiting(turn);
  const isBusy = turn.busy !== null;
  const settings = Object.entries(MASK_FLAGS[method]!);
  const fields = [
    ...settings.map(([flag, otherwise]) => [flag, SETTINGS[flag as keyof typeof SETTINGS], String(otherwise)] as const),
    ['sample', 'Share of the records that is drawn first (all, if empty)', ''] as const,
    ...Object.entries(LISTS).map(([flag, words]) => [flag, words, ''] as const),
  ];
  const own = Object.fromEntries(Object.entries(texts).filter(([flag]) => fields.some(([name]) => name === flag)));
  const flags = flagsOf(method, own);
  function mask(table: Chosen): void {
    const key = table.files.get('release-key');
    void wait('mask', engine.ask('mask', { ...table, flags, ...(key === undefined ? {} : { releaseKey: key }) }), setMasked);
  }
  return (
    <section aria-labelledby="mask-heading">
      <h2 id="mask-heading">Mask the numbers of a table</h2>
      <p>
        Masked microdata have a row for each record, with its numbers changed: what agencies release in place of synthetic data, and what to
        hold these against.
      </p>
      <FileDrop
        id="mask-file"
        label="Confidential table, with run.yaml or the release-key of an earlier masking if you have one"
        isBusy={isBusy}
        onFiles={(files) => {
          setMasked(null);
          setChosen(firstChoice(files));
        }}
      >
        {chosen && (
          <p>
            <strong>{chosen.name}</strong>
            {[...chosen.files.keys()].map((name) => ` · ${name}`)}
          </p>
        )}
      </FileDrop>
      <div class="fields">
        <div>
          <label for="mask-method">Method</label>
          <select
            id="mask-method"
            disabled={isBusy}
            value={method}
            onChange={(event) => {
              setMethod(event.currentTarget.value);
              setMasked(null);
            }}
          >
            {MASKING_METHODS.map((name) => (
              <option key={name} value={name}>
                {methodInWords(name)}
              </option>
            ))}
          </select>
        </div>
        {fields.map(([flag, words, otherwise]) => (
          <div key={flag}>
            <label for={`mask-${flag}`}>{words}</label>
            <Typed
              id={`mask-${flag}`}
              disabled={isBusy}
              placeholder={otherwise}
              value={texts[flag] ?? ''}
              onType={(text) => {
                setTexts({ ...texts, [flag]: text });
                setMasked(null);
              }}
            />
          </div>
        ))}
      </div>
      <button type="button" class="main" disabled={isBusy || chosen === null} onClick={() => mask(chosen!)}>
        Mask
      </button>
      <Refused refusal={refusal} />
      <SameCommand command={commandOf(chosen, flags)} />
      {masked && (
        <div class="masked">
          <p>
            {masked.result.informationLossPercent === null
              ? `Information loss is undefined: ${masked.result.informationLossReason}`
              : `Information loss ${formatFigure(masked.result.informationLossPercent)} %.`}
          </p>
          {masked.result.warnings.map(({ code, message }) => (
            <p key={code} class="notice">
              {message}
            </p>
          ))}
          <ReportFrame what="page on what is lost" page={masked.page} file="masking.html" />
          <button type="button" onClick={() => save(`${masked.result.runId}-confidential.zip`, masked.archive, 'application/zip')}>
            Save everything of the masking (confidential, with the release key)
          </button>
        </div>
      )}
    </section>
  );
}
