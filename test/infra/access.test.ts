import { describe, expect, it } from 'vitest';
import { OPEN_KEYS } from '../../infra/access/step-access.ts';
import { PLACE_KEY, runKeys } from '../../shared/contracts/keys.ts';
import { everyKey, isOpen, keys } from './every-key.ts';
import { Rights, TO_HEAR_OF_ABSENCE } from './rights.ts';
import { flatten, ofType, several, synthesize } from './synthesize.ts';

const emulated = synthesize({ engine: 'lambda' });

/** The roles of steps that reach the bucket, by their ids in a template. */
const STEP_ROLE = /(PlanRun|CheckBudget|FitModel|AssessBatch|AggregateRun|ReportRun|RecordFailure)FunctionRole|^Fit(Closing)?TaskRole/;

/** Ways to an object that nothing here takes, as far as S3 has them today; what it will have is refused as well. */
const OTHER_WAYS = [
  ...['s3:GetObjectAttributes', 's3:GetObjectVersionAttributes', 's3:GetObjectAcl'],
  ...['s3:GetObjectVersionForReplication', 's3:GetObjectTorrent', 's3:GetObjectVersionTorrent'],
  ...['s3:GetObjectTagging', 's3:GetObjectVersionTagging', 's3:ListMultipartUploadParts', 's3:RestoreObject'],
  ...['s3:ReplicateObject', 's3:ReplicateDelete', 's3:ReplicateTags', 's3:ObjectOwnerOverrideToBucketOwner'],
  ...['s3:PutObjectAcl', 's3:PutObjectVersionTagging', 's3:DeleteObjectTagging', 's3:AbortMultipartUpload'],
  ...['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:PutObjectRetention', 's3:BypassGovernanceRetention'],
  's3:SomethingThatIsYetToCome',
];

