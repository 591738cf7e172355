import type { Plan } from '../../contracts/run/plan.ts';
import { openScenarios, type Scenario } from '../../contracts/run/scenarios.ts';
import { methodOf } from '../methods/methods.ts';
import type { RunSizes } from '../synthesizers/run-sizes.ts';
import type { RunRequest } from './planned-run.ts';
import { predictMemory, utilityBytes } from './predict-memory.ts';

/** What of a request decides on batches. */
type BatchRequest = Pick<RunRequest, 'batchSize' | 'memory'>;

/** Fewest batches of a run where the threads are not known, so that they stay busy and progress shows. */
export const FEWEST_BATCHES = 8;

/** The same where they are: large batches share more products, and each thread must have one. */
const FEWEST_FOR_THREADS = 4;

/**
 * The batches of every scenario of a run, one scenario after the other, as {@link planBatches} finds those of each.
 *
 * @param cut those of a scenario that has been cut into batches before
 */
export function planScenarios(
  run: RunSizes,
  rows: readonly number[],
  request: BatchRequest,
  cut: (scenario: Scenario) => Plan['batches'] | undefined = () => undefined,
): Plan['batches'] {
  const batches = openScenarios(run.plan).flatMap((scenario, s) => {
    const own = cut(scenario) ?? planBatches(run, scenario, rows[s]!, request);
    return own.map((batch) => ({ ...batch, scenario: scenario.number }));
  });
  return batches.map((batch, i) => ({ ...batch, batch: i + 1 }));
}

/**
 * The batches in which the rows of a scenario, or the targets of a calibration, are assessed: of the size that was asked for, or else as
 * large as memory allows. Results do not depend on them. Where not even single rows fit, batches are of one.
 *
 * @param run its plan without batches
 * @param rows combinations, or targets
 * @throws UnsupportedOptionError where the method of the scenario is not offered
 */
function planBatches(run: RunSizes, scenario: Scenario, rows: number, { batchSize, memory }: BatchRequest): Plan['batches'] {
  const { plan, schema } = run;
  const method = methodOf(plan.config, scenario);
  const fewest = memory ? Math.max(FEWEST_FOR_THREADS, memory.jobs) : FEWEST_BATCHES;
  method.refuse(plan, schema, scenario);
  const wanted = method.batchRows(plan, schema, scenario, { rows, fewest, threads: memory?.jobs ?? FEWEST_BATCHES });
  const { perRow } = method.batchBytes(plan, schema, scenario);
  const fitting = memory ? Math.floor(roomForRows(run, scenario, memory) / perRow) : rows;
  const size = batchSize ?? Math.max(1, Math.min(wanted, fitting));
  const batches: Plan['batches'] = [];
  for (let from = 0; from < rows; from += size) {
    batches.push({ batch: batches.length + 1, scenario: scenario.number, from, to: Math.min(rows, from + size) });
  }
  return batches;
}

/**
 * The batches of a planned run as an environment in AWS cuts them, which knows of no threads.
 *
 * @param batchSize the size that was asked for
 */
export function batchesInCloud(run: RunSizes, batchSize?: number): Plan['batches'] {
  const rows = openScenarios(run.plan).map(({ batches }) => batches.at(-1)?.to ?? 0);
  return planScenarios(run, rows, batchSize === undefined ? {} : { batchSize });
}

/** The same batches, cut anew where they have more rows than `most`. */
export function recutBatches(batches: Plan['batches'], most: number): Plan['batches'] {
  const scenarios = [...new Set(batches.map(({ scenario }) => scenario))];
  const cut = scenarios.flatMap((scenario) => {
    const own = batches.filter((batch) => batch.scenario === scenario);
    const rows = Math.max(...own.map(({ to }) => to));
    const size = Math.min(most, Math.max(...own.map(({ from, to }) => to - from)));
    return Array.from({ length: Math.ceil(rows / size) }, (_, i) => ({ scenario, from: i * size, to: Math.min(rows, (i + 1) * size) }));
  });
  return cut.map((batch, i) => ({ batch: i + 1, ...batch }));
}

/** Memory that each thread has for the rows of its batch, beside everything else; below 0 when there is none. */
function roomForRows(run: RunSizes, { number }: Scenario, { limitBytes, jobs }: NonNullable<RunRequest['memory']>): number {
  // A run has a batch for each thread, unless its table is tiny.
  const batches = Array.from({ length: jobs }, (_, i) => ({ ...{ batch: i + 1, scenario: number, from: 0, to: 0 } }));
  // A thread has a batch or a part of utility: where it has room for the part, a batch may have that room.
  const config = { ...run.plan.config, utility: 'off' as const };
  const { assess } = predictMemory({ ...run, plan: { ...run.plan, config, batches } }, jobs).phases;
  return (limitBytes - assess - utilityBytes(run).sources) / jobs;
}
