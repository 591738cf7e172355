import type { PartialRelease } from '../../artifacts/stored-dataset.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { UniqueValuesSummary } from '../../contracts/results/unique-values.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { cartSettings } from '../../model/cart/cart-settings.ts';
import { formatFigure } from '../../report/words/format-number.ts';
import { countReleased, markUniqueValues, uniqueValues } from '../../risk/trees/unique-values.ts';

/** What a run says of the values that one record alone has. */
export interface UniqueFigures {
  /** One for each continuous synthesized variable, in the order of visits; none under other models than trees. */
  readonly uniqueValues: readonly UniqueValuesSummary[];
  readonly warnings: readonly Warning[];
}

const sumOf = (values: ArrayLike<number>) => Array.from(values).reduce((sum, one) => sum + one, 0);

/**
 * The values of continuous synthesized variables that one record alone has, and how many of them trees released.
 *
 * @param release null where datasets alone were asked for
 */
export function uniqueFigures({ config }: Plan, release: PartialRelease | null): UniqueFigures {
  if (factsOf(config.model).method !== 'grown' || release === null) return { uniqueValues: [], warnings: [] };
  const { table } = release;
  const settings = cartSettings(config, table.schema);
  const datasets = release.datasets.map(({ columns }) => settings.synthesized.map((v) => columns[v]!));
  const found = settings.synthesized.flatMap((v, place): UniqueValuesSummary[] => {
    const { name, type } = table.schema.variables[v]!;
    if (type !== 'continuous') return [];
    if (settings.smoothing) {
      return [
        {
          variable: name,
          values: sumOf(markUniqueValues(table.columns[v]!, table.records)),
          ...{ expected: null, released: null },
          reason: 'released values are smoothed, so that they are near those of records and not theirs',
        },
      ];
    }
    if (settings.proper) {
      const marked = markUniqueValues(table.columns[v]!, table.records);
      const given = countReleased({ table, settings, datasets }, place, marked);
      return [
        {
          variable: name,
          values: sumOf(marked),
          expected: null,
          released: given.filter((rows) => rows > 0).length,
          reason: 'how many were to be expected has no closed form over bootstrap samples',
        },
      ];
    }
    const { unique, probability, released } = uniqueValues({ table, settings, datasets }, place);
    return [{ variable: name, values: sumOf(unique), expected: sumOf(probability), released: released.filter((rows) => rows > 0).length }];
  });
  return { uniqueValues: found, warnings: found.flatMap(warningsOf) };
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
