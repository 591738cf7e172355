import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  DefinitionBody,
  type IStateMachine,
  LogLevel,
  QueryLanguage,
  StateMachine,
  StateMachineType,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../access/acknowledge.ts';
import { scopedRole } from '../access/scoped-role.ts';
import type { Settings } from '../settings.ts';
import { encryptedLogGroup } from './encrypted-log-group.ts';
import { logDeliveryStatement } from './log-delivery.ts';
import { OLDEST_RUN_MINUTES } from './oldest-run-minutes.ts';

const NAMESPACE = 'synthrisk';
const PERIOD = Duration.minutes(5);
const CALL_LIMIT = Timeout.duration(Duration.seconds(30));

/**
 * Measures how long the oldest running run has been running, which no service does: every five minutes a workflow of
 * two calls lists the running executions and writes the figure as a metric. It has no code of its own.
 */
export class OldestRunWatch extends Construct {
  /** Minutes, a point every five minutes; none when the watch itself has stopped. */
  readonly minutes: Metric;
  /** What measures it. */
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: { readonly workflow: IStateMachine; readonly key: IKey; readonly settings: Settings }) {
    super(scope, id);
    const { key, settings, workflow } = props;
    const dimension = { Environment: settings.environment };
    this.minutes = new Metric({
      namespace: NAMESPACE,
      metricName: 'OldestRunMinutes',
      dimensionsMap: dimension,
      statistic: 'Maximum',
      period: PERIOD,
    });
    const list = CallAwsService.jsonata(this, 'ListRunning', {
      service: 'sfn',
      action: 'listExecutions',
      parameters: { StateMachineArn: workflow.stateMachineArn, StatusFilter: 'RUNNING', MaxResults: 1000 },
      iamResources: [workflow.stateMachineArn],
      outputs: { minutes: `{% ${OLDEST_RUN_MINUTES} %}` },
      taskTimeout: CALL_LIMIT,
    });
    const write = CallAwsService.jsonata(this, 'WriteMetric', {
      service: 'cloudwatch',
      action: 'putMetricData',
      parameters: {
        Namespace: NAMESPACE,
        MetricData: [
          {
            MetricName: this.minutes.metricName,
            Dimensions: Object.entries(dimension).map(([Name, Value]) => ({ Name, Value })),
            Value: '{% $states.input.minutes %}',
          },
        ],
      },
      iamResources: ['*'],
      taskTimeout: CALL_LIMIT,
    });
    const logGroup = encryptedLogGroup(this, 'Log', { key, settings, name: `/aws/vendedlogs/states/${Stack.of(this).stackName}-watch` });
    const role = scopedRole(this, 'Watch', {
      principal: new ServicePrincipal('states.amazonaws.com'),
      description: 'Lists running executions and writes their greatest age',
      statements: [
        new PolicyStatement({ actions: ['states:ListExecutions'], resources: [workflow.stateMachineArn] }),
        new PolicyStatement({
          actions: ['cloudwatch:PutMetricData'],
          resources: ['*'],
          conditions: { StringEquals: { 'cloudwatch:namespace': NAMESPACE } },
        }),
        logDeliveryStatement(),
      ],
      wildcards: { '*': 'Metrics and log deliveries are rights on no resource; the namespace of the metric is a condition.' },
    });
    const watch = new StateMachine(this, 'Watch', {
      comment: 'Age of the oldest running run',
      stateMachineType: StateMachineType.EXPRESS,
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(list.next(write)),
      role,
      timeout: Duration.minutes(1),
      logs: { destination: logGroup, level: LogLevel.ERROR, includeExecutionData: false },
    });
    acknowledge(watch, {
      'AwsSolutions-SF1': 'It runs every five minutes to say one number: its errors are enough.',
      'AwsSolutions-SF2': 'It makes two calls; there is nothing to trace.',
    });
    this.stateMachine = watch;
    const start = scopedRole(this, 'Start', {
      principal: new ServicePrincipal('events.amazonaws.com'),
      description: 'Starts the watch',
      statements: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [watch.stateMachineArn] })],
    });
    new Rule(this, 'Schedule', {
      description: 'Age of the oldest running run',
      schedule: Schedule.rate(PERIOD),
      targets: [new SfnStateMachine(watch, { role: start, retryAttempts: 0 })],
    });
  }
}
