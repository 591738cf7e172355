import { CLOSING_TASK } from '../../shared/contracts/cloud/cloud-environment.ts';
import { CLOUD_STEPS } from '../../shared/contracts/run/usage.ts';
import { type CloudEstimate, dollarsOfRun } from '../../shared/cost/cloud-estimate.ts';
import { formatDollars } from '../../shared/cost/format-dollars.ts';
import { formatDuration } from '../../shared/report/words/format-duration.ts';
import { formatCount, formatQuantity } from '../../shared/report/words/format-number.ts';

/** Amounts by name, summed, the largest first. */
function sumsBy<Item extends { readonly dollars: number }>(items: readonly Item[], name: (item: Item) => string): [string, number][] {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(name(item), (sums.get(name(item)) ?? 0) + item.dollars);
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** Whether a run is expected to cost less than it may. */
export function fitsBudget(estimate: CloudEstimate, budgetDollars: number): boolean {
  return dollarsOfRun(estimate) <= budgetDollars;
}

function budgetLine(estimate: CloudEstimate, budgetDollars: number): string {
  const predicted = `${formatDollars(dollarsOfRun(estimate))} without storage`;
  return fitsBudget(estimate, budgetDollars)
    ? `  fits a budget of ${formatDollars(budgetDollars)}: ${predicted}; rounds that add chains cost more`
    : `  does not fit a budget of ${formatDollars(budgetDollars)}: ${predicted}; the run would be stopped before it exceeds it`;
}

/** What a run is expected to take and to cost in AWS, as lines for a person. */
export function cloudLines(estimate: CloudEstimate, budgetDollars?: number): string[] {
  const { batches, child, closesInTask, concurrency, environments, fitTasks, items, minutes, month, runsAtOnce, vcpus } = estimate;
  const byStep = new Map(sumsBy(items, ({ step }) => step));
  const steps = CLOUD_STEPS.map((step) => `${step} ${formatDuration(60 * minutes[step])} and ${formatDollars(byStep.get(step) ?? 0)}`);
  const services = sumsBy(items, ({ service }) => service).map(([service, dollars]) => `${service} ${formatDollars(dollars)}`);
  const monthly = month.reduce((sum, { dollars }) => sum + dollars, 0);
  return [
    `in AWS about ${formatDuration(60 * minutes.total)} and ${formatDollars(estimate.dollars)} (${estimate.region}, list prices of ${estimate.pricesDate}; not measured there)`,
    `  with ${fitTasks === 1 ? '' : `${formatQuantity(fitTasks, 'task')} of `}${vcpus} vCPU for the chains${closesInTask ? `, one of ${CLOSING_TASK.vcpus} for the results` : ''}${runsAtOnce === 1 ? '' : `, ${runsAtOnce} such runs at once`} and at most ${formatCount(concurrency)} ${child} ${concurrency === 1 ? 'child' : 'children'}: ${formatQuantity(batches, 'batch', 'batches')} in ${formatQuantity(environments, 'environment')}, about ${formatDuration(estimate.secondsPerBatch)} each`,
    `  ${steps.join(', ')}`,
    `  ${services.join(', ')}`,
    ...(budgetDollars === undefined ? [] : [budgetLine(estimate, budgetDollars)]),
    `  the deployed environment costs ${formatDollars(monthly)} a month besides, with or without a run`,
    ...estimate.notices.map(({ message }) => `  Notice: ${message}`),
  ];
}
