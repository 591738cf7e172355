import type { Config } from '../contracts/config/config.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { categorySizes } from '../table/category-sizes.ts';
import type { Combinations } from '../table/combinations.ts';
import { combinationsFromCodes } from '../table/distinct-rows.ts';
import { patternCounts } from '../table/pattern-counts.ts';
import { recordCodes } from '../table/record-codes.ts';
import { stackedColumns, stackedVariables } from '../table/stacked-columns.ts';
import type { Support } from '../table/support/support.ts';
import { synthesizedVariables } from '../table/synthesized-variables.ts';
import type { Table } from '../table/table.ts';
import type { ChainSampler } from './chains/chain-sampler.ts';
import { createDpAreal } from './dp-areal/dp-areal.ts';
import { latentLength } from './dp-areal/latent.ts';
import { createDpmpm } from './dpmpm/dpmpm.ts';

/** A run's model, to be bound to the records that its chains are of. */
export interface ChainModel {
  /** Variables that are synthesized from each record's own class, the others being kept; null where none is kept. */
  readonly synthesized: readonly number[] | null;
  /** The model on a set of records: the table alone, or, where none is kept, with a dataset below it. */
  bind(combinations: Combinations): ChainSampler;
  /**
   * The model on a table with a partially synthetic dataset of it: each record's synthetic values come from its class, as
   * its own do.
   */
  bindBeside(table: Table, dataset: Table): ChainSampler;
}

/**
 * The model that a config names. Binding one without chains throws RangeError.
 *
 * @param support the possible cells, where the run has structural zeros
 */
export function chainModel({ model, synthesis }: Config, schema: TableSchema, support?: Support): ChainModel {
  const sizes = categorySizes(schema);
  const variables = synthesizedVariables(synthesis.synthesized, schema);
  const synthesized = synthesis.synthesized === 'all' ? null : variables;
  const bind = (combinations: Combinations, variableOfColumn?: readonly number[]) => {
    switch (model.name) {
      case 'dpmpm':
        return createDpmpm(combinations, sizes, model, variableOfColumn, support);
      case 'dp-areal':
        return createDpAreal(combinations, sizes, variables, model, variableOfColumn);
      default:
        throw new RangeError(`the model ${model.name} has no chains`);
    }
  };
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

/** Latent classes at most, or clusters of patterns: where the stick-breaking prior is truncated. */
export function truncation({ model }: Config): number {
  switch (model.name) {
    case 'dpmpm':
      return model.classes;
    case 'dp-areal':
      return model.clusters;
    default:
      throw new RangeError(`the model ${model.name} has no classes`);
  }
}

/** Classes of a draw of a run's model on a table: latent ones of the DPMPM, patterns of DP-areal; 0 without draws. */
export function classesOfDraw(config: Config, schema: TableSchema, combinations: Combinations): number {
  if (config.model.name === 'dpmpm') return config.model.classes;
  if (config.model.name !== 'dp-areal') return 0;
  const variables = synthesizedVariables(config.synthesis.synthesized, schema);
  return patternCounts(combinations, categorySizes(schema), variables).patterns;
}

/** Numbers that a draw holds beside its classes: what DP-areal goes on from. */
export function latentNumbers({ model, synthesis }: Config, schema: TableSchema, classes: number): number {
  if (model.name !== 'dp-areal') return 0;
  const sizes = categorySizes(schema);
  const [counted] = synthesizedVariables(synthesis.synthesized, schema);
  const categories = sizes[counted!]!;
  const regressors = sizes.reduce((sum, size) => sum + size, 0) - categories;
  return latentLength({ patterns: classes, categories, regressors, clusters: model.clusters });
}

/** Whether draws of base chains hold those numbers: none of these chains goes on, but `importance` takes likelihoods of their draws. */
export function keepsLatent({ attributeRisk }: Config): boolean {
  return attributeRisk.estimator === 'importance';
}

/** Whether phi is integrated out where candidates are scored, so that chains keep their allocations (docs/explanation/estimators.md). */
export function integratesPhi({ attributeRisk }: Config): boolean {
  return attributeRisk.phi === 'integrated';
}
