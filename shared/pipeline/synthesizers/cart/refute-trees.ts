import type { DatasetRows } from '../../../artifacts/stored-dataset.ts';
import type { Config } from '../../../contracts/config/config.ts';
import { cartSettings } from '../../../model/cart/cart-settings.ts';
import { impossibleValues } from '../../../risk/trees/tree-risk.ts';
import { bandsByVariable } from '../../../table/guessed-columns.ts';
import type { Column, Table } from '../../../table/table.ts';

/**
 * Why datasets cannot be of the trees that the settings grow on the table: how many of their values no donor could give.
 * Null where they can.
 */
export function refuteTrees(config: Config, table: Table, datasets: readonly DatasetRows[]): string | null {
  const settings = cartSettings(config, table.schema);
  if (datasets.length === 0) return null;
  const columns = datasets.map((rows) => settings.synthesized.map((v) => (rows as ReadonlyMap<number, Column>).get(v)!));
  const bands = bandsByVariable(config, table.schema);
  const impossible = impossibleValues({ table, settings, datasets: columns, bands });
  const values = datasets.length * table.records;
  const found = impossible.flatMap((count, place) =>
    count === 0 ? [] : [`${count} of ${values} of ${table.schema.variables[settings.synthesized[place]!]!.name}`],
  );
  if (found.length === 0) return null;
  return `No donor could give released values where their rows come to rest in trees of the table with these settings: ${found.join(', ')}. The trees were grown with another minimum leaf, complexity, choice of kept predictors or order of visits, on another table, or by a program that divides otherwise. Give the settings that the datasets were made with, or evaluate the table, which makes datasets of its own.`;
}
