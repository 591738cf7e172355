import type { PublicFigure } from '../../contracts/results/public-summary.ts';
import { type Html, html } from '../page/html.ts';
import { labelledTable } from '../page/labelled-table.ts';

/** A figure with what it means, a row of a table. */
export interface PublicRow {
  readonly meaning: string;
  readonly figure: PublicFigure;
  /** What 0 and 1 mean. */
  readonly scale: string;
}

/** Decimals of a percentage that is a multiple of an error of 1, 2 or 5 times a power of ten. */
const decimalsOf = (percent: number): number => Math.max(0, -Number(percent.toExponential(0).split('e')[1]));

/** A figure as it is told, `46 ± 2 %`: as many decimals as its error has. */
export function publicPercent(figure: PublicFigure): string {
  if (figure.value === null) return `not told: ${figure.reason}`;
  const decimals = decimalsOf(100 * figure.error);
  return `${(100 * figure.value).toFixed(decimals)} ± ${(100 * figure.error).toFixed(decimals)} %`;
}

/** Figures with their errors, one a row. */
export function figuresTable(id: string, caption: string, rows: readonly PublicRow[]): Html {
  return labelledTable(
    id,
    caption,
    ['Figure', 'Value and standard error', 'Range'],
    rows.map(({ meaning, figure, scale }) => [
      meaning,
      html`<strong>${publicPercent(figure)}</strong>`,
      scale,
    ]),
  );
}
