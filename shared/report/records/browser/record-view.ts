import { densityFigures } from './density-figures.ts';
import { type Content, element, valueElement } from './elements.ts';
import { markedFigures } from './marks.ts';
import { candidatesTable, matchesTable, scenariosTable, valuesTable } from './record-tables.ts';
import type { Records } from './records.ts';
import { capital, quantity, shown, shownEstimate, shownFigure, shownRank } from './words.ts';

/** What a view of a row leads to. */
export interface RecordViewActions {
  /** The person closes the view. */
  readonly onClose: () => void;
  /** The person asks for the row before (-1) or after (1) in the order of the table. */
  readonly onMove: (by: -1 | 1) => void;
}

const fact = (term: string, description: Content) => element('div', {}, element('dt', {}, term), element('dd', {}, description));

/** What the intruder gets of a row, in words. */
function lead(records: Records, row: number): string {
  const figure = (name: string) => records.figure(name, row);
  const probability = shownEstimate(figure('probability'), figure('probability_se'));
  const guess = records.guessOf(row);
  const odds = figure('prior_odds_to_first');
  const first =
    guess === null
      ? 'The truth is the first guess.'
      : `The first guess is ${guess}, with ${shownFigure(figure('first_guess_probability'))}; whoever held the truth ${shownFigure(odds)} times as likely beforehand, against that guess, would guess the truth first.`;
  return `The intruder gives the truth a probability of ${probability}, where it was ${shownFigure(figure('prior_probability'))} before the release: ${shown(figure('ratio_to_uniform'))} times uniform, rank ${shownRank(figure('rank'))} (90 % interval ${shownRank(figure('rank_low'))} to ${shownRank(figure('rank_high'))}) of ${quantity(figure('candidates') ?? 0, 'candidate')}. ${first}`;
}

function facts(records: Records, row: number): HTMLElement[] {
  const figure = (name: string) => records.figure(name, row);
  const yes = (name: string) => (figure(name) === 1 ? 'yes' : 'no');
  const estimate = (name: string) => shownEstimate(figure(name), figure(`${name}_se`));
  const where = (name: string, term: string, description: () => string) =>
    records.has(name) && figure(name) !== null ? [fact(term, description())] : [];
  return [
    ...where('information_bits', 'Information', () => `${shownFigure(figure('information_bits'))} bits`),
    ...where('bayes_factor', 'Bayes factor of the truth', () => estimate('bayes_factor')),
    ...where('privacy_loss', 'Privacy loss, nats', () => estimate('privacy_loss')),
    ...where('membership_bits', 'Likelihood ratio of being in the table, bits', () => estimate('membership_bits')),
    ...where('distinguishable', 'Rank distinguishable', () => yes('distinguishable')),
    ...where('proven', 'Proven by the release', () => yes('proven')),
    ...where('probability_fixed', 'Probability, divisions of trees held', () => shownFigure(figure('probability_fixed'))),
    ...where('effective_draws', 'Effective draws', () => shownFigure(figure('effective_draws'))),
    ...where('pareto_k', 'Pareto k', () =>
      figure('heavy_tail') === 1
        ? `${shownFigure(figure('pareto_k'))}: the tail is too heavy, so that the error may be too small`
        : shownFigure(figure('pareto_k')),
    ),
  ];
}

/** The view of one row, over the page. */
export class RecordView {
  readonly #records: Records;
  readonly #dialog = element('dialog', { class: 'record', 'aria-labelledby': 'record-title' });
  readonly #title = element('h2', { id: 'record-title', tabindex: '-1' });
  readonly #content = element('div');
  readonly #onMove: RecordViewActions['onMove'];

  constructor(records: Records, into: HTMLElement, { onClose, onMove }: RecordViewActions) {
    this.#records = records;
    this.#onMove = onMove;
    const button = (words: string, onClick: () => void) => {
      const made = element('button', { type: 'button' }, words);
      made.addEventListener('click', onClick);
      return made;
    };
    const bar = element(
      'div',
      { class: 'record-bar' },
      this.#title,
      button('Previous', () => onMove(-1)),
      button('Next', () => onMove(1)),
      button('Close', onClose),
    );
    // On paper every sheet of the view says what every sheet of the page says.
    const banner = document.querySelector('.confidential')?.textContent?.trim() ?? '';
    const sheet = element('div', { class: 'record-sheet' }, bar, this.#content);
    this.#dialog.append(element('div', { class: 'record-paper' }, element('p', { class: 'record-banner' }, banner), sheet));
    into.append(this.#dialog);
    // Escape: what closes the view changes the address as well.
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      onClose();
    });
    this.#dialog.addEventListener('click', (event) => {
      if (event.target === this.#dialog) onClose();
    });
    this.#dialog.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Shows a row. */
  open(row: number): void {
    const records = this.#records;
    const { noun, scenario, detailed } = records.data;
    const number = records.numberOf(row);
    const held = records.hasDetails(row);
    this.#title.textContent = `${capital(noun)} ${shown(number)}`;
    const count = records.countOf(row);
    const shared = noun === 'combination' ? [`${capital(quantity(count, 'record'))} ${count === 1 ? 'has' : 'have'} these values.`] : [];
    const values = element(
      'ul',
      { class: 'record-own', 'aria-label': 'Values' },
      records.valuesOf(row).map(({ name, value }) => element('li', {}, element('span', {}, name), ' ', valueElement(value))),
    );
    const assessed = records.has('probability');
    const own = facts(records, row);
    const figures = markedFigures(records, row);
    const densities = held ? densityFigures(records, row) : [];
    const details = !held
      ? []
      : [candidatesTable(records, row), valuesTable(records, row), scenariosTable(records, row), matchesTable(records, row)];
    this.#content.replaceChildren(
      values,
      ...shared.map((text) => element('p', { class: 'note' }, text)),
      ...(assessed ? [element('p', { class: 'lead' }, lead(records, row))] : []),
      ...(scenario === null ? [] : [element('p', { class: 'note' }, `Intruder: ${scenario}.`)]),
      ...(own.length > 0 ? [element('dl', { class: 'facts' }, own)] : []),
      ...(densities.length > 0 ? [element('div', { class: 'figures-grid densities' }, densities)] : []),
      ...details.filter((table) => table !== null),
      ...(!held
        ? [
            element(
              'p',
              { class: 'note' },
              `The page holds candidates, values, matches and other intruders of the ${shown(detailed)} ${noun}s most at risk. Those of this one are in the tables beside the report.`,
            ),
          ]
        : []),
      ...(figures.length > 0 ? [element('div', { class: 'figures-grid' }, figures)] : []),
    );
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.scrollTop = 0;
    this.#title.focus();
  }

  /** Says that there is no such row. */
  refuse(number: number): void {
    const { noun, rows, rowsOfRun } = this.#records.data;
    const held = rows < rowsOfRun ? `; the page holds the ${shown(rows)} most at risk of ${shown(rowsOfRun)}` : '';
    this.#title.textContent = `No ${noun} ${shown(number)}`;
    this.#content.replaceChildren(element('p', {}, `The page has no ${noun} of this number${held}.`));
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#title.focus();
  }

  /** Takes the view away; the focus goes back to where it was. */
  close(): void {
    this.#dialog.close();
  }

  #key(event: KeyboardEvent): void {
    const scrolls = (event.target as HTMLElement).closest('.table-scroll') !== null;
    if (scrolls || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') this.#onMove(-1);
    else if (event.key === 'ArrowRight') this.#onMove(1);
    else return;
    event.preventDefault();
  }
}
