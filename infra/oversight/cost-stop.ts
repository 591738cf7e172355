import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Choice,
  Condition,
  DefinitionBody,
  LogLevel,
  Map as MapState,
  ProvideItems,
  QueryLanguage,
  StateMachine,
  StateMachineType,
  Succeed,
  Timeout,
} from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../access/acknowledge.ts';
import { scopedRole } from '../access/scoped-role.ts';
import { encryptedLogGroup } from '../constructs/encrypted-log-group.ts';
import { logDeliveryStatement } from '../constructs/log-delivery.ts';
import type { Settings } from '../settings.ts';

const CALL_LIMIT = Timeout.duration(Duration.seconds(30));
const PERIOD = Duration.minutes(5);

/**
 * Ends runs while the alarm on cost is on: every five minutes a workflow of three calls looks at the alarm and stops
 * each execution that is running, those that were started since among them. It has no code of its own. What a run has
 * stored stays, its state says that it was interrupted, and it can be resumed once the alarm is off.
 */
export class CostStop extends Construct {
  /** What looks at the alarm. */
  readonly stateMachine: StateMachine;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly alarm: Alarm; readonly workflow: StateMachine; readonly key: IKey; readonly settings: Settings },
  ) {
    super(scope, id);
    const { alarm, key, settings, workflow } = props;
    const executions = Stack.of(this).formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${workflow.stateMachineName}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const look = CallAwsService.jsonata(this, 'LookAtAlarm', {
      service: 'cloudwatch',
      action: 'describeAlarms',
      parameters: { AlarmNames: [alarm.alarmName] },
      iamResources: [alarm.alarmArn],
      outputs: { state: '{% $states.result.MetricAlarms[0].StateValue %}' },
      taskTimeout: CALL_LIMIT,
    });
    const list = CallAwsService.jsonata(this, 'ListToStop', {
      service: 'sfn',
      action: 'listExecutions',
      parameters: { StateMachineArn: workflow.stateMachineArn, StatusFilter: 'RUNNING', MaxResults: 1000 },
      iamResources: [workflow.stateMachineArn],
      outputs: { running: '{% [$states.result.Executions.ExecutionArn] %}' },
      taskTimeout: CALL_LIMIT,
    });
    const stop = CallAwsService.jsonata(this, 'StopRun', {
      service: 'sfn',
      action: 'stopExecution',
      parameters: {
        ExecutionArn: '{% $states.input %}',
        Error: 'CostStop',
        Cause: 'The environment has cost more in a day than stopDollars.',
      },
      iamResources: [executions],
      taskTimeout: CALL_LIMIT,
    });
    const each = MapState.jsonata(this, 'EachRun', { items: ProvideItems.jsonata('{% $states.input.running %}'), maxConcurrency: 5 });
    each.itemProcessor(stop);
    const isOn = Choice.jsonata(this, 'IsTooMuch')
      .when(Condition.jsonata("{% $states.input.state = 'ALARM' %}"), list.next(each))
      .otherwise(Succeed.jsonata(this, 'Affordable'));
    const logGroup = encryptedLogGroup(this, 'Log', {
      key,
      settings,
      name: `/aws/vendedlogs/states/${Stack.of(this).stackName}-cost-stop`,
    });
    const role = scopedRole(this, 'Stop', {
      principal: new ServicePrincipal('states.amazonaws.com'),
      description: 'Looks at the alarm on cost, and stops executions of the workflow',
      statements: [
        new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: [alarm.alarmArn] }),
        new PolicyStatement({ actions: ['states:ListExecutions'], resources: [workflow.stateMachineArn] }),
        new PolicyStatement({ actions: ['states:StopExecution'], resources: [executions] }),
        logDeliveryStatement(),
      ],
      wildcards: {
        '*': 'The delivery of logs is set up by rights that CloudWatch Logs offers for no single resource.',
        [executions]: 'Executions of this workflow, whose names Step Functions makes up.',
      },
    });
    const machine = new StateMachine(this, 'Stop', {
      comment: 'Stops runs while the alarm on cost is on',
      stateMachineType: StateMachineType.EXPRESS,
      queryLanguage: QueryLanguage.JSONATA,
      definitionBody: DefinitionBody.fromChainable(look.next(isOn)),
      role,
      timeout: Duration.minutes(4),
      logs: { destination: logGroup, level: LogLevel.ERROR, includeExecutionData: false },
    });
    acknowledge(machine, {
      'AwsSolutions-SF1': 'It runs every five minutes to look at one alarm: its errors are enough.',
      'AwsSolutions-SF2': 'It makes three calls; there is nothing to trace.',
    });
    this.stateMachine = machine;
    const start = scopedRole(this, 'Start', {
      principal: new ServicePrincipal('events.amazonaws.com'),
      description: 'Starts the look at the alarm on cost',
      statements: [new PolicyStatement({ actions: ['states:StartExecution'], resources: [machine.stateMachineArn] })],
    });
    new Rule(this, 'Schedule', {
      description: 'Stops runs while the alarm on cost is on',
      schedule: Schedule.rate(PERIOD),
      targets: [new SfnStateMachine(machine, { role: start, retryAttempts: 0 })],
    });
  }
}
