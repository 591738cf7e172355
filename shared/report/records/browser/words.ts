import { formatEstimate, formatFigure, formatRank } from '../../words/format-number.ts';

/** Above this a figure is shown by its order alone. */
const LARGE = 1e9;

/** Characters of a label in a table or a list; all of it is in the view of a record. */
const LABEL_LENGTH = 48;

const numbers = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 15 });

/** A number as the page holds it, which is already rounded; a dash for none. */
export function shown(figure: number | null): string {
  if (figure === null) return '–';
  if (Math.abs(figure) >= LARGE) return '> 1,000,000,000';
  return numbers.format(figure).replace('-', '\u2212');
}

/** A figure that has no error of its own, in three significant digits; a dash for none. */
export function shownFigure(figure: number | null): string {
  return figure === null || Math.abs(figure) >= LARGE ? shown(figure) : formatFigure(figure);
}

/** A figure with its standard error where it has one. */
export function shownEstimate(figure: number | null, error: number | null): string {
  if (figure === null || error === null || error === 0 || Math.abs(figure) >= LARGE) return shown(figure);
  return formatEstimate(figure, error);
}

/** A rank; a dash for none. */
export const shownRank = (rank: number | null) => (rank === null ? '–' : formatRank(rank));

/** A label of the table, cut where it is long. */
export function cut(label: string): string {
  const characters = [...label];
  return characters.length <= LABEL_LENGTH ? label : `${characters.slice(0, LABEL_LENGTH - 1).join('')}…`;
}

/** With a capital letter. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A count with its noun. */
export const quantity = (count: number, noun: string) => `${shown(count)}\u00a0${noun}${count === 1 ? '' : 's'}`;
