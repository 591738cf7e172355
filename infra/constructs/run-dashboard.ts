import { AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { RunAlarms } from './run-alarms.ts';
import type { RunContainers } from './run-containers.ts';
import type { RunFunction } from './run-function.ts';

/** What the dashboard shows. */
export interface RunDashboardProps {
  readonly workflow: IStateMachine;
  readonly assessBatch: RunFunction;
  readonly container: RunContainers | null;
  readonly oldestRunMinutes: IMetric | null;
  readonly dollarsAnHour: IMetric;
  readonly alarms: RunAlarms;
}

/** One page on how an environment is doing, from the alarms at the top to the money at the bottom. */
export function runDashboard(scope: Construct, id: string, props: RunDashboardProps): Dashboard {
  const { alarms, assessBatch, container, dollarsAnHour, oldestRunMinutes, workflow } = props;
  const period = Duration.minutes(1);
  const { lambda } = assessBatch;
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) => new GraphWidget({ title, left, right, width: 12, height: 6 });
  const dashboard = new Dashboard(scope, id, { defaultInterval: Duration.hours(12) });
  dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', alarms: alarms.alarms, width: 24, height: 3 }));
  dashboard.addWidgets(
    graph('Runs', [
      workflow.metricStarted({ period, label: 'started' }),
      workflow.metricSucceeded({ period, label: 'succeeded' }),
      workflow.metricFailed({ period, label: 'failed' }),
      workflow.metricTimedOut({ period, label: 'out of time' }),
      workflow.metricAborted({ period, label: 'stopped' }),
    ]),
    ...(oldestRunMinutes === null ? [] : [graph('Oldest running run (minutes)', [oldestRunMinutes])]),
  );
  dashboard.addWidgets(
    graph(
      'Batches',
      [
        lambda.metricInvocations({ period, label: 'assessed' }),
        lambda.metricErrors({ period, label: 'errors' }),
        lambda.metricThrottles({ period, label: 'throttles' }),
      ],
      [lambda.metric('ConcurrentExecutions', { statistic: 'Maximum', period, label: 'at once' })],
    ),
    graph('Time of a batch (ms)', [
      lambda.metricDuration({ statistic: 'p50', period, label: 'median' }),
      lambda.metricDuration({ statistic: 'p99', period, label: '99 %' }),
      lambda.metricDuration({ statistic: 'Maximum', period, label: 'longest' }),
    ]),
  );
  const money = graph('Compute (dollars an hour, list prices)', [dollarsAnHour]);
  if (container === null) dashboard.addWidgets(money);
  else {
    const ofContainer = (metricName: string, label: string) =>
      new Metric({
        namespace: 'ECS/ContainerInsights',
        metricName,
        label,
        dimensionsMap: { ClusterName: container.cluster.clusterName },
        statistic: 'Average',
        period,
      });
    const cpu = [ofContainer('CpuUtilized', 'CPU units used'), ofContainer('CpuReserved', 'CPU units paid for')];
    const memory = [ofContainer('MemoryUtilized', 'MiB used'), ofContainer('MemoryReserved', 'MiB paid for')];
    dashboard.addWidgets(graph('Container task', cpu, memory), money);
  }
  return dashboard;
}
