import { formatFigure, numberIn, roundToError } from '../words/format-number.ts';

/** Significant digits of a number that is beyond reading, and so is shown as above or below one that is not. */
const FIGURE_DIGITS = 3;

/** The number that a text shows, or three digits of the one that it only bounds. */
function shown(text: string, figure: number): number {
  const number = numberIn(text);
  if (!Number.isNaN(number)) return number;
  const digits = Number(figure.toPrecision(FIGURE_DIGITS));
  // The largest of all numbers would become more than any.
  return Number.isFinite(digits) ? digits : figure;
}

/** A figure without an error, as a page shows it: three significant digits; a whole number stays as it is. */
export function rounded(figure: number): number {
  return Number.isSafeInteger(figure) ? figure : shown(formatFigure(figure), figure);
}

/** A figure and its error as a page shows them: two digits of the error, and the figure to the same decimal place. */
export function roundedToError(figure: number, error: number): readonly [figure: number, error: number] {
  const known = error > 0 ? error : 0;
  const [shownFigure, shownError] = roundToError(figure, known);
  return [known === 0 ? rounded(figure) : shown(shownFigure, figure), shown(shownError, known)];
}

/** The same where there may be none. */
export const roundedOrNull = (figure: number | null): number | null => (figure === null ? null : rounded(figure));
