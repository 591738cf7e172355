import type { SearchedRows } from '../../risk/cells/searched-rows.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

/**
 * The columns of `search.csv`: for each combination how much of its posterior the search has found.
 *
 * @param from first row; `to` is past the last
 */
export function searchColumns(searched: SearchedRows, from: number, to: number): ParquetColumn[] {
  const rows = Array.from({ length: to - from }, (_, i) => from + i);
  return [
    { name: 'combination', type: 'int32', values: rows.map((row) => row + 1) },
    { name: 'cells_found', type: 'int64', values: searched.cellsFound.subarray(from, to) },
    { name: 'truth_found', type: 'boolean', values: rows.map((row) => searched.truthFound[row] === 1) },
    { name: 'missed_mass', type: 'double', values: searched.missed.subarray(from, to) },
    { name: 'missed_mass_se', type: 'double', values: searched.missedSe.subarray(from, to) },
    { name: 'effective_visits', type: 'double', values: searched.effectiveVisits.subarray(from, to) },
  ];
}
