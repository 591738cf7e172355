import { fitCart } from '../../shared/model/cart/synthesis.ts';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import type { Table } from '../../shared/table/table.ts';
import { type Reading, variableIndex } from './scenarios.ts';

/** Draws partially synthetic datasets, whose row i belongs to record i. */
export type DatasetSource = (random: RandomStream) => Table;

/** Sequential trees with the settings that synthpop has by default (Nowok et al. 2016), grown once. */
export function datasetSource(table: Table, scenario: readonly string[], reading: Reading): DatasetSource {
  const synthesized = scenario.map((name) => variableIndex(table, name));
  const settings = { synthesized, predictors: reading, minimumLeaf: 5, complexity: 1e-8, smoothing: false };
  const model = fitCart(table, settings);
  return (random) => {
    const columns = [...table.columns];
    for (const [j, column] of model.synthesize(random).entries()) columns[synthesized[j]!] = column;
    return { ...table, columns };
  };
}
