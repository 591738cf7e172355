import { MODEL_NAMES } from '../../shared/contracts/models/models.ts';
import type { DescribedColumn } from '../../shared/table/describe/describe-table.ts';
import { settingIn, withSetting } from './settings-text.ts';
import { SameCommand } from './waiting.tsx';

interface Props {
  readonly settings: string;
  readonly columns: readonly DescribedColumn[];
  /** The command that does the same. */
  readonly command: string;
  /** Whether datasets are there already. */
  readonly isAssessment: boolean;
  readonly isBusy: boolean;
  readonly onChange: (settings: string) => void;
}

/** What a person chooses most often, and the settings file in full, of which that is a part. */
export function Settings({ settings, columns, command, isAssessment, isBusy, onChange }: Props) {
  const value = (...path: string[]) => settingIn(settings, path);
  const set = (path: readonly string[], chosen: unknown) => {
    const next = withSetting(settings, path, chosen);
    if (next !== null) onChange(next);
  };
  const names = columns.filter(({ type }) => type !== 'dropped' && type !== 'count').map(({ name }) => name);
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
            <input
              id="datasets"
              type="number"
              min={1}
              max={100}
              disabled={isBusy}
              value={String(value('synthesis', 'datasets') ?? 5)}
              onChange={(event) => set(['synthesis', 'datasets'], Number(event.currentTarget.value))}
            />
          </div>
        )}
        <Choice
          label="Precision"
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
      <label for="settings-text">All settings (run.yaml), these and every other</label>
      <textarea
        id="settings-text"
        spellcheck={false}
        disabled={isBusy}
        value={settings}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <SameCommand command={command} />
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: unknown;
  readonly choices: readonly (readonly [string, string])[];
  readonly isBusy: boolean;
  readonly onChoose: (value: string | undefined) => void;
}

function Choice({ label, value, choices, isBusy, onChoose }: ChoiceProps) {
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
      >
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
      {isOther && <p class="quiet">The settings file says something else.</p>}
    </div>
  );
}
