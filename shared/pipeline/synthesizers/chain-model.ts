import type { Config } from '../../contracts/config/config.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { ChainSampler } from '../../model/chains/chain-sampler.ts';
import type { CandidateSpace } from '../../risk/intruder/candidate-space.ts';
import type { RatioScorer } from '../../risk/scoring/ratio-scorer.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { Combinations } from '../../table/combinations.ts';
import { combinationsFromCodes } from '../../table/distinct-rows.ts';
import { recordCodes } from '../../table/record-codes.ts';
import { stackedColumns, stackedVariables } from '../../table/replaced-columns.ts';
import type { Support } from '../../table/support/support.ts';
import { synthesizedVariables } from '../../table/synthesized-variables.ts';
import type { Table } from '../../table/table.ts';

/** A run's model, to be bound to the records that its chains are of. */
export interface ChainModel {
  /** Variables that are synthesized from each record's own class, the others being kept; null where none is kept. */
  readonly synthesized: readonly number[] | null;
  /** The model on a set of records: the table alone, or, where none is kept, with a dataset below it. */
  bind(combinations: Combinations): ChainSampler;
  /** The model on a table with a partially synthetic dataset of it: each record's synthetic values come from its class, as its own do. */
  bindBeside(table: Table, dataset: Table): ChainSampler;
}

/** What a sampler is bound to: the records of a table, alone or with a dataset. */
export interface BoundRecords {
  readonly combinations: Combinations;
  /** Categories of each variable of the table. */
  readonly sizes: readonly number[];
  /** Numbers of the variables that are synthesized. */
  readonly variables: readonly number[];
  /** The variable of each column; the columns are the variables where it is left out. */
  readonly variableOfColumn?: readonly number[] | undefined;
  /** The possible cells, where the run has structural zeros. */
  readonly support?: Support | undefined;
}

/** What is to be known of a model with chains, whatever these are bound to. */
export interface ChainFacts {
  /** Latent classes at most, or clusters of patterns: where the stick-breaking prior is truncated. */
  truncation(config: Config): number;
  /** Classes of a draw on a table of combinations, where it is fitted to these. */
  classes?(config: Config, schema: TableSchema, combinations: Combinations): number;
  /** What scores candidates where that is not the product over the variables in each class. */
  scorer?(
    table: { readonly combinations: Combinations; readonly sizes: readonly number[] },
    space: CandidateSpace,
    codes: Uint16Array,
  ): RatioScorer;
  /** What warnings of its diagnostics say: the classes, why R-hat is high, and what helps where labels have not mixed. */
  readonly words: { readonly classes: string; readonly modes: string; readonly unmixed: string };
}

/** A model whose chains are of combinations. */
export interface Chains extends ChainFacts {
  classes(config: Config, schema: TableSchema, combinations: Combinations): number;
  /** Its sampler on some records. */
  bind(config: Config, records: BoundRecords): ChainSampler;
  /** Numbers that a draw of so many classes holds beside them, from which its chain goes on. */
  latentNumbers(config: Config, schema: TableSchema, classes: number): number;
}

/** The model of a run, to be bound to the records that its chains are of. */
export function chainModel(chains: Chains, config: Config, schema: TableSchema, support?: Support): ChainModel {
  const { synthesis } = config;
  const sizes = categorySizes(schema);
  const variables = synthesizedVariables(synthesis.synthesized, schema);
  const synthesized = synthesis.synthesized === 'all' ? null : variables;
  const bind = (combinations: Combinations, variableOfColumn?: readonly number[]) =>
    chains.bind(config, { combinations, sizes, variables, variableOfColumn, support });
  return {
    synthesized,
    bind: (combinations) => bind(combinations),
    bindBeside(table, dataset) {
      const columns = stackedColumns(table, dataset, variables);
      const codes = recordCodes(columns, 0, table.records);
      const { combinations } = combinationsFromCodes(codes, table.records, columns.length);
      return bind(combinations, stackedVariables(sizes, variables));
    },
  };
}
