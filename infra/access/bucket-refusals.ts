import {
  AnyPrincipal,
  Effect,
  type IRole,
  PolicyStatement,
  type PolicyStatementProps,
} from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { LISTED_PREFIXES, OPEN_KEYS, PLACE_KEYS, RELEASE_KEYS } from './step-access.ts';

/** Who may put which objects. */
export interface Writer {
  readonly role: IRole;
  /** Patterns of keys. */
  readonly write: readonly string[];
}

/** A step of the workflow as the bucket knows it. */
export interface StepPrincipal extends Writer {
  /** The function that the step's credentials are of; none of the container task. */
  readonly fn?: IFunction;
}

/** Everybody whom the bucket lets at objects. */
export interface BucketPrincipals {
  readonly steps: readonly StepPrincipal[];
  /** The one of them that makes keys. */
  readonly planning: IRole;
  /** People who put objects. */
  readonly writers: readonly Writer[];
  readonly confidentialReader: IRole;
  readonly releaseReader: IRole;
  /** The gateway endpoint of S3 that the steps go through. */
  readonly endpointId: string;
}

/** The ways to an object that anything here takes. */
const OBJECT_WAYS = ['s3:GetObject', 's3:PutObject', 's3:PutObjectTagging'];

/** Those by which objects come to be, as short as the limit of a policy, 20 KiB, wants it. */
const PUTTING = ['s3:PutObject*'];

/**
 * What is asked of the bucket itself: lists, which have a refusal of their own, and what a deployment sets and reads. Not
 * among them: lists of versions and of unfinished uploads, and to have the bucket replicated, listed in inventories or
 * analysed, which hands bytes or names to elsewhere.
 */
const BUCKET_WAYS = [
  ...['s3:ListBucket', 's3:CreateBucket', 's3:DeleteBucket', 's3:DeleteBucketPolicy'],
  ...['s3:GetBucket*', 's3:PutBucket*', 's3:GetEncryptionConfiguration', 's3:PutEncryptionConfiguration'],
  ...['s3:GetLifecycleConfiguration', 's3:PutLifecycleConfiguration', 's3:GetAccelerateConfiguration'],
  ...['s3:GetReplicationConfiguration', 's3:GetInventoryConfiguration', 's3:GetAnalyticsConfiguration'],
  ...['s3:GetMetricsConfiguration', 's3:GetIntelligentTieringConfiguration'],
  ...['s3:ListTagsForResource', 's3:TagResource', 's3:UntagResource'],
];

/**
 * What the bucket refuses, whatever a principal's own policies say. Refused is all but what is named here: ways to objects,
 * who reads which, who lists what, and who puts which. Steps are bound to the network (requests that do not come through its
 * endpoint are none of theirs), and each function's role to that function: in another's hands it opens nothing.
 */
export function bucketRefusals(bucket: IBucket, principals: BucketPrincipals): PolicyStatement[] {
  const { confidentialReader, endpointId, planning, releaseReader, steps, writers } = principals;
  const objects = (patterns: readonly string[]) => patterns.map((pattern) => bucket.arnForObjects(pattern));
  const everyObject = bucket.arnForObjects('*');
  const everything = [bucket.bucketArn, everyObject];
  const stepRoles = steps.map(({ role }) => role);
  const readers = [...stepRoles, confidentialReader];
  const putting: readonly Writer[] = [...steps, ...writers];
  return [
    refusal('OnlyKnownWaysToObjects', { notActions: OBJECT_WAYS, resources: [everyObject] }),
    refusal('OnlyKnownWaysToTheBucket', { notActions: BUCKET_WAYS, resources: [bucket.bucketArn] }),
    refusal(
      'OnlyItsReaders',
      { actions: ['s3:GetObject'], notResources: objects(OPEN_KEYS) },
      { allBut: readers },
    ),
    refusal(
      'OnlyReadersOfReleases',
      { actions: ['s3:GetObject'], resources: objects(RELEASE_KEYS) },
      { allBut: [...readers, releaseReader] },
    ),
    refusal(
      'OnlyPlanningReadsThePlaceKey',
      { actions: ['s3:GetObject'], resources: objects(PLACE_KEYS) },
      { allBut: [planning] },
    ),
    refusal(
      'OnlyItsReadersList',
      {
        actions: ['s3:ListBucket'],
        resources: [bucket.bucketArn],
        // True of a request that names no prefix as well.
        conditions: { StringNotLike: { 's3:prefix': LISTED_PREFIXES } },
      },
      { allBut: readers },
    ),
    refusal(
      'OnlyItsWriters',
      { actions: PUTTING, resources: [everyObject] },
      { allBut: putting.map(({ role }) => role) },
    ),
    ...putting.map(({ role, write }, place) =>
      refusal(`Writes${place + 1}`, { actions: PUTTING, notResources: objects(write) }, { of: [role] }),
    ),
    refusal(
      'OnlyThroughTheEndpoint',
      {
        actions: ['s3:*'],
        resources: everything,
        conditions: { StringNotEquals: { 'aws:SourceVpce': endpointId } },
      },
      { of: stepRoles },
    ),
    ...steps.flatMap(({ fn, role }, place) =>
      fn === undefined
        ? []
        : refusal(
            `ItsFunction${place + 1}`,
            {
              actions: ['s3:*Object'],
              resources: [everyObject],
              conditions: {
                // Published versions of it say so by a suffix, or not.
                ArnNotLike: { 'lambda:SourceFunctionArn': [own(fn), `${own(fn)}:*`] },
              },
            },
            { of: [role] },
          ),
    ),
  ];
}

/** A function by its ARN, as short as can be: a role and what takes it are of one account. */
const own = (fn: IFunction) => `arn:*:lambda:*:*:function:${fn.functionName}`;

/** Refuses something to every principal but some roles, or to some roles. */
export function refusal(
  sid: string,
  statement: Pick<
    PolicyStatementProps,
    'actions' | 'notActions' | 'resources' | 'notResources' | 'conditions'
  >,
  whom: { readonly allBut: readonly IRole[] } | { readonly of: readonly IRole[] } | null = null,
): PolicyStatement {
  const arns = (roles: readonly IRole[]) => ({ 'aws:PrincipalArn': roles.map((role) => role.roleArn) });
  return new PolicyStatement({
    sid,
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    ...statement,
    conditions: {
      ...statement.conditions,
      ...(whom === null
        ? {}
        : 'of' in whom
          ? { ArnEquals: arns(whom.of) }
          : { ArnNotEquals: arns(whom.allBut) }),
    },
  });
}
