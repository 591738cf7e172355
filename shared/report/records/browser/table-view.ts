import { element, valueElement } from './elements.ts';
import { inOrder, matchingRows, type Order, type Query } from './find-rows.ts';
import type { Records } from './records.ts';
import { capital, cut, quantity, shown, shownEstimate, shownFigure, shownRank } from './words.ts';

/** Rows of a page of the table. */
const PAGE_ROWS = 50;

/** A column of the table: what orders it, null for nothing, and what stands in its cells. */
interface TableColumn {
  readonly by: string | null;
  readonly title: string;
  readonly cell: (row: number) => (string | Node)[];
  readonly words?: boolean;
}

function columnsOf(records: Records): TableColumn[] {
  const { noun } = records.data;
  const figure = (name: string) => (row: number) => records.figure(name, row);
  const plain = (name: string, title: string, words = shownFigure): TableColumn[] =>
    records.has(name) ? [{ by: name, title, cell: (row) => [words(figure(name)(row))] }] : [];
  const assessed = records.has('probability');
  return [
    {
      by: 'number',
      title: capital(noun),
      cell: (row) => {
        const number = records.numberOf(row);
        return [element('a', { href: `#record=${number}` }, shown(number))];
      },
    },
    ...(noun === 'combination' ? plain('count', 'Records', shown) : []),
    ...plain('prior_probability', 'Before'),
    ...(assessed
      ? [
          {
            by: 'probability',
            title: 'Probability of the truth',
            cell: (row: number) => [shownEstimate(figure('probability')(row), figure('probability_se')(row))],
          },
        ]
      : []),
    ...plain('ratio_to_uniform', '× uniform', shown),
    ...(assessed
      ? [
          {
            by: 'rank',
            title: 'Rank (90\u00a0%)',
            cell: (row: number) => {
              const rank = figure('distinguishable')(row) ? shownRank(figure('rank')(row)) : 'unclear';
              const interval = `${shownRank(figure('rank_low')(row))} to ${shownRank(figure('rank_high')(row))}`;
              return [rank, element('span', { class: 'interval' }, ` (${interval})`)];
            },
          },
        ]
      : []),
    ...plain('information_bits', 'Bits'),
    ...plain('near_rise', 'Rise near'),
    ...plain('match_risk', 'Match risk'),
    ...(assessed
      ? [
          {
            by: null,
            title: 'First guess',
            words: true,
            cell: (row: number) => {
              const guess = records.guessOf(row);
              return [guess === null ? element('strong', {}, 'the truth') : element('bdi', {}, cut(guess))];
            },
          },
        ]
      : []),
  ];
}

/** The values of a row, below its numbers. */
function valuesRow(records: Records, row: number, columns: number): HTMLElement {
  const values = records
    .valuesOf(row)
    .map(({ name, value }) => element('li', {}, element('span', {}, cut(name)), ' ', valueElement(value && cut(value))));
  return element('tr', { class: 'values' }, element('td', { colspan: String(columns) }, element('ul', { 'aria-label': 'Values' }, values)));
}

/** The table of all rows, page by page, in the order and of the query that a person chose. */
export class TableView {
  readonly #records: Records;
  readonly #columns: readonly TableColumn[];
  readonly #body = element('tbody');
  readonly #heads: readonly HTMLTableCellElement[];
  readonly #status = element('p', { role: 'status', class: 'records-status' });
  readonly #place = element('span', { class: 'records-place' });
  readonly #turns: readonly HTMLButtonElement[];
  #order: Order;
  #rows: Uint32Array = new Uint32Array();
  #page = 0;

