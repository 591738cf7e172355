import { recordGain } from '../../model/conjugate/added-count.ts';
import { CombinationIndex } from '../../table/combination-index.ts';
import type { Combinations } from '../../table/combinations.ts';

/** What a table and a release of it by a model of counts come to, cell by cell. */
export interface CountedRelease {
  readonly sizes: readonly number[];
  readonly alpha: number;
  readonly epsilon: number;
  /** Cells that the table or a dataset has; all others have no record anywhere. */
  readonly cells: Pick<Combinations, 'codes' | 'count' | 'variables'>;
  /** Of each of these cells, records of the table. */
  readonly counts: Uint32Array;
  /** Of each dataset, records in each of these cells. */
  readonly drawn: readonly Uint32Array[];
  /** Place of a cell among them, or -1. */
  readonly find: (codes: Uint16Array, offset: number) => number;
}

/** Counts a table and its datasets by cell; the cells of the table come first, in its order. */
export function countRelease(
  table: Combinations,
  datasets: readonly Combinations[],
  { sizes, alpha, epsilon }: Pick<CountedRelease, 'sizes' | 'alpha' | 'epsilon'>,
): CountedRelease {
  const { variables } = table;
  const index = new CombinationIndex(variables);
  const places = [table, ...datasets].map(({ codes, count }) =>
    Uint32Array.from({ length: count }, (_, row) => index.add(codes, row * variables, 1)),
  );
  const cells = index.combinations();
  const [counts, ...drawn] = [table, ...datasets].map((rows, which) => {
    const byCell = new Uint32Array(cells.count);
    for (const [row, place] of places[which]!.entries()) byCell[place]! += rows.counts[row]!;
    return byCell;
  });
  return { sizes, alpha, epsilon, cells, drawn, counts: counts!, find: (codes, offset) => index.find(codes, offset) };
}

/**
 * Log-likelihood of what was drawn given that the record is in a cell, up to a constant, in nats.
 *
 * @param place of the cell; -1 for one that is empty everywhere
 * @param without 1 to leave out the record's own row of the table
 */
export function cellGain({ counts, alpha }: CountedRelease, drawn: Uint32Array, place: number, without: 0 | 1): number {
  return place < 0 ? 0 : recordGain(counts[place]! - without, drawn[place]!, alpha);
}

/** Records in each cell over all datasets. */
export function drawnInAll({ drawn, cells }: CountedRelease): Uint32Array {
  return Uint32Array.from({ length: cells.count }, (_, place) => drawn.reduce((sum, ofDataset) => sum + ofDataset[place]!, 0));
}
