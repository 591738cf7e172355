import { bandedRows, type CountedRows, withCounts } from '../table/counted-rows.ts';
import { defaultRegressions } from './default-regressions.ts';
import { type PreparedTrees, prepareTrees } from './measure-propensity.ts';
import type { OpenedUtility } from './open-utility.ts';
import type { SplitRows } from './regression/held-out.ts';
import type { OpenedRegression } from './regression/open-regression.ts';
import { drawRecords } from './sample-records.ts';
import { type ChosenTables, chooseTables } from './table-deviations.ts';
import type { OpenStream, UtilityInput } from './utility-input.ts';

/** Training and held-out records of a table and of its datasets. */
interface SplitUtility {
  readonly table: SplitRows;
  readonly datasets: readonly SplitRows[];
}

/** What is measured of utility, with all that is drawn by chance: data without functions, which threads can share. */
export interface PreparedUtility {
  readonly opened: OpenedUtility;
  /** Rows without missing values, as they are and with numbers in bands. */
  readonly given: UtilityInput;
  readonly banded: UtilityInput;
  /** Those that models are fitted to, which are as many records as the settings say at most. */
  readonly fitted: UtilityInput;
  readonly split: SplitUtility;
  readonly trees: PreparedTrees | null;
  readonly tables: readonly ChosenTables[];
  readonly regressions: readonly OpenedRegression[];
}

/** The regressions that are asked for, or those of every synthesized variable. */
export const regressionsOf = (table: CountedRows, opened: OpenedUtility): readonly OpenedRegression[] =>
  opened.regressions ?? defaultRegressions(table, opened);

/**
 * Draws what utility needs by chance. Equal streams give equal bytes.
 *
 * @param given rows without missing values, as `withoutMissing` leaves them
 */
export function prepareUtility(given: UtilityInput, opened: OpenedUtility, open: OpenStream): PreparedUtility {
  const { settings, kind, synthesized } = opened;
  const { table, datasets } = given;
  const fitted = limitRecords(given, settings.records, kind, (name) => open(`utility/records/${name}`));
  const chosen = [...new Set(settings.ways)].sort().map((way) => chooseTables(table.columns.length, new Set(synthesized), way));
  return {
    opened,
    given,
    banded: bandedRows(table, datasets, settings.bands),
    fitted,
    split: splitRows(fitted, settings.heldOut, kind, (name) => open(`utility/held-out/${name}`)),
    trees: settings.propensity.includes('tree') ? prepareTrees(fitted, opened, open) : null,
    tables: chosen.filter(({ sets }) => sets.length > 0),
    regressions: regressionsOf(table, opened),
  };
}

/** A table and its datasets with fewer records, where they have more. */
function limitRecords({ table, datasets }: UtilityInput, records: number, kind: 'full' | 'partial', open: OpenStream): UtilityInput {
  const limited = (rows: CountedRows, name: string) =>
    rows.records <= records ? rows : withCounts(rows, drawRecords(rows, records, open(name)));
  // The same records of all where rows belong to records.
  return {
    table: limited(table, 'table'),
    datasets: datasets.map((dataset, l) => limited(dataset, kind === 'partial' ? 'table' : `${l + 1}`)),
  };
}

/** Training and held-out records of a table and of its datasets. */
export function splitRows({ table, datasets }: UtilityInput, share: number, kind: 'full' | 'partial', open: OpenStream): SplitUtility {
  const split = (rows: CountedRows, name: string): SplitRows => {
    const heldOut = drawRecords(rows, Math.max(1, Math.round(share * rows.records)), open(name));
    const training = rows.counts.map((count, row) => count - heldOut[row]!);
    return { training: withCounts(rows, training), heldOut: withCounts(rows, heldOut) };
  };
  return {
    table: split(table, 'table'),
    datasets: datasets.map((dataset, l) => split(dataset, kind === 'partial' ? 'table' : `${l + 1}`)),
  };
}
