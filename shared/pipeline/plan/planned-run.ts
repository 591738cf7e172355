import type { DatasetRows } from '../../artifacts/stored-dataset.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { DatasetSource, Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { ChainDraws } from '../../model/chains/chain-draws.ts';
import type { CalibrationTargets } from '../../risk/calibration/calibration-targets.ts';
import type { Combinations } from '../../table/combinations.ts';
import type { Table } from '../../table/table.ts';
import type { KnownFiles, KnownRecords } from './known-records.ts';
import type { PlannedControl } from './plan-control.ts';
import type { PlannedPrior, PlannedSupport } from './planned-files.ts';

/** A dataset of an earlier run, with the draw that generated it. */
export interface GeneratedDataset {
  readonly rows: DatasetRows;
  readonly source: DatasetSource;
  readonly generatingDraw: ChainDraws;
}

/** What a run is asked to do. */
export interface RunRequest {
  readonly purpose: Exclude<Plan['purpose'], 'replicate'>;
  readonly config: Config;
  /** Bytes of the confidential table, CSV or Parquet. */
  readonly table: Uint8Array;
  /** Bytes of the file of structural zeros, where the config names one. */
  readonly structuralZeros?: Uint8Array;
  /** Bytes of the control, people who are not in the table, where the config names one. */
  readonly control?: Uint8Array;
  /** Bytes of the files of the prior, in the order in which the config names them. */
  readonly priorFiles?: readonly Uint8Array[];
  /** Files of known records that scenarios name, by their paths. */
  readonly knownFiles?: KnownFiles;
  /** For `assess`: bytes of datasets made elsewhere, or the datasets of an earlier run. */
  readonly datasets?:
    | { readonly origin: 'elsewhere'; readonly files: readonly Uint8Array[] }
    | { readonly origin: 'run'; readonly runId: string; readonly generated: readonly GeneratedDataset[] };
  /** Key of the place where the run is kept, under which its id is formed. */
  readonly placeKey: Uint8Array;
  /** The release key of the run with this id. */
  readonly releaseKey: (runId: string) => Promise<Uint8Array>;
  /** Combinations in a batch; by default as memory allows. Results do not depend on it. */
  readonly batchSize?: number;
  /** What the run may take when so many threads run it. */
  readonly memory?: { readonly limitBytes: number; readonly jobs: number };
}

/** A run decided but not started: its plan and what its steps will read. */
export interface PlannedRun {
  readonly plan: Plan;
  readonly releaseKey: Uint8Array;
  readonly schema: TableSchema;
  /** Null where the model has no chains: it takes records as they are, which may hold continuous values. */
  readonly combinations: Combinations | null;
  /** The table in the order of its records, where the datasets are partially synthetic; null otherwise. */
  readonly records: Table | null;
  readonly support: PlannedSupport | null;
  readonly prior: PlannedPrior;
  /** People who are not in the table, where the run has a control. */
  readonly control: PlannedControl | null;
  /** Records that intruders have who know less. */
  readonly known: KnownRecords;
  /** Bytes of the table and of datasets given as files; a replicate's table is made from that of its calibration. */
  readonly inputBytes: number;
  readonly datasets: readonly { rows: DatasetRows; source: DatasetSource; draw?: ChainDraws }[];
  /** The runs that a calibration consists of. */
  readonly replicates: readonly PlannedReplicate[];
}

/** A run on a table whose targets were replaced. */
export interface PlannedReplicate extends PlannedRun {
  readonly targets: CalibrationTargets;
}
