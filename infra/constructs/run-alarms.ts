import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { PRICES_DATE } from '../../shared/contracts/cloud/cloud-prices.ts';
import type { Settings } from '../settings.ts';
import type { RunFunction } from './run-function.ts';

/** What is watched. */
export interface RunAlarmsProps {
  readonly settings: Settings;
  readonly topic: ITopic;
  readonly workflow: IStateMachine;
  readonly assessBatch: RunFunction;
  /** Null where no run is long. */
  readonly oldestRunMinutes: IMetric | null;
  readonly dollarsADay: IMetric;
  readonly undelivered: IQueue;
}

/** Throttled calls in five minutes that are more than the retries of a burst at the start of a map. */
const MANY_THROTTLES = 1000;

/** The alarms of an environment, all told on its topic; `docs/how-to/runbook.md` says for each what to do. */
export class RunAlarms extends Construct {
  readonly alarms: Alarm[] = [];
  /** While it is on, runs are ended; null where no amount ends them. */
  readonly costStop: Alarm | null;

  constructor(scope: Construct, id: string, props: RunAlarmsProps) {
    super(scope, id);
    const { assessBatch, dollarsADay, oldestRunMinutes, settings, topic, undelivered, workflow } = props;
    const period = Duration.minutes(5);
    const action = new SnsAction(topic);
    const raise = (
      name: string,
      alarm: { metric: IMetric; above: number; periods?: number; missing?: TreatMissingData; description: string },
    ): Alarm => {
      const raised = new Alarm(this, name, {
        alarmDescription: alarm.description,
        metric: alarm.metric,
        threshold: alarm.above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: alarm.periods ?? 1,
        treatMissingData: alarm.missing ?? TreatMissingData.NOT_BREACHING,
      });
      raised.addAlarmAction(action);
      this.alarms.push(raised);
      return raised;
    };
    raise('FailedRuns', {
      description: 'A run failed, was stopped, or exceeded its time.',
      metric: new MathExpression({
        label: 'Runs that did not succeed',
        expression: 'FILL(failed, 0) + FILL(timedOut, 0) + FILL(aborted, 0)',
        usingMetrics: {
          failed: workflow.metricFailed({ period }),
          timedOut: workflow.metricTimedOut({ period }),
          aborted: workflow.metricAborted({ period }),
        },
        period,
      }),
      above: 0,
    });
    raise('Throttles', {
      description: 'Lambda has refused batches for a quarter of an hour: mapConcurrency exceeds what the account has free.',
      metric: assessBatch.lambda.metricThrottles({ period }),
      above: MANY_THROTTLES,
      periods: 3,
    });
    raise('Cost', {
      description: `Compute has cost more than ${settings.dailyDollars} dollars in a day, at the list prices of ${PRICES_DATE}.`,
      metric: dollarsADay,
      above: settings.dailyDollars,
    });
    this.costStop =
      settings.stopDollars === undefined
        ? null
        : raise('CostStop', {
            description: `Compute has cost more than ${settings.stopDollars} dollars in a day: runs are stopped.`,
            metric: dollarsADay,
            above: settings.stopDollars,
          });
    raise('UndeliveredUploads', {
      description: 'A table arrived and the workflow could not be started.',
      metric: undelivered.metricApproximateNumberOfMessagesVisible({ period }),
      above: 0,
    });
    if (oldestRunMinutes === null) return;
    const oldest = raise('OldestRun', {
      description: `A run has been running for more than ${settings.oldRunHours} hours.`,
      metric: oldestRunMinutes,
      missing: TreatMissingData.MISSING,
      above: settings.oldRunHours * 60,
    });
    // Silence of the watch is told as well.
    oldest.addInsufficientDataAction(action);
  }
}
