import { double, flag, int32, int64, type ResultTable } from '../../contracts/column.ts';
import type { SearchedRows } from '../../risk/cells/searched-rows.ts';

/** `search.csv`: for each combination how much of its posterior the search has found. */
export const SEARCH: ResultTable<SearchedRows> = {
  file: 'search',
  row: 'a combination (`search`)',
  columns: {
    combination: int32('Number from 1.', (_, row) => row + 1),
    cells_found: int64('Cells that were found.', ({ cellsFound }, row) => cellsFound[row]!),
    truth_found: flag('Whether its own is one of them.', ({ truthFound }, row) => truthFound[row] === 1),
    missed_mass: double('Share of the posterior outside of them.', ({ missed }, row) => missed[row]!),
    missed_mass_se: double('Its standard error.', ({ missedSe }, row) => missedSe[row]!),
    effective_visits: double('Effective visits of the chains.', (of, row) => of.effectiveVisits[row]!),
  },
};
