import type { Task } from '../../../contracts/run/plan.ts';
import { createMixed } from '../../../model/mixed/mixed.ts';
import { synthesizeMixed } from '../../../model/mixed/mixed-synthesis.ts';
import { mixedRows, mixedView } from '../../../model/mixed/mixed-view.ts';
import { RandomStream } from '../../../random/random-stream.ts';
import { chainUnits } from '../chains/run-chains.ts';
import type { MeasuredRun } from '../run-sizes.ts';
import { type Measuring, type TaskEstimate, timed } from '../task-estimate.ts';
import { mixedBytes } from './mixed-bytes.ts';
import { samplerSettings } from './mixed-run.ts';

const MIB = 1024 * 1024;

/** Expected time and disk of a planned run, of which some iterations are run and a dataset is drawn. */
export function estimateMixed(planned: MeasuredRun, { jobs, tasks, secondsPerCall }: Measuring): TaskEstimate {
  const { plan, schema } = planned;
  const { config } = plan;
  const records = planned.records!;
  const view = mixedView(schema, config.variables);
  const random = new RandomStream(config.seed, 'calibration');
  const secondsOn = (tables: number) => {
    const model = createMixed(mixedRows(view, new Array<typeof records>(tables).fill(records)), samplerSettings(config));
    let state = model.init(random);
    const seconds = secondsPerCall(() => {
      state = model.step(state, random);
    });
    return { seconds, state };
  };
  const alone = secondsOn(1);
  // A dataset has as many records as the table, which stands for it.
  const isStacked = tasks.augment.some(({ step }) => step === 'pair');
  const stacked = isStacked ? secondsOn(2).seconds : alone.seconds;
  const drawn = timed(() => synthesizeMixed(alone.state, view, records.records, random)).seconds;
  const unitsOf = ({ step }: Task) => chainUnits[step as keyof typeof chainUnits](plan);
  const iterationsOf = (some: readonly Task[]) => some.reduce((sum, task) => sum + unitsOf(task), 0);
  const augmenting = iterationsOf(tasks.augment);
  const seconds =
    (iterationsOf(tasks.fit) + iterationsOf(tasks.synthesize)) * alone.seconds +
    (augmenting * (alone.seconds + stacked)) / 2 +
    plan.datasets.count * drawn;
  return {
    candidates: 0,
    chains: tasks.fit.length + tasks.synthesize.length + 2 * tasks.augment.length,
    iterations: iterationsOf([...tasks.fit, ...tasks.synthesize]) + augmenting,
    trees: 0,
    draws: 0,
    minutes: seconds / Math.min(jobs, Math.max(1, tasks.fit.length, tasks.synthesize.length)) / 60,
    diskMiB: (mixedBytes(planned).stored + plan.datasets.count * mixedBytes(planned).synthesize) / MIB,
    secondsPer: { iteration: alone.seconds, stackedIteration: stacked, combination: 0, dataset: drawn },
  };
}
