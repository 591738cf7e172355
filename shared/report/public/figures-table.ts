import type { AddedFigure, PublicFigure } from '../../contracts/release/public-summary.ts';
import { type Html, html } from '../page/html.ts';
import { labelledTable } from '../page/table.ts';

/** A row of a table: what a figure means, the figure as {@link publicPercent} or {@link publicPoints} writes it, and its ends. */
export type PublicRow = readonly [meaning: string, figure: string, scale: string];

/** Decimals of a percentage that is a multiple of an error of 1, 2 or 5 times a power of ten. */
const decimalsOf = (percent: number): number => Math.max(0, -Number(percent.toExponential(0).split('e')[1]));

/** A share in percent, with as many decimals as an error has. */
const percentBy = (share: number, error: number): string => (100 * share).toFixed(decimalsOf(100 * error));

/** Errors above a figure that is too small for its noise of which the page prints a bound: 99 % of Laplace's distribution. */
const ERRORS_ABOVE = 3;

/**
 * A figure as the page prints it, `46 ± 2 %`: as many decimals as its error has. One of less than two errors is printed as a bound,
 * `below 6 %`: noise may have carried it to zero, which would say that nobody is found.
 */
export function publicPercent(figure: PublicFigure): string {
  if (figure.value === null) return `not published: ${figure.reason}`;
  const { value, error } = figure;
  if (value < 2 * error) return `below ${percentBy(Math.min(1, value + ERRORS_ABOVE * error), error)} %`;
  return `${percentBy(value, error)} ± ${percentBy(error, error)} %`;
}

/** What the release adds to a figure, `6 ± 2 percentage points`, or what it adds less than. */
export function publicPoints(added: AddedFigure): string {
  if (added.value !== null) return `${points(added.value)} ± ${points(added.error)} percentage points`;
  return added.atMost === null ? `not published: ${added.reason}` : `less than ${points(added.atMost)} percentage points`;
}

/** A share in percentage points, which has few digits as it is. */
const points = (share: number): string => String(Number((100 * share).toPrecision(12)));

/** Figures with their errors, one a row. */
export function figuresTable(id: string, caption: string, rows: readonly PublicRow[]): Html {
  return labelledTable(
    id,
    caption,
    ['Figure', 'Value and standard error, or a bound', 'Range'],
    rows.map(([meaning, figure, scale]) => [meaning, html`<strong>${figure}</strong>`, scale]),
  );
}
