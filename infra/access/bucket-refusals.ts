import { Effect, type IRole, PolicyStatement, type PolicyStatementProps, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { APPROVED_TAG } from '../../shared/contracts/keys.ts';
import { sessionsOf } from './role-id.ts';
import {
  DECISION_KEYS,
  JUDGED_KEYS,
  JUDGED_PREFIXES,
  LISTED_PREFIXES,
  OPEN_KEYS,
  PLACE_KEYS,
  PURGED_KEYS,
  RELEASE_KEYS,
  WRITTEN_ONCE,
} from './step-access.ts';

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
  /** Who alone lets readers of releases at datasets. */
  readonly approver: IRole;
  /** Who alone deletes. */
  readonly purger: IRole;
  /** Whether results are locked. */
  readonly locks: boolean;
  /** The gateway endpoint of S3 that the steps go through. */
  readonly endpointId: string;
}

/** The ways to an object that anything here takes. */
const OBJECT_WAYS = ['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:PutObjectTagging'];

/** What of deleting is for one role alone: versions are listed, and deleted one by one. */
const PURGING = ['s3:ListBucketVersions', 's3:DeleteObjectVersion'];

/** The same of versions that are locked: until when, and the way past a lock in governance mode. */
const UNLOCKING = ['s3:GetObjectRetention', 's3:BypassGovernanceRetention'];

/** Those by which objects come to be, as short as the limit of a policy, 20 KiB, wants it. */
const PUTTING = ['s3:PutObject*'];

/**
 * What is asked of the bucket itself: lists, which have a refusal of their own, and what a deployment sets and reads. Not
 * among them: lists of versions and of unfinished uploads, and to have the bucket replicated, listed in inventories or
 * analysed, which hands bytes or names to elsewhere.
 */
const BUCKET_WAYS = [
  's3:ListBucket',
  's3:ListBucketVersions',
  's3:CreateBucket',
  's3:DeleteBucket',
  's3:DeleteBucketPolicy',
  's3:GetBucket*',
  's3:PutBucket*',
  's3:Get*Configuration',
  's3:PutEncryptionConfiguration',
  's3:PutLifecycleConfiguration',
  's3:ListTagsForResource',
  's3:TagResource',
  's3:UntagResource',
];

/**
 * What the bucket refuses, whatever a principal's own policies say. Refused is all but what is named here: ways to objects,
 * who reads which, who lists what, and who puts which. Steps are bound to the network (requests that do not come through its
 * endpoint are none of theirs), and the roles of functions to these functions: in the hands of another they open nothing.
 */
