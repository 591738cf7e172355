import type { OfScenario, RunContext } from '../../artifacts/run-context.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import type { RiskPart } from './risk-part.ts';

/** Memory in bytes of a batch while it is assessed. */
export interface BatchBytes {
  readonly fixed: number;
  /** For each row, with all chains that rounds may add. */
  readonly perRow: number;
  /** The same before rounds add chains. */
  readonly perRowAtFirst: number;
}

/** A range of rows, from `from` up to but without `to` (from 0), and the chains of the round in which they are assessed. */
export interface AssessedRows {
  readonly from: number;
  readonly to: number;
  readonly chains: RoundChains;
}

/**
 * How the attribute risk of a run's rows is found under one of its scenarios. `methods.ts` says which method that is; what
 * is the same for all, such as batches, tables and the report, asks nothing of it but what stands here.
 */
export interface RiskMethod {
  /** Memory of a batch. */
  batchBytes(plan: Plan, schema: TableSchema, scenario: Scenario): BatchBytes;
  /**
   * Rows of a batch when there are so many in all, and so many batches are wanted at the fewest; 0 where memory allows
   * not even one.
   *
   * @throws UnsupportedOptionError where the method is not offered with the settings of the run
   */
  batchRows(
    plan: Plan,
    schema: TableSchema,
    scenario: Scenario,
    wanted: { readonly rows: number; readonly fewest: number },
  ): number;
  /** Units of work of a batch, for progress: chains that are scored or read, blocks of cells; or one. */
  units(plan: Plan, scenario: Scenario, numbers: ChainNumbers): number;
  /**
   * Attribute risk of a range of rows, which are combinations, or records where datasets are partially synthetic.
   *
   * @param onUnit called after each unit of work, `units` times at most
   * @throws RangeError naming the row (from 0 within the range) when an estimate is not a number
   */
  assess(
    store: Store,
    context: RunContext & OfScenario,
    rows: AssessedRows,
    onUnit: () => void,
  ): Promise<RiskPart>;
}
