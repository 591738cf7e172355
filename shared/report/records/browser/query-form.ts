import { element } from './elements.ts';
import type { Query, Subset } from './find-rows.ts';
import { LEAST_MEASURES, type Records, valueText } from './records.ts';
import { capital, cut } from './words.ts';

/** Categories of a variable that a list offers: of one with more, such as a continuous one, a value is searched for. */
const MOST_OFFERED = 500;

/** Groups of rows, with the column that a run must have for them. */
const SUBSETS: readonly (readonly [subset: Subset, needs: string | null, words: string])[] = [
  ['all', null, 'All'],
  ['first', 'rank', 'Truth ranked first'],
  ['unique', 'count', 'Of one record alone'],
  ['distinguishable', 'distinguishable', 'Rank distinguishable'],
  ['proven', 'proven', 'Proven by the release'],
  ['heavy', 'heavy_tail', 'Tail too heavy'],
  ['matched', 'match_risk', 'With a true match'],
];

const option = (value: string, words: string) => element('option', { value }, words);

/** A control with its label above it. */
function labelled(words: string, control: HTMLElement): HTMLElement {
  control.id = `records-${words.toLowerCase().replaceAll(' ', '-')}`;
  return element('div', { class: 'field' }, element('label', { for: control.id }, words), control);
}

/** The controls above the table. */
export class QueryForm {
  readonly #records: Records;
  readonly #words = element('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  readonly #subset: HTMLSelectElement;
  readonly #variable: HTMLSelectElement;
  readonly #value = element('select', { disabled: true });
  readonly #least = element('input', { type: 'number', min: '0', max: '1', step: 'any', placeholder: '0' });

  /** @param onChange called with what is asked whenever that changes, @param onDown when the table is to have the focus */
  constructor(records: Records, into: HTMLElement, onChange: (query: Query) => void, onDown: () => void) {
    this.#records = records;
    const { noun, variables } = records.data;
    const changed = () => onChange(this.#query());
    this.#subset = element(
      'select',
      {},
      SUBSETS.filter(([, needs]) => needs === null || records.has(needs)).map(([subset, , words]) => option(subset, words)),
    );
    this.#variable = element(
      'select',
      {},
      option('', 'Any variable'),
      variables.flatMap(({ name, categories }, v) => (categories.length <= MOST_OFFERED ? [option(String(v), cut(name))] : [])),
    );
    const reset = element('button', { type: 'reset' }, 'Show all');
    const measure = `${LEAST_MEASURES[records.leastMeasure]} at least`;
    const form = element(
      'form',
      { class: 'records-form', role: 'search', 'aria-label': `Find ${noun}s` },
      labelled('Search', this.#words),
      labelled('Show', this.#subset),
      labelled('Variable', this.#variable),
      labelled('Value', this.#value),
      labelled(measure, this.#least),
      reset,
    );
    const hint = element('p', { class: 'note', id: 'records-hint' });
    hint.textContent = `${capital('words')} that a value holds, all of which must be met; VARIABLE=value for a whole value of one variable, "in quotation marks" where it has blanks; #12 for ${noun} 12.`;
    this.#words.setAttribute('aria-describedby', hint.id);
    into.append(form, hint);
    this.#offerValues();
    this.#words.addEventListener('input', changed);
    this.#words.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      onDown();
    });
    this.#least.addEventListener('input', changed);
    this.#subset.addEventListener('change', changed);
    this.#variable.addEventListener('change', () => {
      this.#offerValues();
      changed();
    });
    this.#value.addEventListener('change', changed);
    // A page has nowhere to send a form to.
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('reset', () => {
      // What is reset has its first values when this is over.
      setTimeout(() => {
        this.#offerValues();
        changed();
      });
    });
    changed();
  }

  #query(): Query {
    const [variable, category] = [this.#variable.value, this.#value.value];
    const least = this.#least.valueAsNumber;
    return {
      subset: this.#subset.value as Subset,
      words: this.#words.value,
      value: variable === '' || category === '' ? null : { variable: Number(variable), category: Number(category) },
      least: Number.isNaN(least) ? 0 : least,
    };
  }

  /** The values of the variable that is chosen, in the order of their texts. */
  #offerValues(): void {
    const chosen = this.#variable.value;
    this.#value.disabled = chosen === '';
    const categories = chosen === '' ? [] : this.#records.data.variables[Number(chosen)]!.categories;
    const sorted = [...categories.keys()].sort((a, b) =>
      valueText(categories[a]!).localeCompare(valueText(categories[b]!), 'en', { numeric: true }),
    );
    this.#value.replaceChildren(option('', 'Any value'), ...sorted.map((code) => option(String(code), cut(valueText(categories[code]!)))));
  }
}
