import type { DatasetRows } from '../../artifacts/stored-dataset.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { Summary } from '../../contracts/results/summary.ts';
import type { Plan, Task } from '../../contracts/run/plan.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { Store } from '../../storage/store.ts';
import type { Support } from '../../table/support/support.ts';
import type { Table } from '../../table/table.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import type { PhaseTasks } from '../rounds/chains-needed.ts';
import type { ChainFacts } from './chain-model.ts';
import type { MeasuredRun, RunSizes, TaskBytes } from './run-sizes.ts';
import type { Measuring, TaskEstimate } from './task-estimate.ts';

/** Steps by which synthesizers make datasets and what is to be known of them; the others are of batches. */
export type FitStep = Exclude<Task['step'], 'assess' | 'score'>;

/** A task of such a step. */
export type FitTask<Step extends FitStep = FitStep> = Extract<Task, { step: Step }>;

/** How a step is done. */
export interface DoneStep<Step extends FitStep = FitStep> {
  /** Runs one task; what it makes is in the store. `onUnit` is called `units` times at most. */
  run(store: Store, plan: Plan, task: FitTask<Step>, onUnit: () => void): Promise<void>;
  /** Units of work of a task, for progress: iterations of a chain, or one tree or dataset. */
  units(plan: Plan, task: FitTask<Step>): number;
}

/** The steps that a synthesizer has. */
export type Steps = { readonly [Step in FitStep]?: DoneStep<Step> };

/**
 * What a run needs of a synthesizer beside what a config knows of it (`shared/contracts/models/`). Every member is of a
 * folder, and `synthesizers.ts` lists them.
 */
export interface Synthesizer {
  /** What is to be known of its chains; null where it has none. */
  readonly chains: ChainFacts | null;
  /** Refuses what a command cannot do under it, whatever the table. Throws UnsupportedOptionError. */
  refusePurpose(purpose: Plan['purpose'], config: Config): void;
  /** Holds settings to a table. Throws InvalidConfigError, UnsupportedOptionError. */
  refuseTable(config: Config, table: Table): void;
  /** What settings and a table, with its cells that can be where zeros are declared, give to think about before a run. */
  notices?(config: Config, table: Table, support: Support | null): Warning[];
  /** Why datasets made elsewhere cannot be its own on a table with these settings; null where they can. */
  refuteDatasets(config: Config, table: Table, datasets: readonly DatasetRows[]): string | null;
  /** The tasks that a round adds to those of the round before, but for those of batches. */
  tasks(plan: Plan, round: { readonly round: number; readonly numbers: ChainNumbers }, before: ChainNumbers): Omit<PhaseTasks, 'assess'>;
  readonly steps: Steps;
  /** What its tasks take in memory. */
  bytes(run: RunSizes): TaskBytes;
  /** What its tasks and the batches take in time and on disk, from a measurement of this processor. */
  estimate(run: MeasuredRun, measuring: Measuring): TaskEstimate;
  /** What the summary says of it beside its name and its chains. */
  describe(plan: Plan): Pick<Summary['model'], 'classes' | 'classesReason' | 'patterns' | 'alpha'>;
}
