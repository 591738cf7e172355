import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { runKeys } from '../../shared/contracts/keys.ts';

/** The steps that reach the bucket, each with a role of its own. */
export type StepName =
  | 'plan-run'
  | 'fit-model'
  | 'assess-batch'
  | 'aggregate-run'
  | 'report-run'
  | 'record-failure';

/** Patterns of keys that a step reads and writes; a star stands for any characters. */
export interface StepAccess {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

const run = runKeys('*');
const table = `${run.root}table/*`;
const draws = `${run.root}draws/*`;
const synthesis = `${run.root}synthesis/*`;
const parts = `${run.root}parts/*`;
const rounds = `${run.root}rounds/*`;
const diagnostics = `${run.root}diagnostics/*`;
/** The tasks of a round, over which the workflow maps. */
const tasks = `${run.root}tasks/*`;
/** Which execution carries a run out. */
const lock = `${run.root}lock.json`;
const release = `${run.release.root}*`;
const confidential = `${run.confidential.root}*`;

/** What only a run under way needs: the store tags these objects, and they expire. */
const INTERMEDIATE_KEYS: readonly string[] = [draws, synthesis, parts];

/** Where tables arrive, each with its config and what became of it. */
const incoming = 'incoming/*';

/** What is uploaded: a table, and before it its config. */
export const INCOMING_KEYS = ['table.csv', 'table.parquet', 'run.yaml'].map((name) => `${incoming}/${name}`);

/** What comes of a run and discloses. */
export const RESULT_KEYS: readonly string[] = [confidential, diagnostics];

/** What a person may take out of the agency once it is decided. */
export const RELEASE_KEYS: readonly string[] = [release];

/** What became of an upload: the run's id, or why there is none. */
const outcome = `${incoming}/outcome.json`;

/** What says how uploads and runs are doing; no figure in it is of a record. */
export const STATUS_KEYS: readonly string[] = [outcome, run.run, run.plan, run.manifest, rounds];

/** What the workflow reads itself. */
export const TASK_KEYS = tasks;

/** All that does not disclose. Whatever is not listed here is taken to. */
export const OPEN_KEYS: readonly string[] = [...RELEASE_KEYS, ...STATUS_KEYS, tasks, lock];

/** Least privilege by prefix: what each step reads and writes, and nothing else. */
export const STEP_ACCESS: Readonly<Record<StepName, StepAccess>> = {
  'plan-run': {
    read: [incoming, run.plan, run.run, lock, rounds, table],
    write: [outcome, run.plan, run.run, lock, rounds, table, tasks],
  },
  'fit-model': {
    read: [run.plan, run.run, rounds, table, draws, synthesis, release],
    write: [run.run, draws, synthesis, release],
  },
  'assess-batch': { read: [run.plan, rounds, table, draws, synthesis, parts], write: [parts] },
  'aggregate-run': {
    read: [run.plan, run.run, rounds, table, draws, synthesis, parts, diagnostics, confidential],
    write: [run.run, rounds, tasks, diagnostics, confidential],
  },
  // The manifest holds the checksum of every artifact, so that its writer reads them all.
  'report-run': { read: [`${run.root}*`], write: [confidential, run.manifest, run.run] },
  'record-failure': { read: [run.run], write: [run.run] },
};

/**
 * The statements that let a step at its keys, and the wildcards in them with their reasons, by cdk-nag's name.
 *
 * Listing is allowed for the whole bucket when a request names no prefix: S3 answers a question for a missing object
 * with 404 only to those who may list, and such a question names none. Keys hold run ids and numbers, never a value.
 */
export function accessStatements(
  step: StepName,
  bucket: IBucket,
  key: IKey,
): {
  statements: PolicyStatement[];
  wildcards: Record<string, string>;
} {
  const { read, write } = STEP_ACCESS[step];
  const objects = (patterns: readonly string[]) => patterns.map((pattern) => bucket.arnForObjects(pattern));
  const tagged = write.filter((pattern) => INTERMEDIATE_KEYS.includes(pattern));
  const statements = [
    new PolicyStatement({ sid: 'Read', actions: ['s3:GetObject'], resources: objects(read) }),
    new PolicyStatement({ sid: 'Write', actions: ['s3:PutObject'], resources: objects(write) }),
    new PolicyStatement({
      sid: 'List',
      actions: ['s3:ListBucket'],
      resources: [bucket.bucketArn],
      conditions: { StringLikeIfExists: { 's3:prefix': [`${run.root}*`, incoming] } },
    }),
    new PolicyStatement({
      sid: 'Decrypt',
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
    }),
  ];
  if (tagged.length > 0) {
    statements.push(
      new PolicyStatement({ sid: 'Tag', actions: ['s3:PutObjectTagging'], resources: objects(tagged) }),
    );
  }
  const wildcards = Object.fromEntries(
    objects([...read, ...write]).map((resource) => [
      resource,
      'Objects of this kind, of any run or upload: one function serves them all.',
    ]),
  );
  return { statements, wildcards };
}
