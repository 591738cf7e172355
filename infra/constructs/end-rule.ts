import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Alias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { LIVE } from '../../shared/contracts/cloud/cloud-environment.ts';
import type { RunFunction } from './run-function.ts';

/**
 * Lets an execution that was ended from outside, stopped or out of time, be recorded in the state of its run: the workflow
 * itself can catch neither. An event that cannot be delivered for an hour goes to the queue of undelivered events.
 */
export class EndRule extends Construct {
  constructor(
    scope: Construct,
    id: string,
    props: { readonly workflow: IStateMachine; readonly recordFailure: RunFunction; readonly undelivered: IQueue },
  ) {
    super(scope, id);
    const recordFailure = new Alias(this, 'Live', { aliasName: LIVE, version: props.recordFailure.version }) as IFunction;
    new Rule(this, 'Rule', {
      description: 'An execution was stopped, or ran out of time',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { status: ['ABORTED', 'TIMED_OUT'], stateMachineArn: [props.workflow.stateMachineArn] },
      },
      targets: [
        new LambdaFunction(recordFailure, { deadLetterQueue: props.undelivered, maxEventAge: Duration.hours(1), retryAttempts: 24 }),
      ],
    });
  }
}
