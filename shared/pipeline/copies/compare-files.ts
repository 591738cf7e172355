import { InvalidConfigError } from '../../contracts/errors.ts';
import { inList } from '../../contracts/in-command.ts';
import { formatPercent, formatQuantity } from '../../report/words/format-number.ts';
import { isSameTable, sharedRows } from '../../risk/copies/count-copies.ts';
import { agreesInPlace, isKept, type RowAgreement, rowAgreement } from '../../risk/copies/row-agreement.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';

/**
 * Compares datasets made elsewhere with their table: as wholes, whatever the order of their rows, and, where every variable
 * is to be synthetic, column by column and row by row.
 *
 * @param synthesized indices of the variables that are taken for synthetic
 */
export function compareFiles(table: Table, synthesized: readonly number[]) {
  const { variables } = table.schema;
  const { rows: own } = distinctRows(table);
  const isFull = synthesized.length === variables.length;
  /** By dataset, and within one by variable; of datasets with other numbers of rows none. */
  const agreements: RowAgreement[][] = [];
  let [datasets, identical] = [0, 0];
  return {
    /** Compares the next dataset. */
    add(dataset: Table): void {
      datasets++;
      if (isSameTable(own, sharedRows(own, [distinctRows(dataset).rows])[0]!)) identical++;
      if (!isFull || dataset.records !== table.records) return;
      agreements.push(dataset.columns.map((column, v) => rowAgreement(column, table.columns[v]!)));
    },
    /** Why no figure of the datasets could be relied upon; null where figures can. Throws InvalidConfigError `kept-columns`. */
    judge(): string | null {
      if (identical > 0) {
        const uniques = own.counts.filter((count) => count === 1).length;
        const which =
          identical === datasets
            ? datasets === 1
              ? 'The dataset is'
              : `All ${formatQuantity(datasets, 'dataset')} are`
            : `${identical} of ${formatQuantity(datasets, 'dataset')} ${identical === 1 ? 'is' : 'are'}`;
        return `${which} the confidential table itself: the same ${formatQuantity(table.records, 'record')}, ${formatQuantity(uniques, 'unique one')} among them, and no others. No figure for synthetic data applies.`;
      }
      if (agreements.length === 0) return null;
      const of = (v: number) => agreements.map((dataset) => dataset[v]!);
      const kept = [...variables.keys()].filter((v) => agreements.length === datasets && isKept(of(v)));
      if (kept.length > 0) refuseKept(kept.map((v) => variables[v]!.name));
      const linked = [...variables.keys()].filter((v) => of(v).some(agreesInPlace));
      if (linked.length === 0) return null;
      const named = linked.map((v) => {
        const most = of(v).reduce((a, b) => (b.equal > a.equal ? b : a));
        return `${variables[v]!.name} (${formatPercent(most.equal / most.records)} of rows, ${formatPercent(most.beside / most.records)} of the rows next to them)`;
      });
      return `Row by row, datasets have the value of the table far more often than order and chance explain: ${named.join(', ')}. Their rows belong to records, so that no figure for fully synthetic data applies.`;
    },
  };

  function refuseKept(kept: readonly string[]): never {
    const others = variables.map(({ name }) => name).filter((name) => !kept.includes(name));
    const columns = kept.length === 1 ? `the column ${kept[0]} is` : `the columns ${kept.join(', ')} are`;
    throw new InvalidConfigError(
      'kept-columns',
      `In every dataset ${columns} the table's, row by row: kept, not synthesized. An intruder then knows which row is whose. Name the variables that are synthetic: --synthesized ${inList(...others)} (synthesis.synthesized in the config).`,
    );
  }
}
