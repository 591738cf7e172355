import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { isResult, PLACE_KEY, runKeys, tagOf, uploadFileKeys, uploadKeys } from '../../shared/contracts/keys.ts';
import { RUN_ID_DIGITS } from '../../shared/contracts/run/run-id.ts';
import type { StepName } from '../../shared/contracts/run/usage.ts';
import { requestRefusals } from './request-refusals.ts';

/** Patterns of keys that a step reads and writes: a star stands for any characters, a question mark for one. */
export interface StepAccess {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Read by their versions: what is asked for although something else may have taken its place. */
  readonly versions?: readonly string[];
}

/**
 * Any run. A star would stand for slashes too, so that the pattern of the open `plan.json` of a run let through the one
 * among its confidential files.
 */
const run = runKeys('?'.repeat(RUN_ID_DIGITS));
/** Everything below a folder. */
const below = (folder: string) => `${folder}*`;
const table = below(run.table.root);
const draws = below(run.allDraws);
const synthesis = below(run.synthesis);
const trees = below(run.allTrees);
const parts = below(run.parts);
const rounds = below(run.rounds);
/** The tasks of a round, over which the workflow maps, and the notes on batches that failed. */
const tasks = below(run.tasks.root);
const failures = below(run.tasks.failures);
/** What steps note that they have used. */
const used = below(run.tasks.allUsed);
/** The datasets, and no word on whether they may be released. */
const release = `${run.release.root}synthetic-*.csv`;
/** What opens the random streams of a run. */
const { releaseKey } = run.confidential;
const confidential = below(run.confidential.root);
/** All that stands there but the release key, which has no extension: the plan and what discloses. */
const results = `${run.confidential.root}*.*`;
/** The plan, and what the run was expected to take. */
const plans = `${run.confidential.root}plan*.json`;
/** What was found of utility, and what it is written from. */
const utility = `${run.confidential.root}utility*.json`;

/** Tables that disclose, and what was found: not the plan, which stands among them. */
const tables = [
  ...['csv', 'parquet'].map((extension) => `${run.confidential.root}*.${extension}`),
  ...[run.confidential.summary, utility, run.confidential.inherent],
];

const upload = uploadKeys('incoming/*/table.csv')!;
/** Tables that are uploaded. */
const UPLOADED_TABLES: readonly string[] = [upload.table, uploadKeys('incoming/*/table.parquet')!.table];
const files = uploadFileKeys(upload);
/** Candidate tables of single combinations. */
const records = below(run.confidential.records);

/** Where tables arrive, each with its config and what became of it. */
const incoming = 'incoming/*';

/** What is uploaded: a table, and before it its config and the files that this names. */
export const INCOMING_KEYS: readonly string[] = [
  ...UPLOADED_TABLES,
  upload.config,
  upload.releaseKey,
  upload.budget,
  ...[files.structuralZeros, files.control, files.prior('*'), files.known('*')],
];

/** What comes of a run and discloses. */
export const RESULT_KEYS: readonly string[] = [confidential, run.chains];

/** What a person may take out of the agency once it is decided: the datasets, and the manifest that is of them alone. */
export const RELEASE_KEYS: readonly string[] = [release, `${run.root}manifest.*`];

/** Notes of those who fetched a release. */
export const FETCHED_KEYS: readonly string[] = [below(run.tasks.allFetched)];

/** What is written of a decision on a release, by nobody but who approves. */
export const DECISION_KEYS: readonly string[] = [run.release.approval, below(run.confidential.decisions)];

/** What is put once and never put over: what was decided, who fetched it, and the key of a run, so that all steps have one. */
export const WRITTEN_ONCE: readonly string[] = [below(run.confidential.decisions), ...FETCHED_KEYS, releaseKey];

/** What of a run that discloses is read by who approves its release: by which verdict, and of which results. */
export const JUDGED_KEYS: readonly string[] = [
  ...[run.confidential.summary, `${run.confidential.root}manifest.*`],
  below(run.confidential.decisions),
];

/** Everything of runs and uploads, which is what can be purged: not the key of the place. */
export const PURGED_KEYS: readonly string[] = [below(run.root), incoming];

/** What says how uploads and runs are doing; docs/explanation/threat-model.md lists what each tells. */
export const STATUS_KEYS: readonly string[] = [upload.outcome, ...[run.run, run.openPlan, run.lock, tasks, run.release.approval]];

/** What says that a run was stopped. */
export const STATE_KEYS: readonly string[] = [run.run];

/** What the workflow reads itself. */
export const TASK_KEYS = tasks;

/** All that does not disclose. Whatever is not listed here is taken to. */
export const OPEN_KEYS: readonly string[] = [...RELEASE_KEYS, ...STATUS_KEYS];

/**
 * Prefixes that may be listed: of what is open, and of a signature and two objects of an upload that are as long for every
 * table. A list
 * of anything else tells sizes: those of arrays say how many combinations there are, that of a table how long the values
 * are of a record that alone is unknown.
 */
export const LISTED_PREFIXES: readonly string[] = [...STATUS_KEYS, run.signature, upload.releaseKey, upload.budget];

/** What who approves lists beside: the files of a release, to shut the gate on all of them, and what was decided. */
export const JUDGED_PREFIXES: readonly string[] = [
  ...[below(run.release.root), below(run.confidential.decisions), run.confidential.signature],
];

