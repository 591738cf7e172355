import { AccountRootPrincipal, AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { RunFunction } from './run-function.ts';
import { scopedRole } from './scoped-role.ts';
import {
  INCOMING_KEYS,
  OPEN_KEYS,
  RELEASE_KEYS,
  RESULT_KEYS,
  STATE_KEYS,
  STATUS_KEYS,
} from './step-access.ts';

/** What people's roles are about. */
export interface ReaderRolesProps {
  readonly bucket: IBucket;
  readonly key: IKey;
  /** Roles of the workflow's own steps. */
  readonly steps: readonly IRole[];
  readonly workflow: StateMachine;
  readonly assessBatch: RunFunction;
}

/**
 * Roles for people, whom the account allows to take them: to upload tables, to stop runs and go on with them, to read
 * what discloses, and to read the release. All may find the environment and watch its runs. Nobody else in the account
 * reads what discloses, administrators included: the bucket refuses every principal but the workflow's own steps and
 * the reader of the confidential, and does so for all keys that are not known to be harmless. Tables and draws are read
 * by the steps alone.
 */
export class ReaderRoles extends Construct {
  readonly submitter: IRole;
  readonly operator: IRole;
  readonly confidentialReader: IRole;
  readonly releaseReader: IRole;

  constructor(scope: Construct, id: string, props: ReaderRolesProps) {
    super(scope, id);
    const { assessBatch, bucket, key, steps, workflow } = props;
    const rights = workflowRights(this, workflow);
    const person = (
      name: string,
      description: string,
      {
        read,
        write = [],
        others = [],
      }: { read: readonly string[]; write?: readonly string[]; others?: readonly PolicyStatement[] },
    ) => {
      const objects = (patterns: readonly string[]) =>
        patterns.map((pattern) => bucket.arnForObjects(pattern));
      const statements = [
        new PolicyStatement({ sid: 'Read', actions: ['s3:GetObject'], resources: objects(read) }),
        new PolicyStatement({ sid: 'List', actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
        new PolicyStatement({ sid: 'Decrypt', actions: ['kms:Decrypt'], resources: [key.keyArn] }),
        new PolicyStatement({
          sid: 'Find',
          actions: ['lambda:GetFunction'],
          resources: [assessBatch.lambda.functionArn],
        }),
        ...rights.watch,
        ...others,
      ];
      if (write.length > 0) {
        statements.push(
          new PolicyStatement({ sid: 'Write', actions: ['s3:PutObject'], resources: objects(write) }),
          new PolicyStatement({ sid: 'Encrypt', actions: ['kms:GenerateDataKey'], resources: [key.keyArn] }),
        );
      }
      return scopedRole(this, name, {
        principal: new AccountRootPrincipal(),
        description,
        statements,
        wildcards: {
          ...Object.fromEntries(
            objects([...read, ...write]).map((resource) => [
              resource,
              'Objects of this kind, of any run or upload: it is what the role is for.',
            ]),
          ),
          ...rights.wildcards,
        },
      });
    };
    this.submitter = person('Submitter', 'Uploads tables, and reads what became of them', {
      read: STATUS_KEYS,
      write: INCOMING_KEYS,
    });
    this.operator = person('Operator', 'Stops runs, and goes on with them', {
      read: STATUS_KEYS,
      write: STATE_KEYS,
      others: rights.operate,
    });
    this.confidentialReader = person('ConfidentialReader', 'Reads results that disclose', {
      read: [...RESULT_KEYS, ...RELEASE_KEYS, ...STATUS_KEYS],
      others: [
        new PolicyStatement({
          sid: 'AskForRecords',
          actions: ['lambda:InvokeFunction'],
          resources: [assessBatch.lambda.functionArn],
        }),
      ],
    });
    this.releaseReader = person('ReleaseReader', 'Reads synthetic datasets, and how runs are doing', {
      read: [...RELEASE_KEYS, ...STATUS_KEYS],
    });
    bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyItsReaders',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject', 's3:GetObjectVersion'],
        notResources: OPEN_KEYS.map((pattern) => bucket.arnForObjects(pattern)),
        conditions: {
          ArnNotEquals: {
            'aws:PrincipalArn': [...steps, this.confidentialReader].map((role) => role.roleArn),
          },
        },
      }),
    );
  }
}

/** Rights on the executions of the workflow: to watch them, and to stop and start them. */
function workflowRights(scope: Construct, { stateMachineArn, stateMachineName }: StateMachine) {
  const ofWorkflow = (resource: string, resourceName: string) =>
    Stack.of(scope).formatArn({
      service: 'states',
      resource,
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const executions = ofWorkflow('execution', `${stateMachineName}:*`);
  const maps = ofWorkflow('mapRun', `${stateMachineName}/*`);
  const reason = 'Executions of this workflow and runs of its map, whose names Step Functions makes up.';
  return {
    watch: [
      new PolicyStatement({
        sid: 'Watch',
        actions: ['states:DescribeExecution', 'states:ListMapRuns'],
        resources: [executions],
      }),
      new PolicyStatement({ sid: 'WatchMap', actions: ['states:DescribeMapRun'], resources: [maps] }),
    ],
    operate: [
      new PolicyStatement({
        sid: 'Stop',
        actions: ['states:StopExecution', 'states:RedriveExecution'],
        resources: [executions],
      }),
      new PolicyStatement({ sid: 'Start', actions: ['states:StartExecution'], resources: [stateMachineArn] }),
    ],
    wildcards: { [executions]: reason, [maps]: reason },
  };
}
