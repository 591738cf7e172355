import { int32, maybeDouble, type ResultTable, text } from './column.ts';

/** A row of a table that has a row a figure; `dataset` is 0 for what is of the table or of all, and `item` what the figure is of. */
export interface FigureRow {
  readonly measure: string;
  readonly item: string;
  readonly dataset: number;
  readonly figure: string;
  readonly value: number | null;
}

/**
 * The columns of such a table.
 *
 * @param measure what its measures are
 * @param item what a figure is of
 */
export const figureColumns = (measure: string, item: string): ResultTable<FigureRow>['columns'] => ({
  measure: text(measure, (row) => row.measure),
  item: text(item, (row) => row.item),
  dataset: int32('Number from 1; 0 for the table, or for all datasets.', (row) => row.dataset),
  figure: text('Its name.', (row) => row.figure),
  value: maybeDouble('Empty where it is undefined.', (row) => row.value),
});