describe.each([
  ['in AWS', synthesize()],
  ['emulated', emulated],
])('roles %s', (place, environment) => {
  const policies = ofType(environment, 'AWS::IAM::ManagedPolicy');
  const statements = policies.flatMap(([id, { Properties }]) =>
    several(Properties.PolicyDocument.Statement)
      .filter(({ Effect }) => Effect === 'Allow')
      .map((statement) => ({ id, ...statement })),
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
      place === 'in AWS' ? ['cloudwatch', 'ec2', 'ecr', 'lambda', 'logs'] : ['ec2', 'lambda', 'logs'],
    );
  });

  it('use the key of the bucket only to read and write objects', () => {
    const actions = statements
      .filter(({ Resource }) => several(Resource).some((one) => /KeysData/.test(flatten(one))))
      .flatMap(({ Action }) => several(Action));
    expect([...new Set(actions)].sort()).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });

  const granted = new Rights(environment);
  const people = ['PeopleSubmitterRole', 'PeopleOperatorRole', 'PeopleReleaseReaderRole'];
  const reader = 'PeopleConfidentialReaderRole';
  /** An administrator, whose own policies let everything, and every person but the reader of the confidential. */
  const others = [null, ...people, 'WorkflowWorkflowRole'];
  const list = (prefix: string) => ({ action: 's3:ListBucket', key: null, prefix });

  it('let the steps alone, and the reader of the confidential, learn that an object is absent', () => {
    const may = (name: string | null) => granted.of(name)(TO_HEAR_OF_ABSENCE);
    expect([...others.filter(may), ...['PlanRunFunctionRole', reader].filter(may)]).toEqual(['PlanRunFunctionRole', reader]);
  });

  it('let nobody but the steps and its reader read what discloses, whatever an own policy says', () => {
    const { confidential, draws, dataset, part, table } = keys;
    const closed = [
      ...[confidential.summary, confidential.releaseKey, confidential.manifest, keys.plan, table.counts],
      ...[draws('base/1'), dataset(1).counts, part(1, 1).columns, keys.round(1), keys.chains, PLACE_KEY],
      ...['incoming/a/table.csv', 'incoming/a/release-key', 'incoming/a/run.yaml', `${keys.root}later/x.npy`],
    ];
    const found = others.flatMap((name) =>
      ['s3:GetObject', ...OTHER_WAYS].flatMap((action) =>
        closed.filter((key) => granted.of(name)({ action, key })).map((key) => `${name} ${action} ${key}`),
      ),
    );
    expect(found).toEqual([]);
    expect(granted.of(null)({ action: 's3:GetObject', key: keys.run })).toBe(true);
    expect(granted.of(reader)({ action: 's3:GetObject', key: confidential.releaseKey })).toBe(true);
    expect(granted.of(reader)({ action: 's3:GetObject', key: PLACE_KEY })).toBe(false);
  });

  it('let nobody but those list what tells sizes, whatever an own policy says', () => {
    const telling = [
      ...['', 'r', 'runs/', keys.root, keys.table.root, keys.table.counts, keys.allDraws, keys.parts],
      ...[keys.release.root, keys.release.dataset(1), keys.confidential.decisions],
      ...[keys.rounds, keys.confidential.root, keys.plan, keys.confidential.manifest, keys.synthesis],
      ...['incoming/', 'incoming/a/', 'incoming/a/table.csv', 'incoming/a/run.yaml', PLACE_KEY],
    ];
    const ways = ['s3:ListBucket', 's3:ListBucketVersions', 's3:ListBucketMultipartUploads'];
    const found = others.flatMap((name) =>
      ways.flatMap((action) =>
        telling.filter((prefix) => granted.of(name)({ action, key: null, prefix })).map((prefix) => `${name} ${action} ${prefix}`),
      ),
    );
    expect(found).toEqual([]);
    for (const name of [null, ...people]) {
      const may = granted.of(name);
      const telltale = [keys.run, keys.lock, keys.tasks.root, keys.release.approval, 'incoming/a/outcome.json'];
      expect(telltale.filter((prefix) => !may(list(prefix)))).toEqual([]);
    }
    expect(granted.of(reader)(list(keys.root))).toBe(true);
  });

  const [dataKey] = ofType(environment, 'AWS::KMS::Key')
    .map(([id]) => `<${id}.Arn>`)
    .filter((id) => /KeysData/.test(id)) as [string];
  const approver = 'PeopleApproverRole';
  const purger = 'PeoplePurgerRole';
  const everybody = [null, ...people, reader, approver, 'WorkflowWorkflowRole'];
  const steps = ofType(environment, 'AWS::IAM::Role')
    .map(([id]) => id)
    .filter((id) => STEP_ROLE.test(id));

  it('let nobody at an object but by the ways that the steps and people take', () => {
    const every = [...everyKey(), 'incoming/a/table.csv', 'incoming/a/outcome.json', PLACE_KEY];
    const found = [...everybody, ...steps].flatMap((name) => {
      const may = granted.of(name);
      return OTHER_WAYS.filter((action) => every.some((key) => may({ action, key }))).map((action) => `${name} ${action}`);
    });
    expect(found).toEqual([]);
  });

  it('let nobody put over what was decided, who fetched it, or the key of a run', () => {
    const once = [keys.confidential.decision(1), keys.tasks.fetched('x'), keys.confidential.releaseKey];
    const put = (key: string, overwrites: boolean) =>
      [...everybody, purger, ...steps].filter((name) => granted.of(name)({ action: 's3:PutObject', key, overwrites }));
    expect(once.flatMap((key) => put(key, true))).toEqual([]);
    for (const key of once) expect(put(key, false).length, key).toBeGreaterThan(0);
    expect(put(keys.release.approval, true)).toEqual([approver]);
  });

  it('let nobody put what is encrypted with another key, and no person read or put by a signed link', () => {
    const puts = [...everyKey(), 'incoming/a/table.csv', 'incoming/a/outcome.json', PLACE_KEY].map((key) => ({
      action: 's3:PutObject',
      key,
    }));
    const people = everybody.filter((name) => name?.startsWith('People'));
    for (const name of [...people, ...steps]) {
      const may = granted.of(name);
      const own = puts.filter(may);
      expect(own.filter((put) => may({ ...put, ownKey: true }) || may({ ...put, encryption: 'arn:aws:kms:::key/other' }))).toEqual([]);
      expect(own.filter((put) => !may({ ...put, encryption: dataKey }))).toEqual([]);
    }
    const reads = everyKey().map((key) => ({ action: 's3:GetObject', key, approval: 'approved' }));
    for (const name of people) {
      const may = granted.of(name);
      const own = [...reads, ...puts].filter(may);
      expect(own.length, String(name)).toBeGreaterThan(0);
      expect(own.filter((one) => may({ ...one, link: true }))).toEqual([]);
    }
  });

  it('let planning alone read by versions, and tables that were uploaded alone', () => {
    const every = [
      ...everyKey(),
      'incoming/a/table.csv',
      'incoming/a/table.parquet',
      'incoming/a/run.yaml',
      'incoming/a/release-key',
      PLACE_KEY,
    ];
    const found = [...everybody, purger, ...steps].flatMap((name) =>
      every.filter((key) => granted.of(name)({ action: 's3:GetObjectVersion', key })).map((key) => `${name} ${key}`),
    );
    const planner = steps.find((id) => /PlanRun/.test(id));
    expect(found).toEqual([`${planner} incoming/a/table.csv`, `${planner} incoming/a/table.parquet`]);
    const may = granted.of(planner!);
    for (const from of ['another function', 'outside'] as const) {
      expect(may({ action: 's3:GetObjectVersion', key: 'incoming/a/table.csv', from })).toBe(false);
    }
  });

  it('let nobody have the bucket copied, listed or analysed elsewhere', () => {
    const ways = [
      ...['s3:PutReplicationConfiguration', 's3:PutInventoryConfiguration', 's3:PutAnalyticsConfiguration'],
      ...['s3:ListBucketVersions', 's3:ListBucketMultipartUploads', 's3:PutMetricsConfiguration'],
      's3:CreateBucketMetadataTableConfiguration',
    ];
    const administrator = granted.of(null);
    expect(ways.filter((action) => administrator({ action, key: null }))).toEqual([]);
    // What a deployment needs.
    const deployed = ['s3:PutBucketPolicy', 's3:PutLifecycleConfiguration', 's3:GetBucketLocation'];
    // What `cloud doctor --deployment` asks of a bucket that was there.
    const looked = ['Versioning', 'PublicAccessBlock', 'Notification', 'Logging'].map((what) => `s3:GetBucket${what}`);
    for (const action of [...deployed, ...looked, 's3:GetEncryptionConfiguration', 's3:GetLifecycleConfiguration']) {
      expect(administrator({ action, key: null }), action).toBe(true);
    }
  });

  it('let each object be put by the principals that its kind is named for, and by nobody else', () => {
    const putters = (key: string) =>
      [...everybody, ...steps].filter((name) =>
        ['s3:PutObject', 's3:PutObjectTagging'].some((action) => granted.of(name)({ action, key })),
      );
    const planner = expect.stringMatching(/PlanRun/);
    const fitting = place === 'in AWS' ? expect.stringMatching(/FitTask/) : expect.stringMatching(/FitModel/);
    expect(putters(keys.part(1, 1).columns)).toEqual([expect.stringMatching(/AssessBatch/)]);
    expect(putters(keys.draws('base/1'))).toEqual([fitting]);
    // Who approves tags it, and does not put it.
    expect(putters(keys.release.dataset(1))).toEqual([approver, fitting]);
    expect(putters(keys.plan)).toEqual([planner]);
    expect(putters(keys.table.counts)).toEqual([planner]);
    const closing = (fn: RegExp) => [expect.stringMatching(fn), ...(place === 'in AWS' ? [expect.stringMatching(/ClosingTask/)] : [])];
    expect(putters(keys.round(1))).toEqual(closing(/AggregateRun/));
    expect(putters(keys.confidential.summary)).toEqual(closing(/AggregateRun/));
    expect(putters(keys.confidential.report)).toEqual(closing(/ReportRun/));
    expect(putters(keys.confidential.manifest)).toEqual(closing(/ReportRun/));
    expect(putters(keys.manifest)).toEqual([approver, expect.stringMatching(/ReportRun/)]);
    expect(putters(keys.confidential.signature)).toEqual([expect.stringMatching(/ReportRun/)]);
    expect(putters('incoming/a/table.csv')).toEqual(['PeopleSubmitterRole']);
    expect(putters('incoming/a/outcome.json').sort()).toEqual([planner, expect.stringMatching(/RecordFailure/)]);
    for (const key of [PLACE_KEY, keys.confidential.releaseKey]) expect(putters(key)).toEqual([planner]);
    expect(putters('elsewhere/x')).toEqual([]);
  });

  it('bind the role of a step to its function and to the network, whatever it may read there', () => {
    const outcome: string[] = [];
    for (const name of steps) {
      const may = granted.of(name);
      const asked = everyKey().flatMap((key) => ['s3:GetObject', 's3:PutObject'].map((action) => ({ action, key })));
      const own = asked.filter((one) => may(one));
      expect(own.length, name).toBeGreaterThan(0);
      outcome.push(...own.filter((one) => may({ ...one, from: 'outside' })).map(() => `${name} outside`));
      // The container's task has no function: its trust and who may start tasks bind it.
      if (/Task/.test(name)) continue;
      outcome.push(...own.filter((one) => may({ ...one, from: 'another function' })).map(() => `${name} other`));
    }
    expect(outcome).toEqual([]);
  });

  it('let releases be read once they are approved, by their readers alone; before by who judges them', () => {
    const { confidential, manifest, release, signature } = keys;
    for (const key of [release.dataset(1), manifest, signature]) {
      const readersOf = (approval?: string) => everybody.filter((name) => granted.of(name)({ action: 's3:GetObject', key, approval }));
      expect(readersOf('approved')).toEqual(['PeopleReleaseReaderRole', reader, approver]);
      for (const tag of [undefined, 'withdrawn', '']) expect(readersOf(tag)).toEqual([reader, approver]);
    }
    const judged = everyKey().filter((key) => granted.of(approver)({ action: 's3:GetObject', key }));
    const closed = judged.filter((key) => !isOpen(key));
    expect(closed).toEqual([
      ...[confidential.manifest, confidential.signature, `${confidential.decisions}x`],
      ...[confidential.decision(1), confidential.summary],
    ]);
  });

  it('let one role alone open a release, and that role put nothing but what it decided', () => {
    const all = [...everyKey(), 'incoming/a/table.csv', PLACE_KEY];
    const openers = [...everybody, ...steps].filter((name) =>
      [keys.release.dataset(1), keys.manifest].some((key) => granted.of(name)({ action: 's3:PutObjectTagging', key })),
    );
    expect(openers).toEqual([approver]);
    const may = granted.of(approver);
    expect(all.filter((key) => may({ action: 's3:PutObject', key }))).toEqual([
      keys.release.approval,
      `${keys.confidential.decisions}x`,
      keys.confidential.decision(1),
    ]);
    expect(all.filter((key) => may({ action: 's3:PutObjectTagging', key }) && !/\/(release|manifest)/.test(key))).toEqual([]);
    for (const key of [keys.release.approval, keys.confidential.decision(1)]) {
      expect([...everybody, ...steps].filter((name) => granted.of(name)({ action: 's3:PutObject', key }))).toEqual([approver]);
    }
    const prefixes = [keys.release.root, keys.confidential.decisions, keys.tasks.allFetched, keys.root];
    expect(prefixes.filter((prefix) => may(list(prefix)))).toEqual(prefixes.slice(0, 3));
  });

  it('let one role alone delete and list versions, of runs and uploads', () => {
    const table = 'incoming/a/table.csv';
    const deletes = (name: string | null, key: string) => granted.of(name)({ action: 's3:DeleteObjectVersion', key });
    const all = [...everybody, purger, ...steps];
    for (const key of [table, keys.run, keys.table.counts, keys.confidential.releaseKey]) {
      expect(all.filter((name) => deletes(name, key))).toEqual([purger]);
    }
    expect(deletes(purger, PLACE_KEY)).toBe(false);
    const lists = (name: string | null, prefix: string) => granted.of(name)({ action: 's3:ListBucketVersions', key: null, prefix });
    for (const prefix of [keys.root, 'incoming/a/']) {
      expect(all.filter((name) => lists(name, prefix))).toEqual([purger]);
    }
    expect(['', 'place-key', 'runs/'].filter((prefix) => lists(purger, prefix))).toEqual([]);
    // What it deletes it need not read.
    const closed = everyKey().filter((key) => !isOpen(key));
    expect(closed.filter((key) => granted.of(purger)({ action: 's3:GetObject', key }))).toEqual([]);
  });

  it('fit into the policy of a bucket, which holds 20 KiB', () => {
    const policy = ofType(environment, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('RunsBucket'))![1];
    // With names as long as they can be in place of references, in the partition with the longest name.
    const role = 'arn:aws-us-gov:iam::123456789012:role/'.length + 64;
    const inBucket = 'arn:aws-us-gov:s3:::'.length + 63;
    const lengthOf = (token: string) => (/Runs/.test(token) ? inBucket : /RoleId/.test(token) ? 21 : /Role/.test(token) ? role : 64);
    const text = JSON.stringify(policy.Properties.PolicyDocument, (_, value) =>
      value !== null && typeof value === 'object' && /^(Fn::|Ref$)/.test(Object.keys(value)[0] ?? '')
        ? flatten(value).replace(/<[^>]*>/g, (token) => 'x'.repeat(lengthOf(token)))
        : value,
    );
    expect(text.length).toBeLessThan(20 * 1024);
  });

  it('let the reader of the confidential alone read the log of requests, which has sizes', () => {
    const [, policy] = ofType(environment, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('RunsAccessLog'))!;
    const refusal = policy.Properties.PolicyDocument.Statement.find(({ Sid }: { Sid?: string }) => Sid === 'OnlyTheReader');
    expect(refusal).toMatchObject({ Effect: 'Deny', Principal: '*' });
    expect(refusal.Action).toContain('s3:GetObject');
    expect(several(refusal.Condition.StringNotLike['aws:userid']).map(flatten)).toEqual([
      expect.stringContaining('PeopleConfidentialReaderRole'),
    ]);
  });

  it.each([
    ['the reader of the release', /ReleaseReader/, []],
    ['who uploads', /Submitter/, []],
    [
      'who operates',
      /Operator/,
      [
        ...['lambda:GetAccountSettings', 'states:DescribeStateMachine', 'states:ListExecutions'],
        ...['states:RedriveExecution', 'states:StartExecution', 'states:StopExecution'],
      ],
    ],
    ['the reader of the confidential', /ConfidentialReader/, ['lambda:InvokeFunction', 'states:StartExecution']],
    ['who approves', /Approver/, []],
    ['who purges', /Purger/, []],
  ])('let %s find the environment and watch its runs, and do what the role is for', (_who, role, others) => {
    const [id] = policies.find(([one]) => role.test(one))!;
    const actions = statements
      .filter((statement) => statement.id === id)
      .flatMap(({ Action }) => several(Action).filter((action: string) => /^(states|lambda):/.test(action)));
    const watching = ['states:DescribeExecution', 'states:DescribeMapRun', 'states:ListMapRuns'];
    expect(actions.sort()).toEqual(['lambda:GetFunction', 'lambda:ListTags', ...watching, ...others].sort());
  });

  it('let the reader of the confidential alone read undelivered events, which have sizes of tables', () => {
    const ofQueue = statements.filter(({ Action }) => several(Action).some((action) => action.startsWith('sqs:')));
    expect(ofQueue.map(({ id }) => id)).toEqual([expect.stringContaining('PeopleConfidentialReader')]);
    expect(ofQueue.flatMap(({ Resource }) => several(Resource).map(flatten))).toEqual([
      expect.stringMatching(/^<UploadUndelivered\w+\.Arn>$/),
    ]);
    const decrypting = statements.filter(({ Sid }) => Sid === 'DecryptUndelivered');
    expect(decrypting).toEqual([
      expect.objectContaining({
        id: ofQueue[0]!.id,
        Action: 'kms:Decrypt',
        Condition: { StringEquals: { 'kms:ViaService': expect.anything() } },
      }),
    ]);
  });

  it('let who operates write the state of runs and nothing else', () => {
    const [id] = policies.find(([one]) => /Operator/.test(one))!;
    const written = statements
      .filter((statement) => statement.id === id && several(statement.Action).includes('s3:PutObject'))
      .flatMap(({ Resource }) => several(Resource).map((one) => flatten(one).replace(/^<[^>]+>\//, '')));
    expect(written).toEqual([runKeys('?'.repeat(16)).run]);
  });

  it.each([
    ['the reader of the release', /ReleaseReader/],
    ['who uploads', /Submitter/],
    ['who operates', /Operator/],
    ['who purges', /Purger/],
  ])('give %s nothing to read that discloses', (_who, role) => {
    const [id] = policies.find(([one]) => role.test(one))!;
    const objects = statements
      .filter((statement) => statement.id === id && several(statement.Action).includes('s3:GetObject'))
      .flatMap(({ Resource }) => several(Resource).map((one) => flatten(one).replace(/^<[^>]+>\//, '')));
    for (const pattern of objects) expect(OPEN_KEYS).toContain(pattern);
    expect(objects.length).toBeGreaterThan(0);
  });
});
