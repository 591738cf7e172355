import type { AttackSummary } from '../../contracts/results/attack.ts';
import type { FoundBounds } from '../../contracts/results/bounds.ts';
import type { StoredCalibration } from '../../contracts/results/calibration.ts';
import type { ChainDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import type { RecordDetails, RiskiestRows } from '../../contracts/results/record-details.ts';
import type { Remedies } from '../../contracts/results/remedies.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import type { ContinuousRows } from '../../contracts/results/tables/continuous-risk-table.ts';
import type { VariableRiskTable } from '../../contracts/results/tables/variable-risk-table.ts';
import type { ReportHeading } from '../../contracts/run/plan.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';

/** What a report is made of. */
export interface ReportInput {
  /** Must hold an attribute risk, or be of partially synthetic data: other runs have nothing to report. */
  summary: Summary;
  heading: ReportHeading;
  /** The columns of attribute-risk.csv for the first scenario; null where there is no attribute risk. */
  table: AttributeRiskTable | null;
  /** The rows of variable-risk.csv for the first scenario; null where no variable is asked for by itself. */
  values: VariableRiskTable | null;
  /** The rows of continuous-risk.csv for the first scenario; null where no variable has a density. */
  continuous: ContinuousRows | null;
  /** Of several scenarios the rows most at risk under each; empty where there is one. */
  riskiest: readonly RiskiestRows[];
  /** What is shown of single rows beside these tables. */
  details: RecordDetails;
  /** Null when the run has no base chains to diagnose. */
  chains: ChainDiagnostics | null;
  /** The bounds of such a release; null when none were asked for. */
  inherent: FoundBounds | null;
  /** A calibration of the run's estimate; null when none was included. */
  calibration: StoredCalibration | null;
  /** What other tools measure of the release; null when none of it was included. */
  attack: AttackSummary | null;
  /** Ways to lower the risk that were tried; null when none were included. */
  remedies: Remedies | null;
  /** Hears of each row that the page holds. */
  onRow?: OnUnits;
}
