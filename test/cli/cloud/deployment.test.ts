import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkExistingBucket } from '../../../cli/cloud/bucket-checks.ts';
import { checkDrift, readDeployedStack } from '../../../cli/cloud/deployed-stack.ts';
import { reach } from '../../../cli/cloud/environment-checks.ts';

/** Answers by the name of the action, or the part of a bucket that is asked for. */
let answers: Record<string, { status?: number; xml: string }>;
let server: Server;
let place: { endpoint: string; region: string };

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { searchParams } = new URL(request.url!, 'http://localhost');
    const of = new URLSearchParams(body).get('Action') ?? [...searchParams.keys()].find((key) => key !== 'x-id')!;
    const { status = 200, xml } = answers[of] ?? { status: 404, xml: error('NoSuchThing', 'none') };
    response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  place = { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, region: 'us-east-1' };
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(() => {
  answers = {};
});

const error = (code: string, message: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
const result = (action: string, xml: string) => ({
  xml: `<${action}Response><${action}Result>${xml}</${action}Result></${action}Response>`,
});

describe('readDeployedStack()', () => {
  it('finds settings in the template, and whether the bucket for runs has Object Lock', async () => {
    const stackOf = async (Resources: object) => {
      const body = JSON.stringify({ Metadata: { SynthriskSettings: { fitVcpu: 8 } }, Resources });
      answers.GetTemplate = result('GetTemplate', `<TemplateBody>${body}</TemplateBody>`);
      return readDeployedStack('synthrisk-prod', place);
    };
    const bucket = (Properties: object) => ({
      RunsAccessLog1: { Type: 'AWS::S3::Bucket' },
      RunsBucket2: { Type: 'AWS::S3::Bucket', Properties },
    });
    expect(await stackOf({})).toEqual({ settings: { fitVcpu: 8 }, objectLock: undefined, resources: {} });
    expect(await stackOf(bucket({}))).toMatchObject({ settings: { fitVcpu: 8 }, objectLock: null });
    expect(await stackOf(bucket({ ObjectLockEnabled: false }))).toMatchObject({ objectLock: false });
    expect(await stackOf(bucket({ ObjectLockEnabled: true }))).toMatchObject({ objectLock: true });
  });

  it('tells a stack that is not there from one that does not tell, and from a refusal', async () => {
    answers.GetTemplate = { status: 400, xml: error('ValidationError', 'Stack with id x does not exist') };
    expect(await readDeployedStack('synthrisk-prod', place)).toBeNull();
    answers.GetTemplate = result('GetTemplate', '<TemplateBody>{}</TemplateBody>');
    expect(await readDeployedStack('synthrisk-prod', place)).toEqual({ settings: undefined, objectLock: undefined, resources: {} });
    answers.GetTemplate = { status: 403, xml: error('AccessDenied', 'not you') };
    await expect(readDeployedStack('synthrisk-prod', place)).rejects.toMatchObject({ name: 'ServiceError', code: 'AccessDenied' });
  });
});

describe('checkDrift()', () => {
  const detected = (status: string) => {
    answers.DetectStackDrift = result('DetectStackDrift', '<StackDriftDetectionId>d</StackDriftDetectionId>');
    answers.DescribeStackDriftDetectionStatus = result(
      'DescribeStackDriftDetectionStatus',
      `<DetectionStatus>DETECTION_COMPLETE</DetectionStatus><StackDriftStatus>${status}</StackDriftStatus>`,
    );
  };

  it('says so where all is as it was deployed', async () => {
    detected('IN_SYNC');
    expect(await checkDrift('synthrisk-prod', place)).toMatchObject({ name: 'drift', outcome: 'ok' });
  });

  it('names what is not', async () => {
    detected('DRIFTED');
    const difference = '<member><PropertyPath>/PolicyDocument</PropertyPath></member>';
    answers.DescribeStackResourceDrifts = result(
      'DescribeStackResourceDrifts',
      `<StackResourceDrifts><member><LogicalResourceId>RunsPolicy</LogicalResourceId><StackResourceDriftStatus>MODIFIED</StackResourceDriftStatus><PropertyDifferences>${difference}</PropertyDifferences></member></StackResourceDrifts>`,
    );
    const { message, outcome } = await checkDrift('synthrisk-prod', place);
    expect(outcome).toBe('missing');
    expect(message).toContain('RunsPolicy (MODIFIED /PolicyDocument)');
  });
});

describe('a role that may not look at a deployment', () => {
  it('is shown who may, and nothing is missing', async () => {
    const denied = { status: 403, xml: error('AccessDenied', 'not you') };
    const parts = ['versioning', 'encryption', 'publicAccessBlock', 'notification', 'logging', 'lifecycle'];
    answers = Object.fromEntries(['DetectStackDrift', ...parts].map((part) => [part, denied]));
    const checks = [
      await reach('drift', 'whoever deploys', () => checkDrift('synthrisk-prod', place)),
      ...(await checkExistingBucket('agency-runs', 'arn', place)),
    ];
    expect(checks).toHaveLength(8);
    for (const check of checks)
      expect(check).toMatchObject({ outcome: 'not-allowed', message: expect.stringContaining('Whoever deploys may') });
  });
});

describe('checkExistingBucket()', () => {
  const KEY = 'arn:aws:kms:us-east-1:111122223333:key/0a1b';
  const outcomes = async () =>
    Object.fromEntries((await checkExistingBucket('agency-runs', KEY, place)).map(({ name, outcome }) => [name, outcome]));

  it('misses everything of a bucket of which nothing was set', async () => {
    answers.versioning = { xml: '<VersioningConfiguration/>' };
    answers.notification = { xml: '<NotificationConfiguration/>' };
    answers.logging = { xml: '<BucketLoggingStatus/>' };
    const found = await outcomes();
    expect(Object.keys(found)).toHaveLength(7);
    expect(new Set(Object.values(found))).toEqual(new Set(['missing']));
  });

  it('finds what a deployment would have set, and another key amiss', async () => {
    const encrypted = (key: string) => ({
      xml: `<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>${key}</KMSMasterKeyID></ApplyServerSideEncryptionByDefault><BucketKeyEnabled>true</BucketKeyEnabled></Rule></ServerSideEncryptionConfiguration>`,
    });
    const blocks = ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'];
    answers = {
      versioning: { xml: '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>' },
      encryption: encrypted(KEY),
      publicAccessBlock: {
        xml: `<PublicAccessBlockConfiguration>${blocks.map((name) => `<${name}>true</${name}>`).join('')}</PublicAccessBlockConfiguration>`,
      },
      notification: { xml: '<NotificationConfiguration><EventBridgeConfiguration></EventBridgeConfiguration></NotificationConfiguration>' },
      logging: {
        xml: '<BucketLoggingStatus><LoggingEnabled><TargetBucket>log</TargetBucket><TargetPrefix/></LoggingEnabled></BucketLoggingStatus>',
      },
      lifecycle: {
        xml: '<LifecycleConfiguration><Rule><ID>a</ID><Status>Enabled</Status><Filter><Tag><Key>lifecycle</Key><Value>intermediate</Value></Tag></Filter><Expiration><Days>30</Days></Expiration></Rule><Rule><ID>b</ID><Status>Enabled</Status><Filter><Tag><Key>lifecycle</Key><Value>table</Value></Tag></Filter><Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>',
      },
    };
    expect(new Set(Object.values(await outcomes()))).toEqual(new Set(['ok']));
    answers.encryption = encrypted('arn:aws:kms:us-east-1:111122223333:key/ffff');
    expect(await outcomes()).toMatchObject({ 'bucket encryption': 'missing', 'bucket versions': 'ok' });
  });
});
