import { useState } from 'preact/hooks';
import { MODEL_NAMES } from '../../shared/contracts/models/models.ts';
import type { ListedField } from '../../shared/contracts/settings/list-fields.ts';
import type { DescribedColumn } from '../../shared/table/describe/describe-table.ts';
import { settingIn, withSetting } from './settings-text.ts';
import { Typed } from './typed.tsx';
import { SameCommand } from './waiting.tsx';
import { SCROLLED } from './words.ts';

interface Props {
  readonly settings: string;
  /** What can be set; none while that is not known yet. */
  readonly fields: readonly ListedField[];
  readonly columns: readonly DescribedColumn[];
  /** The command that does the same. */
  readonly command: string;
  /** Whether datasets are there already. */
  readonly isAssessment: boolean;
  readonly isBusy: boolean;
  readonly onChange: (settings: string) => void;
}

/** What a person chooses most often, and the settings file in full, of which that is a part. */
export function Settings({ settings, fields, columns, command, isAssessment, isBusy, onChange }: Props) {
  const value = (...path: string[]) => settingIn(settings, path);
  const meaningOf = (name: string) => fields.find(({ path }) => path === name)?.meaning ?? '';
  const set = (path: readonly string[], chosen: unknown) => {
    const next = withSetting(settings, path, chosen);
    if (next !== null) onChange(next);
  };
  const names = columns.filter(({ type }) => type !== 'dropped' && type !== 'count').map(({ name }) => name);
  const acceptance = value('acceptance');
  const rules = Array.isArray(acceptance) ? acceptance.map(String) : [];
  const synthesized = value('synthesis', 'synthesized');
  const isSynthesized = (name: string) => !Array.isArray(synthesized) || synthesized.includes(name);
  const toggle = (name: string) => {
    const next = names.filter((other) => (other === name ? !isSynthesized(name) : isSynthesized(other)));
    set(['synthesis', 'synthesized'], next.length === names.length ? undefined : next);
  };
  return (
    <section aria-labelledby="settings-heading">
      <h2 id="settings-heading">3. The release, and what the intruder knows</h2>
      <div class="fields">
        <Choice
          label="Synthesizer"
          value={value('model', 'name')}
          choices={[['', 'dpmpm, for categories'], ...MODEL_NAMES.filter((name) => name !== 'dpmpm').map((name) => [name, name] as const)]}
          isBusy={isBusy}
          onChoose={(name) => set(['model', 'name'], name)}
        />
        {!isAssessment && (
          <div>
            <label for="datasets">Synthetic datasets</label>
            <Typed
              id="datasets"
              type="number"
              min={1}
              max={100}
              disabled={isBusy}
              value={String(value('synthesis', 'datasets') ?? 5)}
              onType={(text) => set(['synthesis', 'datasets'], Number(text))}
            />
          </div>
        )}
        <Choice
          label="Precision"
          help={meaningOf('mcmc.precision')}
          value={value('mcmc', 'precision')}
          choices={[
            ['', 'default, to rely on'],
            ['quick', 'quick, a first look'],
            ['high', 'high'],
          ]}
          isBusy={isBusy}
          onChoose={(precision) => set(['mcmc', 'precision'], precision)}
        />
        <Choice
          label="The intruder knows every other record, and of the target"
          help={meaningOf('attributeRisk.candidates')}
          value={value('attributeRisk', 'candidates')}
          choices={[
            ['', 'all values but one'],
            ['two-changes', 'all values but two'],
            ['all-cells', 'nothing'],
          ]}
          isBusy={isBusy}
          onChoose={(candidates) => set(['attributeRisk', 'candidates'], candidates)}
        />
      </div>
      {names.length > 0 && (
        <fieldset>
          <legend>Variables that are synthesized; the others are released as they are</legend>
          {names.map((name) => (
            <span key={name}>
              <input
                id={`synthesized-${name}`}
                type="checkbox"
                disabled={isBusy}
                checked={isSynthesized(name)}
                onChange={() => toggle(name)}
              />{' '}
              <label for={`synthesized-${name}`}>{name}</label>{' '}
            </span>
          ))}
        </fieldset>
      )}
      <label for="acceptance">Acceptance rules, one a line: a release that breaks one is not accepted</label>
      <Typed
        as="textarea"
        id="acceptance"
        class="rules"
        spellcheck={false}
        disabled={isBusy}
        value={rules.join('\n')}
        onType={(text) => {
          const given = text.split('\n').flatMap((line) => line.trim() || []);
          set(['acceptance'], given.length === 0 ? undefined : given);
        }}
        aria-describedby="acceptance-help"
      />
      <Help id="acceptance-help">{meaningOf('acceptance')}</Help>
      <label for="settings-text">All settings (run.yaml), these and every other</label>
      <Typed as="textarea" id="settings-text" spellcheck={false} disabled={isBusy} value={settings} onType={onChange} />
      <Meanings fields={fields} />
      <SameCommand command={command} />
    </section>
  );
}

/** What a setting means, below its field. */
const Help = ({ id, children }: { readonly id: string; readonly children: string }) =>
  children === '' ? null : (
    <p id={id} class="quiet help">
      {children}.
    </p>
  );

/** Every setting that the file may have, with its meaning: those whose name or meaning has what is looked for. */
function Meanings({ fields }: { readonly fields: readonly ListedField[] }) {
  const [wanted, setWanted] = useState('');
  const found = fields.filter(({ path, meaning }) => `${path} ${meaning ?? ''}`.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <details>
      <summary>Every setting, and what it means</summary>
      <label for="meanings-wanted">Look for</label>
      <input id="meanings-wanted" type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      <p class="quiet" role="status">
        {found.length} of {fields.length} settings
      </p>
      <section class="scroll" {...SCROLLED} aria-label="Settings">
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ path, type, meaning }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td>{type}</td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly help?: string;
  readonly value: unknown;
  readonly choices: readonly (readonly [string, string])[];
  readonly isBusy: boolean;
  readonly onChoose: (value: string | undefined) => void;
}

function Choice({ label, help = '', value, choices, isBusy, onChoose }: ChoiceProps) {
  const id = `choice-${label.replaceAll(/\W+/g, '-').toLowerCase()}`;
  // A setting that is none of them stands in the file alone.
  const isOther = value !== undefined && !choices.some(([choice]) => choice === value);
  return (
    <div>
      <label for={id}>{label}</label>
      <select
        id={id}
        disabled={isBusy || isOther}
        value={isOther ? '' : String(value ?? '')}
        onChange={(event) => onChoose(event.currentTarget.value || undefined)}
        aria-describedby={help === '' ? undefined : `${id}-help`}
      >
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
      <Help id={`${id}-help`}>{help}</Help>
      {isOther && <p class="quiet">The settings file says something else.</p>}
    </div>
  );
}