  constructor(records: Records, into: HTMLElement) {
    this.#records = records;
    this.#columns = columnsOf(records);
    this.#order = { by: records.riskMeasure, descending: true };
    this.#heads = this.#columns.map((column) => this.#head(column));
    const last = () => Math.ceil(this.#rows.length / PAGE_ROWS) - 1;
    const turn = (words: string, page: () => number) => {
      const button = element('button', { type: 'button' }, words);
      button.addEventListener('click', () => this.#turn(page()));
      return button;
    };
    this.#turns = [turn('First', () => 0), turn('Previous', () => this.#page - 1), turn('Next', () => this.#page + 1), turn('Last', last)];
    into.append(
      this.#status,
      element(
        'div',
        { class: 'table-scroll', role: 'region', 'aria-labelledby': 'records-caption', tabindex: '0' },
        element(
          'table',
          { class: 'records-table' },
          element('caption', { id: 'records-caption' }, `All ${records.data.noun}s, with their values below each row of numbers`),
          element('thead', {}, element('tr', {}, this.#heads)),
          this.#body,
        ),
      ),
      element('nav', { class: 'records-pages', 'aria-label': 'Pages of the table' }, [
        ...this.#turns.slice(0, 2),
        this.#place,
        ...this.#turns.slice(2),
      ]),
    );
    this.#body.addEventListener('keydown', (event) => this.#key(event));
  }

  /** The rows that meet the query, in their order. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  /** Shows the rows that meet a query, from the first page. */
  show(query: Query): void {
    const { data } = this.#records;
    this.#rows = inOrder(this.#records, matchingRows(this.#records, query), this.#order);
    const among = this.#rows.reduce((sum, row) => sum + this.#records.countOf(row), 0);
    const held = `${shown(this.#rows.length)} of ${quantity(data.rows, data.noun)}`;
    this.#status.textContent = data.noun === 'record' ? held : `${held}, ${quantity(among, 'record')}`;
    this.#draw(0);
  }

  /** Turns to the page of a row, and gives its link the focus; false where it is not among the rows that are shown. */
  focus(row: number): boolean {
    const place = this.#rows.indexOf(row);
    if (place < 0) return false;
    const page = Math.floor(place / PAGE_ROWS);
    if (page !== this.#page) this.#draw(page);
    this.#links()[place % PAGE_ROWS]?.focus();
    return true;
  }

  /** Gives the first row's link the focus. */
  focusFirst(): void {
    this.#links()[0]?.focus();
  }

  #links(): HTMLElement[] {
    return [...this.#body.querySelectorAll<HTMLElement>('a')];
  }

  #head({ by, title, words }: TableColumn): HTMLTableCellElement {
    const attributes = { scope: 'col', class: words ? 'words' : false } as const;
    if (by === null) return element('th', attributes, title);
    const button = element('button', { type: 'button' }, title);
    button.addEventListener('click', () => {
      const same = this.#order.by === by;
      // What is most at risk first, and numbers from the first.
      const descending = same ? !this.#order.descending : by !== 'number' && by !== 'rank';
      this.#order = { by, descending };
      this.#rows = inOrder(this.#records, this.#rows, this.#order);
      this.#draw(0);
    });
    return element('th', attributes, button);
  }

  #draw(page: number): void {
    this.#page = page;
    const from = page * PAGE_ROWS;
    const rows = [...this.#rows.subarray(from, from + PAGE_ROWS)];
    this.#body.replaceChildren(
      ...rows.flatMap((row) => [
        element(
          'tr',
          {},
          this.#columns.map(({ cell, words }, c) =>
            c === 0 ? element('th', { scope: 'row' }, cell(row)) : element('td', { class: words ? 'words' : false }, cell(row)),
          ),
        ),
        valuesRow(this.#records, row, this.#columns.length),
      ]),
    );
    for (const [c, { by }] of this.#columns.entries()) {
      if (by === null) continue;
      const sorted = this.#order.by === by;
      const direction = this.#order.descending ? 'descending' : 'ascending';
      this.#heads[c]!.setAttribute('aria-sort', sorted ? direction : 'none');
    }
    const pages = Math.max(1, Math.ceil(this.#rows.length / PAGE_ROWS));
    this.#place.textContent = `Page ${shown(page + 1)} of ${shown(pages)}`;
    for (const [t, button] of this.#turns.entries()) {
      button.disabled = t < 2 ? page === 0 : page === pages - 1;
    }
  }

  /** Turns to a page; true if there is one. */
  #turn(page: number): boolean {
    if (page < 0 || page >= Math.ceil(this.#rows.length / PAGE_ROWS)) return false;
    const focused = document.activeElement;
    this.#draw(page);
    // A button that became disabled loses the focus, which would go to the beginning of the page.
    if (focused instanceof HTMLButtonElement && focused.disabled) {
      this.#turns.find((button) => !button.disabled)?.focus();
    }
    return true;
  }

  #key(event: KeyboardEvent): void {
    const links = this.#links();
    const place = links.indexOf(event.target as HTMLElement);
    if (place < 0) return;
    const move = (to: number) => links[to]?.focus();
    if (event.key === 'ArrowDown') {
      if (place < links.length - 1) move(place + 1);
      else if (this.#turn(this.#page + 1)) this.focusFirst();
    } else if (event.key === 'ArrowUp') {
      if (place > 0) move(place - 1);
      else if (this.#turn(this.#page - 1)) this.#links().at(-1)?.focus();
    } else if (event.key === 'Home') move(0);
    else if (event.key === 'End') move(links.length - 1);
    else if (event.key === 'PageDown' && this.#turn(this.#page + 1)) this.focusFirst();
    else if (event.key === 'PageUp' && this.#turn(this.#page - 1)) this.focusFirst();
    else return;
    event.preventDefault();
  }
}
