import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { ArnFormat, Aws, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Settings } from '../../shared/contracts/cloud/environment-settings.ts';
import type { PersonRole } from '../../shared/contracts/cloud/people-principals.ts';
import { bucketRefusals, refusal, type StepPrincipal } from './bucket-refusals.ts';
import { onlyFromSources, PeopleTrust } from './people-trust.ts';
import { requestRefusals } from './request-refusals.ts';
import { scopedRole } from './scoped-role.ts';
import {
  DECISION_KEYS,
  FETCHED_KEYS,
  INCOMING_KEYS,
  JUDGED_KEYS,
  JUDGED_PREFIXES,
  LISTED_PREFIXES,
  PURGED_KEYS,
  RELEASE_KEYS,
  RESULT_KEYS,
  STATE_KEYS,
  STATUS_KEYS,
} from './step-access.ts';

/** What people's roles are about. */
export interface ReaderRolesProps {
  /** Who may take which role, and whether results are locked. */
  readonly settings: Settings;
  /** The key that signs manifests, with which all who fetch verify them. */
  readonly signingKey: IKey;
  readonly bucket: IBucket;
  /** Where each request to the bucket is logged, with the size of what was asked for. */
  readonly accessLog: IBucket;
  readonly key: IKey;
  /** The workflow's own steps. */
  readonly steps: readonly StepPrincipal[];
  /** The one of them that makes keys. */
  readonly planning: IRole;
  /** The gateway endpoint of S3 that the steps go through. */
  readonly endpointId: string;
  readonly workflow: StateMachine;
  readonly assessBatch: IFunction;
  /** Events that were not delivered, and the key that encrypts them. */
  readonly undelivered: IQueue;
  readonly operationsKey: IKey;
}

/**
 * Roles for people, each for those whom the settings name: to upload tables, to stop runs and go on with them, to read
 * what discloses, to approve a release, to read an approved one, and to purge a run. All may find the environment and watch its runs. Nobody else in the account
 * reads or puts anything, administrators included: see {@link bucketRefusals}. The log of requests is refused as well,
 * since it tells sizes.
 */
export class ReaderRoles extends Construct {
  readonly submitter: IRole;
  readonly operator: IRole;
  readonly confidentialReader: IRole;
  readonly releaseReader: IRole;
  readonly approver: IRole;
  readonly purger: IRole;
  /** All of them. */
  readonly all: readonly IRole[];

