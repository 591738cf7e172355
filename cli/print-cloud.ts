import type { CloudEstimate } from '../shared/cost/cloud-estimate.ts';
import { CLOUD_STEPS } from '../shared/cost/price-usage.ts';
import { formatDuration } from './progress.ts';

const formatDollars = (dollars: number) => `$${dollars.toFixed(dollars < 0.995 ? 3 : 2)}`;

/** Amounts by name, summed, the largest first. */
function sumsBy<Item extends { readonly dollars: number }>(
  items: readonly Item[],
  name: (item: Item) => string,
): [string, number][] {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(name(item), (sums.get(name(item)) ?? 0) + item.dollars);
  return [...sums].sort(([, a], [, b]) => b - a);
}

/** What a run is expected to take and to cost in AWS, as lines for a person. */
export function cloudLines(estimate: CloudEstimate): string[] {
  const { batches, child, concurrency, environments, items, minutes, month, vcpus } = estimate;
  const byStep = new Map(sumsBy(items, ({ step }) => step));
  const steps = CLOUD_STEPS.map(
    (step) => `${step} ${formatDuration(60 * minutes[step])} and ${formatDollars(byStep.get(step) ?? 0)}`,
  );
  const services = sumsBy(items, ({ service }) => service).map(
    ([service, dollars]) => `${service} ${formatDollars(dollars)}`,
  );
  const monthly = month.reduce((sum, { dollars }) => sum + dollars, 0);
  return [
    `in AWS about ${formatDuration(60 * minutes.total)} minutes and ${formatDollars(estimate.dollars)} (${estimate.region}, list prices of ${estimate.pricesDate}; not measured there)`,
    `  with ${vcpus} vCPU for the chains and at most ${concurrency} ${child} children: ${batches} batches in ${environments} environments, about ${estimate.secondsPerBatch.toFixed(1)} s each`,
    `  ${steps.join(', ')}`,
    `  ${services.join(', ')}`,
    `  the deployed environment costs ${formatDollars(monthly)} a month besides, with or without a run`,
    ...estimate.notices.map(({ message }) => `  Notice: ${message}`),
  ];
}
