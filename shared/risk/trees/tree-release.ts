import type { CandidateBands } from '../../contracts/config/bands.ts';
import type { CartSettings } from '../../model/cart/synthesis.ts';
import type { Column, Table } from '../../table/table.ts';

/** A table, and what was released of it by sequential trees. */
export interface TreeRelease {
  /** The confidential table, `records` rows. */
  readonly table: Table;
  /** How its trees are grown. */
  readonly settings: CartSettings;
  /**
   * Of each dataset, its synthesized columns in visiting order, `records` rows each, of which row i goes with the kept
   * values of record i.
   */
  readonly datasets: readonly (readonly Column[])[];
  /** The bands in which continuous synthesized variables are guessed at, by their index in the table. */
  readonly bands?: ReadonlyMap<number, CandidateBands>;
}

/** All columns of each dataset. */
export function datasetColumns({ table, settings, datasets }: TreeRelease): Column[][] {
  return datasets.map((synthesized) => {
    const columns = [...table.columns];
    for (const [place, variable] of settings.synthesized.entries()) columns[variable] = synthesized[place]!;
    return columns;
  });
}

/** A code or value of a column. */
export function elementAt(column: Column, row: number): number {
  return column.type === 'categorical' ? column.codes[row]! : column.values[row]!;
}