/** The key under which run ids are formed. */
export const PLACE_KEYS: readonly string[] = [PLACE_KEY];

/** Least privilege by prefix: what each step reads and writes, and nothing else. */
export const STEP_ACCESS: Readonly<Record<StepName, StepAccess>> = {
  'plan-run': {
    read: [incoming, PLACE_KEY, releaseKey, run.plan, run.run, run.lock, rounds, table],
    write: [...[upload.outcome, PLACE_KEY, releaseKey, plans, run.openPlan], ...[run.run, run.lock, table, tasks]],
    versions: UPLOADED_TABLES,
  },
  'check-budget': { read: [run.plan, run.run, run.lock, rounds, table, tasks, used], write: [run.run, used] },
  'fit-model': {
    read: [run.plan, releaseKey, run.run, run.lock, rounds, table, draws, trees, synthesis, release],
    write: [run.run, run.tasks.progress, draws, trees, synthesis, release, used],
  },
  'assess-batch': {
    read: [run.plan, releaseKey, run.lock, rounds, table, draws, synthesis, parts],
    write: [parts, failures, records, used],
  },
  'aggregate-run': {
    read: [run.plan, releaseKey, run.run, run.lock, rounds, table, draws, synthesis, parts, failures, used, utility],
    write: [run.run, rounds, tasks, run.chains, ...tables],
  },
  // The manifest holds the digest of every artifact but the keys, so that its writer reads all of these.
  'report-run': {
    read: [...[run.run, run.lock, run.openPlan, run.chains, table, draws, trees, synthesis, parts, rounds], ...[release, results, used]],
    write: [
      ...[run.confidential.report, run.confidential.manifest, run.confidential.signature],
      ...[`${run.root}manifest.*`, run.run, used],
    ],
  },
  // Whether a batch that failed has been assessed since is told by its part.
  'record-failure': { read: [upload.outcome, run.run, run.lock, failures, parts, used], write: [upload.outcome, run.run, used] },
};

/** The same of the container task that puts results together: what two functions do of it, but for what is signed. */
export const CLOSING_ACCESS: StepAccess = {
  read: [...new Set([...STEP_ACCESS['aggregate-run'].read, ...STEP_ACCESS['report-run'].read])],
  write: [...STEP_ACCESS['aggregate-run'].write, run.confidential.report, run.confidential.manifest],
};

/**
 * What the bucket lets those put that close a run, the task and both functions: its policy has no room for a list of each, so that which
 * of it is whose stands in their own policies alone.
 */
export const CLOSING_PUTS: readonly string[] = [
  ...STEP_ACCESS['aggregate-run'].write,
  ...[run.confidential.report, `${run.confidential.root}manifest.*`, `${run.root}manifest.*`],
];

/**
 * The statements that let a step at its keys, and the wildcards in them with their reasons, by cdk-nag's name.
 *
 * @param locks whether results are locked as they are written
 *
 * Listing is allowed for the whole bucket when a request names no prefix: S3 answers a question for a missing object
 * with 404 only to those who may list, and such a question names none. The steps alone may: see {@link LISTED_PREFIXES}.
 */
export function accessStatements(
  { read, versions = [], write }: StepAccess,
  { bucket, key, locks }: { readonly bucket: IBucket; readonly key: IKey; readonly locks: boolean },
): { statements: PolicyStatement[]; wildcards: Record<string, string> } {
  const objects = (patterns: readonly string[]) => patterns.map((pattern) => bucket.arnForObjects(pattern));
  const tagged = write.filter((pattern) => tagOf(pattern) !== null);
  const locked = locks ? write.filter(isResult) : [];
  const statements = [
    new PolicyStatement({ sid: 'Read', actions: ['s3:GetObject'], resources: objects(read) }),
    new PolicyStatement({ sid: 'Write', actions: ['s3:PutObject'], resources: objects(write) }),
    new PolicyStatement({
      sid: 'List',
      actions: ['s3:ListBucket'],
      resources: [bucket.bucketArn],
      conditions: { StringLikeIfExists: { 's3:prefix': [below(run.root), incoming] } },
    }),
    new PolicyStatement({ sid: 'Decrypt', actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [key.keyArn] }),
  ];
  if (versions.length > 0) {
    statements.push(new PolicyStatement({ sid: 'ReadVersion', actions: ['s3:GetObjectVersion'], resources: objects(versions) }));
  }
  if (tagged.length > 0) {
    statements.push(new PolicyStatement({ sid: 'Tag', actions: ['s3:PutObjectTagging'], resources: objects(tagged) }));
  }
  if (locked.length > 0) {
    statements.push(new PolicyStatement({ sid: 'Lock', actions: ['s3:PutObjectRetention'], resources: objects(locked) }));
  }
  const wildcards = Object.fromEntries(
    objects([...read, ...versions, ...write]).map((resource) => [
      resource,
      'Objects of this kind, of any run or upload: one function serves them all.',
    ]),
  );
  const refused = requestRefusals({ bucket, key }, { puts: true, links: false });
  return { statements: [...statements, ...refused.statements], wildcards: { ...wildcards, ...refused.wildcards } };
}
