import { describe, expect, it } from 'vitest';
import { OPEN_KEYS, STEP_ACCESS, type StepName } from '../../infra/constructs/step-access.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import type { RoundChains } from '../../shared/contracts/round.ts';
import { aggregateRun } from '../../shared/pipeline/aggregate-run.ts';
import { firstRound, roundTasks } from '../../shared/pipeline/chains-needed.ts';
import { judgeRound } from '../../shared/pipeline/judge-round.ts';
import { planRun, storePlannedRun } from '../../shared/pipeline/plan-run.ts';
import { reportRun } from '../../shared/pipeline/report-run.ts';
import { runTask } from '../../shared/pipeline/run-task.ts';
import { writeManifest } from '../../shared/pipeline/write-manifest.ts';
import { MemoryStore } from '../../shared/storage/memory-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { smallConfig, smallTable } from '../pipeline/small-run.ts';
import { flatten, ofType, several, synthesize } from './synthesize.ts';

/** Whether a pattern of IAM, in which a star stands for any characters, lets a key through. */
function matches(pattern: string, key: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(key);
}

/** A store that refuses a step what its role would. */
function guarded(store: Store, step: StepName): Store {
  const check = (verb: 'read' | 'write', key: string) => {
    if (!STEP_ACCESS[step][verb].some((pattern) => matches(pattern, key))) {
      throw new Error(`${step} may not ${verb} ${key}`);
    }
  };
  return {
    get: (key, range) => {
      check('read', key);
      return store.get(key, range);
    },
    head: (key) => {
      check('read', key);
      return store.head(key);
    },
    put: (key, bytes, options) => {
      check('write', key);
      return store.put(key, bytes, options);
    },
    list: (prefix) => store.list(prefix),
  };
}

describe('STEP_ACCESS', () => {
  it.each(['augmented', 'importance'])('lets each step of a run at what it needs (%s)', async (estimator) => {
    const whole = new MemoryStore();
    const as = (step: StepName) => guarded(whole, step);
    const config = smallConfig({ attributeRisk: { estimator } });
    const plan = await storePlannedRun(
      as('plan-run'),
      await planRun({ purpose: 'evaluate', config, table: smallTable() }),
    );
    let before: RoundChains | undefined;
    for (let round: RoundChains | null = firstRound(plan); round !== null; ) {
      const { fit, synthesize: datasets, augment, assess } = roundTasks(plan, round, before);
      for (const task of [...fit, ...datasets, ...augment]) {
        await runTask(as('fit-model'), task, () => undefined);
      }
      for (const task of assess) await runTask(as('assess-batch'), task, () => undefined);
      before = round;
      round = await judgeRound(as('aggregate-run'), plan, round);
    }
    await aggregateRun(as('aggregate-run'), plan);
    await reportRun(as('report-run'), plan);
    await writeManifest(as('report-run'), plan);
    expect(await whole.head(runKeys(plan.runId).manifest)).not.toBeNull();
  });

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
  ['emulated', synthesize({ engine: 'lambda' })],
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
    const closed = [
      confidential.summary,
      `${draws('base/1')}weights.npy`,
      dataset(1).counts,
      part(1, 1).columns,
    ];
    for (const key of [...closed, table.counts, 'incoming/a/table.csv', 'runs/0/later/folder.npy']) {
      expect(
        open.filter((pattern: string) => matches(pattern, key)),
        key,
      ).toEqual([]);
    }
    const excepted = deny.Condition.ArnNotEquals['aws:PrincipalArn'].map(flatten);
    expect(excepted.filter((arn: string) => /ConfidentialReader/.test(arn))).toHaveLength(1);
    expect(excepted.filter((arn: string) => /ReleaseReader|Submitter|Workflow/.test(arn))).toEqual([]);
    expect(excepted).toHaveLength(7);
  });

  it.each([
    ['the reader of the release', /ReleaseReader/],
    ['who uploads', /Submitter/],
  ])('give %s nothing to read that discloses', (_who, role) => {
    const [id] = policies.find(([one]) => role.test(one))!;
    const objects = statements
      .filter((statement) => statement.id === id && several(statement.Action).includes('s3:GetObject'))
      .flatMap(({ Resource }) => several(Resource).map((one) => flatten(one).replace(/^<[^>]+>\//, '')));
    for (const pattern of objects) expect(OPEN_KEYS).toContain(pattern);
    expect(objects.length).toBeGreaterThan(0);
  });
});
