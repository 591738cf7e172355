import { runKeys } from '../shared/contracts/keys.ts';
import type { Plan, Task } from '../shared/contracts/plan.ts';
import type { CloudWork } from '../shared/cost/cloud-work.ts';
import { chainsNeeded, firstRound, roundTasks } from '../shared/pipeline/chains-needed.ts';
import { taskUnits } from '../shared/pipeline/run-task.ts';
import { HALF_SPLITS } from '../shared/risk/chain-evaluations.ts';
import type { RunEstimate } from './estimate-run.ts';

/** What the first round of a run has to do and to move, from its plan and the speeds and sizes that were measured. */
export function cloudWork(
  plan: Plan,
  { diskMiB, secondsPer }: Pick<RunEstimate, 'diskMiB' | 'secondsPer'>,
): CloudWork {
  const { mcmc } = plan.config;
  const { base, pairs, sides } = chainsNeeded(plan);
  const tasks = roundTasks(plan, firstRound(plan));
  const stackedIterations = sides.includes('stacked') ? mcmc.pairedDraws * mcmc.pairedThin : 0;
  const secondsOf = (task: Task) => {
    if (task.step === 'grow') return secondsPer.tree!;
    if (task.step === 'drop') return secondsPer.dataset!;
    return secondsOfChain(task);
  };
  const secondsOfChain = (task: Task) =>
    taskUnits(plan, task, mcmc) * secondsPer.iteration +
    (task.step === 'pair' ? stackedIterations : 0) * (secondsPer.stackedIteration - secondsPer.iteration);
  const phases = [tasks.fit, tasks.synthesize, tasks.augment].flatMap((equal) =>
    equal.length === 0 ? [] : [{ tasks: equal.length, secondsPerTask: secondsOf(equal[0]!) }],
  );
  const scoredChains = base + pairs * sides.length;
  const keys = runKeys(plan.runId);
  const datasets = plan.datasets.count;
  const allCells = plan.config.attributeRisk.candidates === 'all-cells';
  const partObjects = Object.keys(keys.part(1, 1)).filter(
    (name) => allCells || (name !== 'guesses' && name !== 'marginals'),
  );
  return {
    phases,
    batches: plan.batches.map(({ from, to }) => to - from),
    secondsPerCombination: secondsPer.combination,
    draws: { bytes: diskMiB * 1024 * 1024, objects: scoredChains },
    context: {
      // Two bytes a code and four a count; the plan and the schema are small beside them.
      bytes: plan.table.combinations * (2 * plan.table.variables + 4),
      // The plan, the table, whether the part is there, and where each dataset came from.
      objects: 2 + Object.keys(keys.table).length + datasets,
    },
    part: {
      // Numbers of eight bytes: ten columns, and ranks and probabilities from both halves of every split. What all cells
      // have beside them is small.
      bytesPerCombination: 8 * (10 + 2 * 2 * HALF_SPLITS),
      objects: partObjects.length,
    },
    fitObjects: scoredChains + tasks.synthesize.length + datasets * (1 + Object.keys(keys.dataset(1)).length),
  };
}
