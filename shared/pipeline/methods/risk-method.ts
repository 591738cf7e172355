import type { OfScenario, RunContext, ScenarioModel } from '../../artifacts/run-context.ts';
import type { ArrayName, CellPart, RowsBeside } from '../../artifacts/stored-part.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { MembershipSummary } from '../../contracts/results/membership.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';
import type { AttributeRisk, ListedRisk } from '../../risk/attribute/attribute-risk.ts';
import type { FileRisk, FileRows, HalvesStandFor, SimulatedFigures } from '../../risk/attribute/attribute-summary.ts';
import type { ReleaseErrors } from '../../risk/attribute/release-figures.ts';
import type { MembershipPart } from '../../risk/membership/membership-figures.ts';
import type { Store } from '../../storage/store.ts';
import type { Table } from '../../table/table.ts';
import type { BatchTerms } from '../assess/estimator-terms.ts';
import type { RiskRows } from '../assess/risk-rows.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';

/** Memory in bytes of a batch while it is assessed. */
export interface BatchBytes {
  readonly fixed: number;
  /** For each row, with all chains that rounds may add. */
  readonly perRow: number;
  /** The same before rounds add chains. */
  readonly perRowAtFirst: number;
  /** What a batch leaves in its thread when it has ended, until that is cleared away; nothing to speak of where it is missing. */
  readonly left?: number;
}

/** What a batch comes to: where candidates are listed one by one, what is known of values and the likeliest as well. */
export type RiskPart =
  | {
      readonly risk: ListedRisk;
      /** Of trees, what is known beside. */
      readonly beside?: RowsBeside;
      /** Of an intruder who does not have all records but one, what each dataset says by itself. */
      readonly datasetSums?: Float64Array;
      /** Where membership is asked for. */
      readonly membership?: MembershipPart;
    }
  | { readonly risk: AttributeRisk; readonly cells: CellPart };

/** The rows of a scenario in a round, whose figures are asked for. */
export interface SummarizedRows {
  /** What `readBeside` has read. */
  readonly beside: RowsBeside | null;
  readonly round: number;
  readonly risk: FileRows;
  /** Records of every row. */
  readonly counts: Uint32Array;
  /** Candidates of every row, or of each. */
  readonly candidates: number | Uint32Array;
  /** Above which a tail of weights is too heavy. */
  readonly paretoKThreshold: number;
  /** Figures of values that are guessed one by one; the gain is null where none are. */
  readonly values: Pick<AttributeRiskSummary, 'gainBitsMean' | 'variables'>;
}

/** What a scenario's rows come to over records, as `summary.json` states it. */
export interface StatedRisk {
  readonly file: FileRisk;
  readonly release: ReleaseErrors;
  /** What every method states in its way: errors, of simulation, what is known of draws, and reasons where nothing is. */
  readonly own: Omit<SimulatedFigures, 'effectiveDrawsMin'> &
    Pick<AttributeRiskSummary, 'effectiveDrawsMin' | `${'reproducibility' | 'halfLength' | 'paretoK'}Reason`>;
  /** How well the release shows who is in the table, or why that is not known. */
  readonly membership: MembershipSummary | { readonly reason: string };
  /** Why a privacy loss is null. */
  readonly reason?: Pick<AttributeRiskSummary, 'privacyLossReason'>;
  /** What this method alone states, before the figures of values in the file and after them. */
  readonly before?: Partial<AttributeRiskSummary>;
  readonly after?: Partial<AttributeRiskSummary>;
}

/** A candidate of a row: the codes in which it differs from the row's own, its probability before the release, where it is kept, and after. */
export interface LikelyCandidate {
  readonly changes: readonly { readonly variable: number; readonly code: number }[];
  readonly before: number | null;
  readonly after: number;
}

/** Rows whose likeliest candidates are asked for. */
export interface LikelyRows {
  /** Their numbers, from 0. */
  readonly rows: Uint32Array;
  readonly codesOf: (row: number) => Uint16Array;
}

/** What batches are cut by. */
export interface WantedBatches {
  readonly rows: number;
  readonly fewest: number;
  readonly threads: number;
}

/**
 * How the attribute risk of a run's rows is found under one of its scenarios. `methods.ts` says which method that is; what
 * is the same for all, such as batches, tables and the report, asks nothing of it but what stands here.
 */
export interface RiskMethod {
  /** What halves of the chains stand for in agreement and errors. */
  readonly halves: HalvesStandFor;
  /** What every part has that is of its way of listing candidates, beside the risk. */
  readonly arrays: readonly ArrayName[];
  /** Why it is not found who is in the table, as the rest of a sentence or a sentence of its own; null where it is. */
  membershipReason(config: Config): string | null;
  /** Refuses settings of a run with which the method is not offered. Throws UnsupportedOptionError. */
  refuse(plan: Plan, schema: TableSchema, scenario: Scenario): void;
  /** Memory of a batch. */
  batchBytes(plan: Plan, schema: TableSchema, scenario: Scenario): BatchBytes;
  /**
   * Rows of a batch when there are so many in all, and so many batches are wanted at the fewest, or for each thread to have
   * one; 0 where memory allows not even one.
   */
  batchRows(plan: Plan, schema: TableSchema, scenario: Scenario, wanted: WantedBatches): number;
  /**
   * Units of work of a batch of so many rows, for progress: about microseconds, of chains that are scored or read, blocks of cells, rows.
   * After each of these an interruption ends it.
   */
  units(plan: Plan, scenario: Scenario, numbers: ChainNumbers, rows: number): number;
  /**
   * Attribute risk of rows `from` up to but without `to` (from 0), which are combinations, or records where datasets are
   * partially synthetic, with the chains of a round.
   *
   * @param onUnits called after some units of work, with `units` of them at most in all
   * @throws RangeError naming the row (from 0 within the range) when an estimate is not a number
   */
  assess(
    store: Store,
    context: RunContext & OfScenario,
    rows: { readonly from: number; readonly to: number; readonly chains: RoundChains },
    onUnits: OnUnits,
  ): Promise<RiskPart>;
  /** The estimator's terms for rows whose candidates are all listed in a table of their own, or why there is no such table. */
  readonly terms:
    | ((store: Store, context: ScenarioModel, numbers: ChainNumbers, rows: RiskRows) => Promise<BatchTerms>)
    | { readonly code: string; readonly message: string };
  /**
   * What the batches of a round have stored of all rows of a scenario beside their risk: of trees, what is proven, and the
   * same with the divisions held as they are. Absent where parts have nothing beside.
   */
  readBeside?(store: Store, context: ScenarioModel, round: number): Promise<RowsBeside>;
  /** The likeliest candidates of some rows, from the parts of a round; null for parts of a version that kept none. */
  readLikeliest(
    store: Store,
    context: ScenarioModel,
    round: number,
    rows: LikelyRows,
  ): Promise<((row: number) => LikelyCandidate[]) | null>;
  /** What the rows of a scenario come to over records. */
  summarize(store: Store, context: ScenarioModel, rows: SummarizedRows): Promise<StatedRisk>;
  /** What of a table and its datasets, whatever the scenario, this method alone makes a reader look at. */
  remarks?(config: Config, table: Table, datasets: readonly Table[]): Pick<Summary, 'uniqueValues'> & { readonly warnings: Warning[] };
}
