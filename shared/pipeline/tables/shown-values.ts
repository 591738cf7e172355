import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { type RowsBeside, readValueParts } from '../../artifacts/stored-part.ts';
import { type VariableRiskTable, variableRiskTable } from '../../contracts/results/tables/variable-risk-table.ts';
import type { Store } from '../../storage/store.ts';
import { variableRiskRows } from './risk-tables.ts';

/** What of the values of a scenario is asked for: which rows, and how many of the values that are newly disclosed. */
export interface ShownRows {
  readonly isShown: (row: number) => boolean;
  readonly givenAway: number;
}

/**
 * The values of those rows of a scenario that are shown, and of those with the largest gains of values that the release gives away, from
 * the parts of a round: however many rows there are, these alone are kept.
 */
export async function readShownValues(
  store: Store,
  context: ScenarioModel,
  round: number,
  beside: RowsBeside | null,
  { isShown, givenAway }: ShownRows,
): Promise<VariableRiskTable> {
  const valueRows = await variableRiskRows(store, context, beside);
  const rows: number[] = [];
  const columns: Float64Array[] = [];
  const places: number[] = [];
  /** The largest gains so far, from the largest. */
  const largest: number[] = [];
  const isLarge = (gain: number) => largest.length < givenAway || gain > largest.at(-1)!;
  let rowsOfFile = 0;
  for await (const part of readValueParts(store, context.scenario, round)) {
    const width = part.columns.length / (part.to - part.from);
    for (let row = part.from; row < part.to; row++) {
      const own = part.columns.subarray((row - part.from) * width, (row - part.from + 1) * width);
      const values = valueRows({ columns: own, rowAt: () => row });
      const gains = Array.from(values.givenAway(), (value) => values.figure(value, 'gainBits')).filter(isLarge);
      largest.push(...gains);
      largest.sort((a, b) => b - a).splice(givenAway);
      if (isShown(row) || gains.length > 0) {
        rows.push(row);
        columns.push(own.slice());
        for (let value = 0; value < values.rows; value++) places.push(rowsOfFile + value);
      }
      rowsOfFile += values.rows;
    }
  }
  const all = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0));
  for (const [place, own] of columns.entries()) all.set(own, place * own.length);
  const shown = valueRows({ columns: all, rowAt: (place) => rows[place]! });
  return variableRiskTable(shown, { rowsOfFile, placeInFile: (row) => places[row]! });
}
