import type { Config } from '../../contracts/config/config.ts';
import { settingsOf } from '../../contracts/models/models.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import type { Column, Table } from '../../table/table.ts';
import { type GrowthSettings, growCartTree } from './growth.ts';
import { LeafSmoothing } from './smoothing.ts';
import { type CartTree, dropRecords } from './tree.ts';

/** How a table is synthesized by trees. */
export interface CartSettings extends GrowthSettings {
  /** Indices of the variables that are synthesized, in visiting order. */
  readonly synthesized: readonly number[];
  /** Which variables predict beside those visited before: `kept` (default) all that are not synthesized, `none` no others. */
  readonly predictors?: 'kept' | 'none';
  /** True if continuous values are smoothed by {@link LeafSmoothing}; otherwise they are observed ones. */
  readonly smoothing: boolean;
  /** True if {@link synthesizeByCart} grows each tree on a bootstrap sample of the records. */
  readonly proper?: boolean;
}

/** Trees grown on a table, from which any number of datasets can be drawn. */
export interface CartModel {
  readonly trees: readonly CartTree[];
  /** The synthesized columns of a dataset, in visiting order; every record has the values of one donor a variable. */
  synthesize(random: RandomSource): Column[];
}

/**
 * Grows the tree of one synthesized variable (Reiter 2005), by the variables that are kept and those visited before it. A
 * missing category is a category like any other.
 *
 * @param place of the variable in the order of visits, from 0
 * @throws RangeError for an empty table, no variable, one that the table does not have or that comes twice, a minimum
 * leaf that is no whole number from 1, a complexity that is negative or no number
 */
export function growSynthesisTree(table: Table, settings: CartSettings, place: number): CartTree {
  requireSettings(table, settings);
  const predictors = predictorsOf(settings, table.columns.length, place);
  return growCartTree(table, settings.synthesized[place]!, predictors, settings);
}

/** The variables, of so many, that predict the one at a place in the order of visits, in the order of the table. */
export function predictorsOf({ synthesized, predictors = 'kept' }: CartSettings, variables: number, place: number): number[] {
  const isPredictor = (one: number) => {
    const visit = synthesized.indexOf(one);
    return visit === -1 ? predictors === 'kept' : visit < place;
  };
  return Array.from({ length: variables }, (_, one) => one).filter(isPredictor);
}

/** A model of trees that {@link growSynthesisTree} has grown, in visiting order, with the same settings. */
export function createCartModel(table: Table, { synthesized, smoothing }: CartSettings, trees: readonly CartTree[]): CartModel {
  const smoothers = trees.map((tree) => smootherOf(tree, smoothing));
  return {
    trees,
    synthesize(random) {
      const columns = [...table.columns];
      synthesized.forEach((variable, j) => {
        columns[variable] = drawColumn(trees[j]!, columns, table.records, smoothers[j]!, random);
      });
      return synthesized.map((variable) => columns[variable]!);
    },
  };
}

/** Grows the trees of all synthesized variables; throws as {@link growSynthesisTree} does. */
export function fitCart(table: Table, settings: CartSettings): CartModel {
  requireSettings(table, settings);
  const trees = settings.synthesized.map((_, place) => growSynthesisTree(table, settings, place));
  return createCartModel(table, settings, trees);
}

/**
 * The synthesized columns of one dataset, in visiting order. Where the synthesis is proper, every tree is grown on a
 * bootstrap sample of its own, whose records are the donors; the rows that are dropped are those of the table (synthpop,
 * `proper = TRUE`).
 */
export function synthesizeByCart(table: Table, settings: CartSettings, random: RandomSource): Column[] {
  if (settings.proper !== true) return fitCart(table, settings).synthesize(random);
  const columns = [...table.columns];
  for (const [place, variable] of settings.synthesized.entries()) {
    const tree = growSynthesisTree(bootstrapSample(table, random), settings, place);
    columns[variable] = drawColumn(tree, columns, table.records, smootherOf(tree, settings.smoothing), random);
  }
  return settings.synthesized.map((variable) => columns[variable]!);
}

function bootstrapSample({ schema, records, columns }: Table, random: RandomSource): Table {
  const drawn = Uint32Array.from({ length: records }, () => random.below(records));
  const sampled = columns.map(
    (column): Column =>
      column.type === 'categorical'
        ? { type: 'categorical', codes: column.codes.map((_, i) => column.codes[drawn[i]!]!) }
        : { type: 'continuous', values: column.values.map((_, i) => column.values[drawn[i]!]!) },
  );
  return { schema, records, columns: sampled };
}

function smootherOf({ donors }: CartTree, smoothing: boolean): LeafSmoothing | null {
  return smoothing && donors.type === 'continuous' ? new LeafSmoothing(donors.values) : null;
}

/** Drops every record down the tree by its values in `columns`, and draws a donor for it. */
function drawColumn(
  tree: CartTree,
  columns: readonly Column[],
  records: number,
  smoothing: LeafSmoothing | null,
  random: RandomSource,
): Column {
  const { donors } = tree;
  if (donors.type === 'categorical') {
    const codes = donors.codes.slice();
    dropRecords(tree, columns, records, ({ from, to }, dropped) => {
      for (const record of dropped) codes[record] = donors.codes[from + random.below(to - from)]!;
    });
    return { type: 'categorical', codes };
  }
  const values = new Float64Array(records);
  dropRecords(tree, columns, records, (node, dropped) => {
    for (const record of dropped) {
      const value = donors.values[node.from + random.below(node.to - node.from)]!;
      values[record] = smoothing === null ? value : smoothing.smooth(value, node, random);
    }
  });
  return { type: 'continuous', values };
}

/** Refuses settings as {@link growSynthesisTree} does. */
export function requireSettings(table: Table, { synthesized, minimumLeaf, complexity }: CartSettings): void {
  if (table.records === 0) throw new RangeError('a table without records cannot be synthesized');
  if (synthesized.length === 0) throw new RangeError('no variable is synthesized');
  for (const variable of synthesized) {
    if (table.columns[variable] === undefined) throw new RangeError(`the table has no variable ${variable}`);
  }
  if (new Set(synthesized).size < synthesized.length) {
    throw new RangeError('a variable is synthesized more than once');
  }
  if (!Number.isInteger(minimumLeaf) || minimumLeaf < 1) {
    throw new RangeError(`the minimum leaf must be a whole number from 1: ${minimumLeaf}`);
  }
  if (!(complexity >= 0 && complexity < Infinity)) {
    throw new RangeError(`the complexity must be 0 or more: ${complexity}`);
  }
}

/** How a run grows its trees. Throws RangeError for another model. */
export function cartSettings({ model, synthesis }: Config, schema: TableSchema): CartSettings {
  const { minimumLeaf, complexity, predictors, smoothing, proper } = settingsOf(model, 'cart');
  return { synthesized: synthesizedVariables(synthesis.synthesized, schema), minimumLeaf, complexity, predictors, smoothing, proper };
}
