import type { OfScenario, RunContext, ScenarioModel } from '../../artifacts/run-context.ts';
import type { RowsBeside } from '../../artifacts/stored-beside.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { AttributeRisk } from '../../risk/attribute/attribute-risk.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import type { MethodRisk } from './method-risk.ts';
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

/** The rows of a scenario in a round, whose figures are asked for. */
export interface SummarizedRows {
  /** What `readBeside` has read. */
  readonly beside: RowsBeside | null;
  readonly round: number;
  readonly risk: AttributeRisk;
  /** Records of every row. */
  readonly counts: Uint32Array;
  /** Candidates of every row, or of each. */
  readonly candidates: number | Uint32Array;
  /** Above which a tail of weights is too heavy. */
  readonly paretoKThreshold: number;
  /** Gain at the truth; null where no values are guessed one by one. */
  readonly gainBitsMean: number | null;
}

/**
 * How the attribute risk of a run's rows is found under one of its scenarios. `methods.ts` says which method that is; what
 * is the same for all, such as batches, tables and the report, asks nothing of it but what stands here.
 */
export interface RiskMethod {
  /**
   * Refuses settings of a run with which the method is not offered.
   *
   * @throws UnsupportedOptionError
   */
  refuse(plan: Plan, schema: TableSchema, scenario: Scenario): void;
  /** Memory of a batch. */
  batchBytes(plan: Plan, schema: TableSchema, scenario: Scenario): BatchBytes;
  /**
   * Rows of a batch when there are so many in all, and so many batches are wanted at the fewest; 0 where memory allows
   * not even one.
   */
  batchRows(plan: Plan, schema: TableSchema, scenario: Scenario, wanted: { readonly rows: number; readonly fewest: number }): number;
  /** Units of work of a batch, for progress: chains that are scored or read, blocks of cells; or one. */
  units(plan: Plan, scenario: Scenario, numbers: ChainNumbers): number;
  /**
   * Attribute risk of a range of rows, which are combinations, or records where datasets are partially synthetic.
   *
   * @param onUnit called after each unit of work, `units` times at most
   * @throws RangeError naming the row (from 0 within the range) when an estimate is not a number
   */
  assess(store: Store, context: RunContext & OfScenario, rows: AssessedRows, onUnit: () => void): Promise<RiskPart>;
  /**
   * What the batches of a round have stored of all rows of a scenario beside their risk: of trees, what is proven, and the
   * same with the divisions held as they are. Null of other models.
   */
  readBeside(store: Store, context: ScenarioModel, round: number): Promise<RowsBeside | null>;
  /** What the rows of a scenario come to over records. */
  summarize(store: Store, context: ScenarioModel, rows: SummarizedRows): Promise<MethodRisk>;
}
