import type { Config } from '../../contracts/config/config.ts';
import type { UniqueValuesSummary } from '../../contracts/results/unique-values.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { cartSettings } from '../../model/cart/cart-settings.ts';
import { formatFigure } from '../../report/words/format-number.ts';
import { countReleased, markUniqueValues, uniqueValues } from '../../risk/trees/unique-values.ts';
import type { Table } from '../../table/table.ts';

const sumOf = (values: ArrayLike<number>) => Array.from(values).reduce((sum, one) => sum + one, 0);

const releasedOf = (rows: ArrayLike<number>) => Array.from(rows).filter((count) => count > 0).length;

/** The values of continuous synthesized variables that one record alone has, in the order of visits, and how many of them trees released. */
export function uniqueFigures(config: Config, table: Table, released: readonly Table[]) {
  const settings = cartSettings(config, table.schema);
  const datasets = released.map(({ columns }) => settings.synthesized.map((v) => columns[v]!));
  const found = settings.synthesized.flatMap((v, place): UniqueValuesSummary[] => {
    const { name: variable, type } = table.schema.variables[v]!;
    if (type !== 'continuous') return [];
    if (!settings.smoothing && !settings.proper) {
      const { unique, probability, released } = uniqueValues({ table, settings, datasets }, place);
      return [{ variable, values: sumOf(unique), expected: sumOf(probability), released: releasedOf(released) }];
    }
    const marked = markUniqueValues(table.columns[v]!, table.records);
    const unexpected = { variable, values: sumOf(marked), expected: null };
    if (settings.smoothing) {
      return [
        { ...unexpected, released: null, reason: 'released values are smoothed, so that they are near those of records and not theirs' },
      ];
    }
    const given = releasedOf(countReleased({ table, settings, datasets }, place, marked));
    return [{ ...unexpected, released: given, reason: 'how many were to be expected has no closed form over bootstrap samples' }];
  });
  return { ...(found.length > 0 ? { uniqueValues: found } : {}), warnings: found.flatMap(warningsOf) };
}

function warningsOf({ variable, values, released }: UniqueValuesSummary): Warning[] {
  if (released === null || released === 0) return [];
  return [
    {
      code: 'unique-values-released',
      message: `${variable} is released as it is in the table, from one record or another: ${formatFigure(released)} of the ${formatFigure(values)} values that one record alone has are in the datasets. Whoever knows all other records knows whose they are, and whoever knows of such a value learns that its record is in the table. Smoothing (model.smoothing) or coarser values in the table prevent it.`,
    },
  ];
}
