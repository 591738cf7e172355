import { afterEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { handler as assessBatch } from '../../functions/assess-batch/handler.ts';
import { OPEN_KEYS, STEP_ACCESS } from '../../infra/constructs/step-access.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { StepName } from '../../shared/contracts/usage.ts';
import { BUCKET, environmentSize, fakeBucket } from '../functions/fake-bucket.ts';
import { type AsStep, runWorkflow, uploadEvent } from '../functions/run-workflow.ts';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import type { SeenRequest } from '../store/fake-s3.ts';
import { flatten, ofType, several, synthesize } from './synthesize.ts';

/** Whether a pattern of IAM, in which a star stands for any characters, lets a key through. */
function matches(pattern: string, key: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(key);
}

const bucket = fakeBucket({ ENVIRONMENT_SIZE: environmentSize({ batchSize: 20 }) });
const emulated = synthesize({ engine: 'lambda' });

/** What the template lets a step do, by action: patterns of keys, and of the prefixes of a list. */
function rightsOf(step: StepName): Record<string, string[]> {
  const name = step.replace(/(^|-)(.)/g, (_match, _dash, letter: string) => letter.toUpperCase());
  const [, policy] = ofType(emulated, 'AWS::IAM::ManagedPolicy').find(([id]) => id.includes(name))!;
  const rights: Record<string, string[]> = {};
  for (const { Action, Condition, Resource } of policy.Properties.PolicyDocument.Statement) {
    const keys = several(Resource).map((resource) => flatten(resource).replace(/^<[^>]+>\/?/, ''));
    const prefixes = Condition?.StringLikeIfExists?.['s3:prefix'];
    for (const action of several<string>(Action)) {
      rights[action] = [...(rights[action] ?? []), ...(prefixes ?? keys)];
    }
  }
  return rights;
}

/** The actions that S3 asks the rights for, each with the key or prefix that it is about. */
function actionsOf({ method, key, prefix, headers }: SeenRequest): [action: string, key: string][] {
  if (prefix !== null) return [['s3:ListBucket', prefix]];
  if (method !== 'PUT') return [['s3:GetObject', key]];
  const put: [string, string] = ['s3:PutObject', key];
  return headers['x-amz-tagging'] === undefined ? [put] : [put, ['s3:PutObjectTagging', key]];
}

/** What steps did without the right to it. The workflow takes what a step throws for its end, hence a list. */
const refused: string[] = [];

/** Does the work of a step, and notes what its role has no right to. */
const asRole: AsStep = async (step, work) => {
  bucket.s3.requests.length = 0;
  try {
    return await work();
  } finally {
    const rights = rightsOf(step);
    for (const [action, key] of bucket.s3.requests.flatMap(actionsOf)) {
      if (!rights[action]?.some((pattern) => matches(pattern, key))) refused.push(`${step} ${action} ${key}`);
    }
  }
};

afterEach(() => expect(refused.splice(0)).toEqual([]));

async function upload(name: string, table: Uint8Array, settings: object): Promise<object> {
  await bucket.store.put(`incoming/${name}/run.yaml`, Buffer.from(stringify(settings)));
  await bucket.store.put(`incoming/${name}/table.csv`, table);
  return uploadEvent(BUCKET, `incoming/${name}/table.csv`);
}

describe('the role of each step', () => {
  const mcmc = { ...SMALL_SETTINGS.mcmc, reproducibility: 0.999, maxChains: 12 };
  it.each([
    ['in several rounds', { ...SMALL_SETTINGS, mcmc }],
    ['by importance', { ...SMALL_SETTINGS, attributeRisk: { estimator: 'importance' } }],
  ])('lets it at what it needs for a run %s', async (name, settings) => {
    const event = await upload(name.replaceAll(' ', '-'), smallTable({ seed: 18 }), settings);
    const { outcome, runId } = await runWorkflow(bucket.store, name, event, asRole);
    expect(outcome).toBe('planned');
    expect(await bucket.store.head(runKeys(runId!).manifest)).not.toBeNull();
    expect(await runWorkflow(bucket.store, 'again', event, asRole)).toEqual({ outcome: 'finished', runId });
  });

  it('lets a batch note why it failed, its error be found, and the run be resumed', async () => {
    const event = await upload('failing', smallTable(), SMALL_SETTINGS);
    let batches = 0;
    const failing: AsStep = (step, work) => {
      if (step === 'assess-batch' && ++batches === 2)
        bucket.s3.fail({ method: 'PUT', status: 403, code: 'AccessDenied' });
      return asRole(step, work);
    };
    const { failure, runId } = await runWorkflow(bucket.store, 'failing', event, failing);
    expect(failure).toMatchObject({ name: 'StorageError', code: 'AccessDenied' });
    const duplicate = await runWorkflow(bucket.store, 'later', event, asRole);
    expect(duplicate).toEqual({ outcome: 'duplicate', runId });
    const resumed = await runWorkflow(bucket.store, 'resumed', { runId, resume: true }, asRole);
    expect(resumed.outcome).toBe('planned');
  });

  it('lets the function that assesses batches make a candidate table, which is not open', async () => {
    const event = await upload('record', smallTable({ seed: 4 }), SMALL_SETTINGS);
    const { runId } = await runWorkflow(bucket.store, 'record', event, asRole);
    const task = { step: 'record', runId, combination: 1 };
    const { key } = (await asRole('assess-batch', () => assessBatch(task))) as { key: string };
    expect(await bucket.store.head(key)).not.toBeNull();
    expect(OPEN_KEYS.filter((pattern) => matches(pattern, key))).toEqual([]);
  });

  it('lets a table be refused', async () => {
    const event = await upload('ragged', Buffer.from('a,b\n1,2\n1\n'), {});
    const { failure } = await runWorkflow(bucket.store, 'ragged', event, asRole);
    expect(failure).toMatchObject({ name: 'InvalidTableError' });
  });
});

describe('STEP_ACCESS', () => {
  it('keeps the confidential from steps that do not make it, and the uploads from all but the first', () => {
    const root = runKeys('0').confidential.root;
    const touching = (key: string) =>
      Object.entries(STEP_ACCESS)
        .filter(([, { read, write }]) => [...read, ...write].some((pattern) => matches(pattern, key)))
        .map(([step]) => step);
    expect(touching(`${root}summary.json`)).toEqual(['aggregate-run', 'report-run']);
    expect(touching('incoming/a/table.csv')).toEqual(['plan-run']);
  });

  it('lets no step write a table, nor a release but the one that synthesizes', () => {
    const writers = (key: string) =>
      Object.entries(STEP_ACCESS)
        .filter(([, { write }]) => write.some((pattern) => matches(pattern, key)))
        .map(([step]) => step);
    expect(writers('incoming/a/table.csv')).toEqual([]);
    expect(writers(runKeys('0').release.dataset(1))).toEqual(['fit-model']);
  });
});

describe.each([
  ['in AWS', synthesize()],
  ['emulated', emulated],
])('roles %s', (place, environment) => {
  const policies = ofType(environment, 'AWS::IAM::ManagedPolicy');
  const statements = policies.flatMap(([id, { Properties }]) =>
    several(Properties.PolicyDocument.Statement).map((statement) => ({ id, ...statement })),
  );

  it('have policies of ours alone, none inline and none of AWS', () => {
    expect(ofType(environment, 'AWS::IAM::Policy')).toEqual([]);
    for (const [id, { Properties }] of ofType(environment, 'AWS::IAM::Role')) {
      expect(Properties, id).not.toHaveProperty('Policies');
      for (const policy of Properties.ManagedPolicyArns) expect(policy, id).toHaveProperty('Ref');
    }
  });

  it('allow no action by wildcard', () => {
    for (const { Action, id } of statements) {
      expect(
        several(Action).filter((action: string) => action.includes('*')),
        id,
      ).toEqual([]);
    }
  });

  it('reach every resource only where a service names none', () => {
    const everywhere = statements
      .filter(({ Resource }) => several(Resource).includes('*'))
      .flatMap(({ Action }) => several(Action).map((action: string) => action.split(':')[0]));
    expect([...new Set(everywhere)].sort()).toEqual(
      place === 'in AWS' ? ['cloudwatch', 'ec2', 'ecr', 'logs'] : ['ec2', 'logs'],
    );
  });

  it('use the key of the bucket only to read and write objects', () => {
    const actions = statements
      .filter(({ Resource }) => several(Resource).some((one) => /KeysData/.test(flatten(one))))
      .flatMap(({ Action }) => several(Action));
    expect([...new Set(actions)].sort()).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });

  it('learn that an object is absent rather than forbidden', () => {
    const lists = statements.filter(({ Action }) => several(Action).includes('s3:ListBucket'));
    expect(lists.length).toBeGreaterThan(5);
    for (const { Condition, id } of lists) {
      // A question for a missing object names no prefix: a condition on the prefix must let it through.
      if (Condition !== undefined) expect(Object.keys(Condition), id).toEqual(['StringLikeIfExists']);
    }
  });

  it('let nobody but the steps and its reader read what discloses', () => {
    const [, policy] = ofType(environment, 'AWS::S3::BucketPolicy').find(([id]) =>
      id.startsWith('RunsBucket'),
    )!;
    const deny = policy.Properties.PolicyDocument.Statement.find(
      ({ Sid }: { Sid?: string }) => Sid === 'OnlyItsReaders',
    );
    expect(deny).toMatchObject({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: ['s3:GetObject', 's3:GetObjectVersion'],
    });
    const open = deny.NotResource.map((resource: unknown) => flatten(resource).replace(/^<[^>]+>\//, ''));
    expect(open.sort()).toEqual([...OPEN_KEYS].sort());
    const { confidential, draws, dataset, part, table } = runKeys('0');
    const closed = [confidential.summary, draws('base/1'), dataset(1).counts, part(1, 1).columns];
    for (const key of [...closed, table.counts, 'incoming/a/table.csv', 'runs/0/later/folder.npy']) {
      expect(
        open.filter((pattern: string) => matches(pattern, key)),
        key,
      ).toEqual([]);
    }
    const excepted = deny.Condition.ArnNotEquals['aws:PrincipalArn'].map(flatten);
    expect(excepted.filter((arn: string) => /ConfidentialReader/.test(arn))).toHaveLength(1);
    expect(excepted.filter((arn: string) => /ReleaseReader|Submitter|Workflow/.test(arn))).toEqual([]);
    expect(excepted).toHaveLength(8);
  });

  it.each([
    ['the reader of the release', /ReleaseReader/, []],
    ['who uploads', /Submitter/, []],
    [
      'who operates',
      /Operator/,
      ['states:RedriveExecution', 'states:StartExecution', 'states:StopExecution'],
    ],
    ['the reader of the confidential', /ConfidentialReader/, ['lambda:InvokeFunction']],
  ])('let %s find the environment and watch its runs, and do what the role is for', (_who, role, others) => {
    const [id] = policies.find(([one]) => role.test(one))!;
    const actions = statements
      .filter((statement) => statement.id === id)
      .flatMap(({ Action }) => several(Action).filter((action: string) => /^(states|lambda):/.test(action)));
    const watching = ['states:DescribeExecution', 'states:DescribeMapRun', 'states:ListMapRuns'];
    expect(actions.sort()).toEqual(['lambda:GetFunction', ...watching, ...others].sort());
  });

  it('let who operates write the state of runs and nothing else', () => {
    const [id] = policies.find(([one]) => /Operator/.test(one))!;
    const written = statements
      .filter((statement) => statement.id === id && several(statement.Action).includes('s3:PutObject'))
      .flatMap(({ Resource }) => several(Resource).map((one) => flatten(one).replace(/^<[^>]+>\//, '')));
    expect(written).toEqual(['runs/*/run.json']);
  });

  it.each([
    ['the reader of the release', /ReleaseReader/],
    ['who uploads', /Submitter/],
    ['who operates', /Operator/],
  ])('give %s nothing to read that discloses', (_who, role) => {
    const [id] = policies.find(([one]) => role.test(one))!;
    const objects = statements
      .filter((statement) => statement.id === id && several(statement.Action).includes('s3:GetObject'))
      .flatMap(({ Resource }) => several(Resource).map((one) => flatten(one).replace(/^<[^>]+>\//, '')));
    for (const pattern of objects) expect(OPEN_KEYS).toContain(pattern);
    expect(objects.length).toBeGreaterThan(0);
  });
});