  constructor(scope: Construct, id: string, props: ReaderRolesProps) {
    super(scope, id);
    const { accessLog, assessBatch, bucket, endpointId, key, planning, settings, steps, workflow } = props;
    const { objectLock } = settings;
    const locks = objectLock !== 'none';
    const rights = workflowRights(this, workflow);
    const logged = accessLog.arnForObjects('*');
    const verify = new PolicyStatement({ sid: 'Verify', actions: ['kms:GetPublicKey'], resources: [props.signingKey.keyArn] });
    const person = (
      name: PersonRole,
      description: string,
      {
        read,
        write = [],
        listed = LISTED_PREFIXES,
        others = [],
        wildcards = {},
      }: {
        read: readonly string[];
        write?: readonly string[];
        /** Null for everything. */
        listed?: readonly string[] | null;
        others?: readonly PolicyStatement[];
        wildcards?: Readonly<Record<string, string>>;
      },
    ) => {
      const objects = (patterns: readonly string[]) => patterns.map((pattern) => bucket.arnForObjects(pattern));
      const statements = [
        new PolicyStatement({ sid: 'Read', actions: ['s3:GetObject'], resources: objects(read) }),
        new PolicyStatement({
          sid: 'List',
          actions: ['s3:ListBucket'],
          resources: [bucket.bucketArn],
          ...(listed === null ? {} : { conditions: { StringLike: { 's3:prefix': listed } } }),
        }),
        new PolicyStatement({ sid: 'Decrypt', actions: ['kms:Decrypt'], resources: [key.keyArn] }),
        new PolicyStatement({
          sid: 'Find',
          // Without the second the answer has no tags, and so no sizes.
          actions: ['lambda:GetFunction', 'lambda:ListTags'],
          resources: [assessBatch.functionArn],
        }),
        ...rights.watch,
        ...others,
        ...onlyFromSources(settings),
      ];
      if (write.length > 0) {
        statements.push(
          new PolicyStatement({ sid: 'Write', actions: ['s3:PutObject'], resources: objects(write) }),
          new PolicyStatement({ sid: 'Encrypt', actions: ['kms:GenerateDataKey'], resources: [key.keyArn] }),
        );
      }
      const refused = requestRefusals({ bucket, key }, { puts: write.length > 0, links: true });
      return scopedRole(this, name, {
        principal: new PeopleTrust(settings, name),
        description,
        statements: [...statements, ...refused.statements],
        wildcards: {
          ...refused.wildcards,
          ...Object.fromEntries(
            objects([...read, ...write]).map((resource) => [
              resource,
              'Objects of this kind, of any run or upload: it is what the role is for.',
            ]),
          ),
          ...rights.wildcards,
          ...wildcards,
        },
      });
    };
    this.submitter = person('Submitter', 'Uploads tables, and reads what became of them', { read: STATUS_KEYS, write: INCOMING_KEYS });
    this.operator = person('Operator', 'Stops runs, and goes on with them', {
      read: STATUS_KEYS,
      write: STATE_KEYS,
      others: [...rights.operate, new PolicyStatement({ sid: 'Quotas', actions: ['lambda:GetAccountSettings'], resources: ['*'] })],
      wildcards: { '*': 'The quotas of the account, which are a right on no resource.' },
    });
    this.confidentialReader = person('ConfidentialReader', 'Reads results that disclose', {
      read: [...RESULT_KEYS, ...RELEASE_KEYS, ...STATUS_KEYS],
      listed: null,
      others: [
        new PolicyStatement({ sid: 'AskForRecords', actions: ['lambda:InvokeFunction'], resources: [assessBatch.functionArn] }),
        verify,
        new PolicyStatement({ sid: 'ReadLog', actions: ['s3:GetObject'], resources: [logged] }),
        // Events have the sizes of tables, which no other role hears of.
        new PolicyStatement({
          sid: 'Redrive',
          actions: ['sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage'],
          resources: [props.undelivered.queueArn],
        }),
        new PolicyStatement({
          sid: 'DecryptUndelivered',
          actions: ['kms:Decrypt'],
          resources: [props.operationsKey.keyArn],
          // Not the logs, which the same key encrypts.
          conditions: { StringEquals: { 'kms:ViaService': `sqs.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
        }),
        new PolicyStatement({ sid: 'Start', actions: ['states:StartExecution'], resources: [workflow.stateMachineArn] }),
        new PolicyStatement({ sid: 'ListLog', actions: ['s3:ListBucket'], resources: [accessLog.bucketArn] }),
      ],
      wildcards: { [logged]: 'The log of requests, of any day.' },
    });
    this.releaseReader = person('ReleaseReader', 'Reads approved synthetic datasets, and how runs are doing', {
      read: [...RELEASE_KEYS, ...STATUS_KEYS],
      write: FETCHED_KEYS,
      others: [verify],
    });
    const released = RELEASE_KEYS.map((pattern) => bucket.arnForObjects(pattern));
    this.approver = person('Approver', 'Approves releases, and withdraws that', {
      read: [...RELEASE_KEYS, ...JUDGED_KEYS, ...STATUS_KEYS],
      write: DECISION_KEYS,
      listed: [...LISTED_PREFIXES, ...JUDGED_PREFIXES],
      others: [verify, new PolicyStatement({ sid: 'Open', actions: ['s3:PutObjectTagging'], resources: released })],
    });
    const purged = PURGED_KEYS.map((pattern) => bucket.arnForObjects(pattern));
    this.purger = person('Purger', 'Deletes runs with the tables that were uploaded for them', {
      read: STATUS_KEYS,
      others: [
        new PolicyStatement({
          sid: 'ListVersions',
          actions: ['s3:ListBucketVersions'],
          resources: [bucket.bucketArn],
          conditions: { StringLike: { 's3:prefix': PURGED_KEYS } },
        }),
        new PolicyStatement({
          sid: 'Purge',
          actions: [
            's3:DeleteObjectVersion',
            ...(locks ? ['s3:GetObjectRetention'] : []),
            ...(objectLock === 'governance' ? ['s3:BypassGovernanceRetention'] : []),
          ],
          resources: purged,
        }),
      ],
      wildcards: Object.fromEntries(purged.map((resource) => [resource, 'All of a run, and of an upload: nothing is to be left of it.'])),
    });
    this.all = [this.submitter, this.operator, this.confidentialReader, this.releaseReader, this.approver, this.purger];
    for (const statement of bucketRefusals(bucket, {
      steps,
      planning,
      writers: [
        { role: this.submitter, write: INCOMING_KEYS },
        { role: this.operator, write: STATE_KEYS },
        { role: this.releaseReader, write: FETCHED_KEYS },
      ],
      approver: this.approver,
      purger: this.purger,
      locks,
      confidentialReader: this.confidentialReader,
      releaseReader: this.releaseReader,
      endpointId,
    })) {
      bucket.addToResourcePolicy(statement);
    }
    accessLog.addToResourcePolicy(
      refusal('OnlyTheReader', { actions: READING, resources: [logged] }, { allBut: [this.confidentialReader] }),
    );
  }
}

/** All ways to the content of an object, its digests or its size. */
const READING = [
  's3:GetObject',
  's3:GetObjectVersion',
  's3:GetObjectAttributes',
  's3:GetObjectVersionAttributes',
  's3:GetObjectVersionForReplication',
  's3:GetObjectTorrent',
  's3:GetObjectVersionTorrent',
  's3:ListMultipartUploadParts',
];

/** Rights on the executions of the workflow: to watch them, and to stop and start them. */
function workflowRights(scope: Construct, { stateMachineArn, stateMachineName }: StateMachine) {
  const ofWorkflow = (resource: string, resourceName: string) =>
    Stack.of(scope).formatArn({ service: 'states', resource, resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  const executions = ofWorkflow('execution', `${stateMachineName}:*`);
  const maps = ofWorkflow('mapRun', `${stateMachineName}/*`);
  const reason = 'Executions of this workflow and runs of its map, whose names Step Functions makes up.';
  return {
    watch: [
      new PolicyStatement({ sid: 'Watch', actions: ['states:DescribeExecution', 'states:ListMapRuns'], resources: [executions] }),
      new PolicyStatement({ sid: 'WatchMap', actions: ['states:DescribeMapRun'], resources: [maps] }),
    ],
    operate: [
      new PolicyStatement({ sid: 'Stop', actions: ['states:StopExecution', 'states:RedriveExecution'], resources: [executions] }),
      new PolicyStatement({
        sid: 'Start',
        actions: ['states:StartExecution', 'states:DescribeStateMachine', 'states:ListExecutions'],
        resources: [stateMachineArn],
      }),
    ],
    wildcards: { [executions]: reason, [maps]: reason },
  };
}
