import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Duration } from 'aws-cdk-lib/core';
import { CLOSING_TASK } from '../../shared/contracts/cloud/cloud-environment.ts';
import { CLOUD_PRICES } from '../../shared/contracts/cloud/cloud-prices.ts';
import type { Settings } from '../settings.ts';
import type { RunContainers } from './run-containers.ts';
import type { RunFunction } from './run-function.ts';

/** Minutes of one hour: Container Insights counts the running tasks once a minute. */
const SAMPLES_PER_HOUR = 60;

/**
 * What functions that compute and container tasks cost at list prices, in dollars a period, from the metrics of their
 * services: known within minutes, in every partition, for this environment alone. Storage, requests, endpoints and logs
 * are not in it.
 */
export function computeDollars(props: {
  readonly functions: readonly RunFunction[];
  readonly assessBatch: RunFunction;
  readonly container: RunContainers | null;
  readonly settings: Settings;
  readonly period: Duration;
}): IMetric {
  const { assessBatch, container, functions, period, settings } = props;
  const usingMetrics: Record<string, IMetric> = {};
  const terms: string[] = [];
  functions.forEach((fn, index) => {
    usingMetrics[`ms${index}`] = fn.lambda.metricDuration({ statistic: 'Sum', period });
    terms.push(`FILL(ms${index}, 0) / 1000 * ${fn.memoryMiB / 1024} * ${CLOUD_PRICES.lambdaGiBSecond}`);
  });
  // The batches are nearly all requests there are.
  usingMetrics.requests = assessBatch.lambda.metricInvocations({ period });
  terms.push(`FILL(requests, 0) / 1000000 * ${CLOUD_PRICES.lambdaMillionRequests}`);
  if (container !== null) {
    usingMetrics.tasks = new Metric({
      namespace: 'ECS/ContainerInsights',
      metricName: 'TaskCount',
      dimensionsMap: { ClusterName: container.cluster.clusterName },
      statistic: 'Sum',
      period,
    });
    const { fargateGiBHour, fargateVcpuHour } = CLOUD_PRICES;
    const sizes = [{ vcpus: settings.fitVcpu, memoryGiB: settings.fitMemoryGiB }, CLOSING_TASK];
    // The metric does not tell the two tasks apart: each is counted as the dearer of them.
    const dollarsPerHour = Math.max(...sizes.map(({ memoryGiB, vcpus }) => vcpus * fargateVcpuHour + memoryGiB * fargateGiBHour));
    terms.push(`FILL(tasks, 0) / ${SAMPLES_PER_HOUR} * ${dollarsPerHour}`);
  }
  return new MathExpression({ expression: terms.join(' + '), usingMetrics, label: 'Dollars of compute', period });
}
