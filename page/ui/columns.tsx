import type { DescribedColumn } from '../../shared/table/describe/describe-table.ts';
import type { Questions } from '../engine/questions.ts';
import { Histogram } from './histogram.tsx';
import { settingIn, withSetting } from './settings-text.ts';
import { Typed } from './typed.tsx';
import { SCROLLED } from './words.ts';

interface Props {
  readonly described: Questions['describe']['answer'];
  readonly settings: string;
  readonly isBusy: boolean;
  readonly onChange: (settings: string) => void;
  readonly onSuggest: () => void;
}

const READ_AS = { '': 'as found', categorical: 'categories', continuous: 'numbers', drop: 'left out' } as const;

/** How a variable is read by the settings. */
function readAs(settings: string, name: string): string {
  if (settingIn(settings, ['variables', name, 'drop']) === true) return 'drop';
  return String(settingIn(settings, ['variables', name, 'type']) ?? '');
}

/** The settings with another way to read a variable. */
function readingAs(settings: string, name: string, how: string): string | null {
  const without = withSetting(settings, ['variables', name], undefined);
  if (how === '' || without === null) return without;
  return withSetting(without, ['variables', name], how === 'drop' ? { drop: true } : { type: how });
}

/** A list of numbers, or of words, that a person has typed with commas between; null for none. */
const typedList = (text: string) => {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
};

/** Shows each column as a run would read it, what is odd about it, and lets a person decide. */
export function Columns({ described, settings, isBusy, onChange, onSuggest }: Props) {
  const { columns, records, refused } = described;
  const set = (path: readonly string[], value: unknown) => {
    const next = withSetting(settings, path, value);
    if (next !== null) onChange(next);
  };
  return (
    <section aria-labelledby="columns-heading">
      <h2 id="columns-heading">2. Its columns</h2>
      <p>
        {records.toLocaleString('en')} records, {columns.length} columns. The values shown are confidential.
      </p>
      {refused && (
        <div class="refusal">
          <p>
            A run would be refused: {refused.message} Decide below, or{' '}
            <button type="button" class="main" disabled={isBusy} onClick={onSuggest}>
              take what is suggested
            </button>
          </p>
        </div>
      )}
      <section class="scroll" {...SCROLLED} aria-label="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Read as</th>
              <th scope="col">Commonest values</th>
              <th scope="col" class="number">
                Distinct
              </th>
              <th scope="col" class="number">
                Missing
              </th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <Row key={column.name} column={column} records={records} settings={settings} isBusy={isBusy} onChange={onChange} set={set} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

interface RowProps {
  readonly column: DescribedColumn;
  readonly records: number;
  readonly settings: string;
  readonly isBusy: boolean;
  readonly onChange: (settings: string) => void;
  readonly set: (path: readonly string[], value: unknown) => void;
}

function Row({ column, records, settings, isBusy, onChange, set }: RowProps) {
  const { name, type, reason, bars, commonest, distinct, missing, notices } = column;
  const breaks = settingIn(settings, ['variables', name, 'breaks']);
  const codes = settingIn(settings, ['variables', name, 'missingCodes']);
  const isNumber = type === 'continuous' || Array.isArray(breaks);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <select
          aria-label={`How ${name} is read`}
          disabled={isBusy}
          value={readAs(settings, name)}
          onChange={(event) => {
            const next = readingAs(settings, name, event.currentTarget.value);
            if (next !== null) onChange(next);
          }}
        >
          {Object.entries(READ_AS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <p class="quiet">
          {type}: {reason}
        </p>
        {isNumber && (
          <TypedList
            label={`Bands of ${name} begin at`}
            value={breaks}
            isBusy={isBusy}
            onType={(list) => set(['variables', name, 'breaks'], list?.map(Number))}
          />
        )}
        {type !== 'dropped' && (
          <TypedList
            label={`Codes of ${name} for missing values`}
            value={codes}
            isBusy={isBusy}
            onType={(list) => set(['variables', name, 'missingCodes'], list)}
          />
        )}
        {notices.map(({ message, code }) => (
          <p key={code} class="notice">
            {message}
          </p>
        ))}
      </td>
      <td>
        {bars && bars.length > 1 && <Histogram name={name} bars={bars} breaks={Array.isArray(breaks) ? breaks.map(Number) : []} />}
        <ul class="bars">
          {commonest.map(({ value, count }) => (
            <li key={value}>
              <span>{value}</span>
              <meter min={0} max={records} value={count} aria-label={`${value}: ${count} records`}>
                {count}
              </meter>
            </li>
          ))}
        </ul>
      </td>
      <td class="number">{distinct?.toLocaleString('en')}</td>
      <td class="number">{missing?.toLocaleString('en')}</td>
    </tr>
  );
}

interface TypedListProps {
  readonly label: string;
  readonly value: unknown;
  readonly isBusy: boolean;
  readonly onType: (list: string[] | undefined) => void;
}

function TypedList({ label, value, isBusy, onType }: TypedListProps) {
  return (
    <Typed
      aria-label={label}
      placeholder={label}
      disabled={isBusy}
      value={Array.isArray(value) ? value.join(', ') : ''}
      onType={(text) => onType(typedList(text))}
    />
  );
}
