import { CfnStateMachineAlias, CfnStateMachineVersion, type IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { LIVE } from '../../shared/contracts/cloud/cloud-environment.ts';

/**
 * The definition of a workflow as a version that stays as it is, and the alias by which executions are started. The
 * version of an earlier deployment is kept: a run that began under it can be gone on with.
 */
export class WorkflowRelease extends Construct {
  /** The workflow by its alias, for what starts executions. */
  readonly live: IStateMachine;

  constructor(scope: Construct, id: string, workflow: StateMachine) {
    super(scope, id);
    const version = new CfnStateMachineVersion(this, 'Version', {
      stateMachineArn: workflow.stateMachineArn,
      // Another definition or role is another revision, and so another version.
      stateMachineRevisionId: workflow.stateMachineRevisionId,
    });
    version.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const alias = new CfnStateMachineAlias(this, 'Alias', {
      name: LIVE,
      routingConfiguration: [{ stateMachineVersionArn: version.attrArn, weight: 100 }],
    });
    this.live = StateMachine.fromStateMachineArn(this, 'Live', alias.attrArn);
  }
}