export function bucketRefusals(bucket: IBucket, principals: BucketPrincipals): PolicyStatement[] {
  const { approver, confidentialReader, endpointId, planning, purger, releaseReader, steps, writers: others } = principals;
  const objects = (patterns: readonly string[]) => patterns.map((pattern) => bucket.arnForObjects(pattern));
  const everyObject = bucket.arnForObjects('*');
  const everything = [bucket.bucketArn, everyObject];
  const functions = steps.flatMap(({ fn, role }) => (fn === undefined ? [] : { fn, role }));
  const stepRoles = steps.map(({ role }) => role);
  const readers = [...stepRoles, confidentialReader];
  const approving: Writer = { role: approver, write: [...DECISION_KEYS, ...RELEASE_KEYS] };
  const putting: readonly Writer[] = [...steps, ...others, approving];
  // Those that are given one list share a refusal.
  const alike = new Map<readonly string[], Writer[]>();
  for (const writer of putting) alike.set(writer.write, [...(alike.get(writer.write) ?? []), writer]);
  const purging = principals.locks ? [...PURGING, ...UNLOCKING] : PURGING;
  const locking = principals.locks ? ['s3:PutObjectRetention'] : [];
  return [
    refusal('WaysToObjects', {
      notActions: [...OBJECT_WAYS, ...locking, ...purging.filter((action) => !/List/.test(action))],
      resources: [everyObject],
    }),
    refusal('WaysToTheBucket', { notActions: BUCKET_WAYS, resources: [bucket.bucketArn] }),
    refusal('OnlyItsReaders', { actions: ['s3:GetObject'], notResources: objects([...OPEN_KEYS, ...JUDGED_KEYS]) }, { allBut: readers }),
    refusal('PlanningReadsVersions', { actions: ['s3:GetObjectVersion'], resources: [everyObject] }, { allBut: [planning] }),
    refusal('OnlyWhoJudges', { actions: ['s3:GetObject'], resources: objects(JUDGED_KEYS) }, { allBut: [...readers, approver] }),
    refusal(
      'OnlyReadersOfReleases',
      { actions: ['s3:GetObject'], resources: objects(RELEASE_KEYS) },
      { allBut: [...readers, approver, releaseReader] },
    ),
    refusal(
      'OnlyWhatIsApproved',
      {
        actions: ['s3:GetObject'],
        resources: objects(RELEASE_KEYS),
        // True of an object without the tag as well.
        conditions: { StringNotEquals: { [`s3:ExistingObjectTag/${APPROVED_TAG.key}`]: APPROVED_TAG.value } },
      },
      { of: [releaseReader] },
    ),
    refusal('OnlyApproverOpens', { actions: ['s3:PutObjectTagging'], resources: objects(RELEASE_KEYS) }, { allBut: [approver] }),
    refusal('ApproverPutsDecisions', { actions: ['s3:PutObject'], notResources: objects(DECISION_KEYS) }, { of: [approver] }),
    refusal('OnlyPurgerDeletes', { actions: purging, resources: everything }, { allBut: [purger] }),
    refusal('PurgerDeletesRuns', { actions: ['s3:DeleteObjectVersion'], notResources: objects(PURGED_KEYS) }, { of: [purger] }),
    refusal('PlanningReadsThePlaceKey', { actions: ['s3:GetObject'], resources: objects(PLACE_KEYS) }, { allBut: [planning] }),
    refusal(
      'OnlyItsReadersList',
      {
        actions: ['s3:ListBucket'],
        resources: [bucket.bucketArn],
        // True of a request that names no prefix as well.
        conditions: { StringNotLike: { 's3:prefix': LISTED_PREFIXES } },
      },
      { allBut: [...readers, approver] },
    ),
    refusal(
      'ApproverLists',
      {
        actions: ['s3:ListBucket'],
        resources: [bucket.bucketArn],
        conditions: { StringNotLike: { 's3:prefix': [...LISTED_PREFIXES, ...JUDGED_PREFIXES] } },
      },
      { of: [approver] },
    ),
    refusal('OnlyItsWriters', { actions: PUTTING, resources: [everyObject] }, { allBut: putting.map(({ role }) => role) }),
    refusal('WrittenOnce', {
      actions: ['s3:PutObject'],
      resources: objects(WRITTEN_ONCE),
      // A put that does not ask that nothing be there.
      conditions: { Null: { 's3:if-none-match': 'true' } },
    }),
    ...[...alike.values()].map((writers, place) =>
      refusal(`Puts${place + 1}`, { actions: PUTTING, notResources: objects(writers[0]!.write) }, { of: writers.map(({ role }) => role) }),
    ),
    refusal(
      'OnlyThroughTheEndpoint',
      { actions: ['s3:*'], resources: everything, conditions: { StringNotEquals: { 'aws:SourceVpce': endpointId } } },
      { of: stepRoles },
    ),
    refusal(
      'InTheFunctions',
      {
        actions: ['s3:*Object*'],
        resources: [everyObject],
        conditions: {
          // Published versions of them say so by a suffix, or not.
          ArnNotLike: { 'lambda:SourceFunctionArn': functions.flatMap(({ fn }) => [own(fn), `${own(fn)}:*`]) },
        },
      },
      { of: functions.map(({ role }) => role) },
    ),
  ];
}

/** A function by its ARN, as short as can be: a role and what takes it are of one account. */
const own = (fn: IFunction) => `arn:*:lambda:*:*:function:${fn.functionName}`;

/** Refuses something to every principal but some roles, or to some roles. */
export function refusal(
  sid: string,
  statement: Pick<PolicyStatementProps, 'actions' | 'notActions' | 'resources' | 'notResources' | 'conditions'>,
  whom: { readonly allBut: readonly IRole[] } | { readonly of: readonly IRole[] } | null = null,
): PolicyStatement {
  const sessions = (roles: readonly IRole[]) => ({ 'aws:userid': roles.map(sessionsOf) });
  return new PolicyStatement({
    sid,
    effect: Effect.DENY,
    // Shorter than `{AWS: '*'}`, and the same.
    principals: [new StarPrincipal()],
    ...statement,
    conditions: {
      ...statement.conditions,
      ...(whom === null
        ? {}
        : 'of' in whom
          ? { StringLike: sessions(whom.of) }
          : { StringNotLike: { ...statement.conditions?.StringNotLike, ...sessions(whom.allBut) } }),
    },
  });
}
