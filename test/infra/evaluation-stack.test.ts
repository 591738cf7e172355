import { readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { Stack } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { environmentNames, readSizeTags } from '../../shared/contracts/cloud/cloud-environment.ts';
import { uploadEvent } from '../functions/run-workflow.ts';
import { flatten, ofType, several, synthesize } from './synthesize.ts';

const cloud = synthesize();
const emulated = synthesize({ engine: 'lambda' });
const { template } = cloud;

/** The resource of this type whose logical id begins so. */
function named(type: string, prefix: string) {
  const found = ofType(cloud, type).filter(([id]) => id.startsWith(prefix));
  expect(found, `${type} ${prefix}`).toHaveLength(1);
  return found[0]![1];
}

const bucket = named('AWS::S3::Bucket', 'RunsBucket');
const dataKey = ofType(cloud, 'AWS::KMS::Key').find(([id]) => id.startsWith('KeysData'))![0];
const operationsKey = ofType(cloud, 'AWS::KMS::Key').find(([id]) => id.startsWith('KeysOperations'))![0];
const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

describe('encryption', () => {
  it('gives the bucket a key of its own, which nothing else is encrypted with', () => {
    const [{ ServerSideEncryptionByDefault, BucketKeyEnabled }] = bucket.Properties.BucketEncryption.ServerSideEncryptionConfiguration;
    expect(ServerSideEncryptionByDefault).toEqual({ SSEAlgorithm: 'aws:kms', KMSMasterKeyID: arnOf(dataKey) });
    expect(BucketKeyEnabled).toBe(true);
    for (const [id, { Properties }] of Object.entries(cloud.resources)) {
      // The alert on changes of its policy names the key.
      if (id.startsWith('RunsBucket') || id.startsWith('ChangesKey')) continue;
      const encryption = { ...Properties, PolicyDocument: undefined };
      expect(JSON.stringify(encryption), id).not.toContain(dataKey);
    }
  });

  it('encrypts logs, notifications and undelivered events with the other key', () => {
    const groups = ofType(cloud, 'AWS::Logs::LogGroup');
    // They stay when the stack goes, but for a first deployment that fails.
    for (const [id, { DeletionPolicy }] of groups) expect(DeletionPolicy, id).toBe('RetainExceptOnCreate');
    expect(groups.length).toBeGreaterThanOrEqual(9);
    for (const [id, { Properties }] of groups) {
      expect(Properties, id).toMatchObject({ KmsKeyId: arnOf(operationsKey), RetentionInDays: 365 });
    }
    template.allResourcesProperties('AWS::SNS::Topic', { KmsMasterKeyId: arnOf(operationsKey) });
    template.allResourcesProperties('AWS::SQS::Queue', { KmsMasterKeyId: arnOf(operationsKey) });
  });

  it('rotates the keys, and keeps them, the buckets and what protects these when the stack is deleted', () => {
    const kept = { 'AWS::KMS::Key': 3, 'AWS::S3::Bucket': 2, 'AWS::S3::BucketPolicy': 2 };
    for (const [id, { Properties }] of ofType(cloud, 'AWS::KMS::Key')) {
      // No asymmetric key of KMS can be rotated.
      const signs = Properties.KeyUsage === 'SIGN_VERIFY';
      expect(Properties.EnableKeyRotation, id).toBe(signs ? undefined : true);
    }
    for (const [type, count] of Object.entries(kept)) {
      expect(ofType(cloud, type)).toHaveLength(count);
      for (const [id, { DeletionPolicy }] of ofType(cloud, type)) expect(DeletionPolicy, id).toBe('Retain');
    }
  });
});

describe('what is left of a stack that was deleted', () => {
  it('is read through the bucket alone, whose policy has stayed: the key refuses every other way', () => {
    const { KeyPolicy } = cloud.resources[dataKey]!.Properties;
    const refusals = KeyPolicy.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Deny');
    expect(refusals).toEqual([
      expect.objectContaining({
        Principal: { AWS: '*' },
        Action: expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey*', 'kms:CreateGrant']),
        Condition: {
          StringNotEquals: { 'kms:ViaService': { 'Fn::Join': ['', ['s3.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]] } },
        },
      }),
    ]);
  });

  it('is not left by mistake: the stack is protected unless its settings say otherwise', () => {
    const protectedOf = ({ app }: typeof cloud) =>
      app.node.children.flatMap((child) => (child instanceof Stack ? [child.terminationProtection] : []));
    expect(protectedOf(cloud)).toEqual([true]);
    expect(protectedOf(synthesize({ engine: 'lambda', terminationProtection: 'false' }))).toEqual([false]);
  });
});

describe('the bucket', () => {
  it('is versioned, and public in no way', () => {
    template.allResourcesProperties('AWS::S3::Bucket', {
      VersioningConfiguration: { Status: 'Enabled' },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it('refuses what does not come over TLS 1.2 or later', () => {
    for (const [id, { Properties }] of ofType(cloud, 'AWS::S3::BucketPolicy')) {
      const conditions = Properties.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Deny').map(
        ({ Condition }: { Condition: unknown }) => Condition,
      );
      expect(conditions, id).toContainEqual({ Bool: { 'aws:SecureTransport': 'false' } });
      expect(conditions, id).toContainEqual({ NumericLessThan: { 's3:TlsVersion': 1.2 } });
    }
    for (const type of ['AWS::SNS::TopicPolicy', 'AWS::SQS::QueuePolicy']) {
      template.allResourcesProperties(type, {
        PolicyDocument: {
          Statement: Match.arrayWith([Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })]),
        },
      });
    }
  });

  it('lets intermediates, tables, uploads and old versions expire, and keeps results', () => {
    const { Rules } = bucket.Properties.LifecycleConfiguration;
    const rules = Object.fromEntries(Rules.map((rule: { Id: string }) => [rule.Id, rule]));
    expect(rules.intermediates).toMatchObject({ ExpirationInDays: 30, TagFilters: [{ Key: 'lifecycle', Value: 'intermediate' }] });
    expect(rules.uploads).toMatchObject({ ExpirationInDays: 30, Prefix: 'incoming/' });
    expect(rules['old-versions'].NoncurrentVersionExpiration).toEqual({ NoncurrentDays: 30 });
    const expiring = Rules.filter((rule: object) => 'ExpirationInDays' in rule);
    expect(expiring.map(({ Id }: { Id: string }) => Id)).toEqual(['intermediates', 'tables', 'uploads']);
    expect(rules.tables).toMatchObject({ ExpirationInDays: 30, TagFilters: [{ Key: 'lifecycle', Value: 'table' }] });
    // It says nothing of Object Lock, as versions that wrote it did.
    expect(bucket.Properties).not.toHaveProperty('ObjectLockEnabled');
  });

  it('lets whole runs expire, and locks results, where that is set', () => {
    const other = synthesize({
      ...{ engine: 'lambda', resultDays: 400, tableDays: 7 },
      ...{ objectLock: 'compliance', objectLockDays: 90 },
    });
    const { Properties } = ofType(other, 'AWS::S3::Bucket').find(([id]) => id.startsWith('RunsBucket'))![1];
    const days = Properties.LifecycleConfiguration.Rules.map((rule: Record<string, unknown>) => [
      rule.Id,
      rule.Prefix,
      rule.ExpirationInDays,
    ]);
    expect(days).toContainEqual(['runs', 'runs/', 400]);
    expect(days).toContainEqual(['tables', undefined, 7]);
    expect(Properties).toMatchObject({ ObjectLockEnabled: true });
    // A lock by default would hold the table as well.
    expect(Properties).not.toHaveProperty('ObjectLockConfiguration');
    const told = ofType(other, 'AWS::Lambda::Function').map(([, fn]) => fn.Properties.Environment.Variables.RESULT_LOCK);
    expect(new Set(told)).toEqual(new Set(['{"mode":"COMPLIANCE","days":90}']));
    const locking = ofType(other, 'AWS::IAM::ManagedPolicy').flatMap(([id, policy]) =>
      several(policy.Properties.PolicyDocument.Statement)
        .filter(({ Action }) => several(Action).includes('s3:PutObjectRetention'))
        .map(() => id),
    );
    expect(locking.length).toBeGreaterThan(2);
    expect(locking.filter((id) => !/FunctionPolicy/.test(id))).toEqual([]);
  });

  it('tells EventBridge of uploads without a custom resource', () => {
    expect(bucket.Properties.NotificationConfiguration).toEqual({ EventBridgeConfiguration: { EventBridgeEnabled: true } });
    expect(cloud.text).not.toMatch(/Custom::|AWS::CloudFormation::CustomResource/);
  });

  it('has its requests logged', () => {
    const [logs] = ofType(cloud, 'AWS::S3::Bucket').find(([id]) => id.startsWith('RunsAccessLog'))!;
    expect(bucket.Properties.LoggingConfiguration).toEqual({ DestinationBucketName: { Ref: logs } });
  });
});

describe('the upload rule', () => {
  it('is started by tables below incoming/ alone, and passes on which object it is in which version, not how large', () => {
    const { Properties } = named('AWS::Events::Rule', 'UploadRule');
    expect(Properties.EventPattern).toMatchObject({
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: {
        bucket: { name: [{ Ref: expect.stringMatching(/^RunsBucket/) }] },
        object: { key: [{ wildcard: 'incoming/*/table.csv' }, { wildcard: 'incoming/*/table.parquet' }] },
      },
    });
    const [target] = Properties.Targets;
    const { InputPathsMap, InputTemplate } = target.InputTransformer;
    const event = uploadEvent('b', 'incoming/a/table.csv', 'Rd1x', '0A');
    const told = InputTemplate.replace(/<([^>]+)>/g, (_match: string, name: string) =>
      JSON.stringify(
        InputPathsMap[name]
          .slice(2)
          .split('.')
          .reduce((value: Record<string, unknown>, field: string) => value[field], event),
      ),
    );
    expect(JSON.parse(told)).toEqual(event);
    expect(target).not.toHaveProperty('Input');
    expect(target.DeadLetterConfig.Arn).toEqual(arnOf(expect.stringMatching(/^UploadUndelivered/) as never));
  });
});

describe('the rule of ends', () => {
  it('tells of executions of the workflow that were ended from outside, and of no others', () => {
    const { Properties } = named('AWS::Events::Rule', 'EndRule');
    expect(Properties.EventPattern).toEqual({
      source: ['aws.states'],
      'detail-type': ['Step Functions Execution Status Change'],
      detail: { status: ['ABORTED', 'TIMED_OUT'], stateMachineArn: [{ Ref: expect.stringMatching(/^WorkflowStateMachine/) }] },
    });
    const [target] = Properties.Targets;
    const alias = cloud.resources[target.Arn.Ref]!.Properties;
    expect(alias.FunctionName.Ref).toMatch(/^FunctionsRecordFailure/);
    expect(target).not.toHaveProperty('InputTransformer');
    expect(target.DeadLetterConfig.Arn).toEqual(arnOf(expect.stringMatching(/^UploadUndelivered/) as never));
  });
});

describe('the network', () => {
  it('has subnets without a way to the internet', () => {
    expect(ofType(cloud, 'AWS::EC2::Subnet')).toHaveLength(2);
    template.allResourcesProperties('AWS::EC2::Subnet', { MapPublicIpOnLaunch: false });
    for (const type of ['InternetGateway', 'NatGateway', 'Route', 'EIP', 'VPCGatewayAttachment']) {
      template.resourceCountIs(`AWS::EC2::${type}`, 0);
    }
  });

  it.each([1, 2, 3])('has a subnet in each of %i zones, whatever the region', (availabilityZones) => {
    const zones = ofType(synthesize({ availabilityZones }), 'AWS::EC2::Subnet').map(([, { Properties }]) => Properties.AvailabilityZone);
    const zone = (number: number) => ({ 'Fn::Select': [number, { 'Fn::GetAZs': '' }] });
    expect(zones).toEqual([0, 1, 2].slice(0, availabilityZones).map(zone));
  });

  it('has the endpoints that signing and a container need, and no more', () => {
    const services = ofType(cloud, 'AWS::EC2::VPCEndpoint').map(([, { Properties }]) => [
      flatten(Properties.ServiceName).replace('<AWS::Region>', '*'),
      Properties.VpcEndpointType,
    ]);
    expect(services.sort()).toEqual([
      ['com.amazonaws.*.ecr.api', 'Interface'],
      ['com.amazonaws.*.ecr.dkr', 'Interface'],
      ['com.amazonaws.*.kms', 'Interface'],
      ['com.amazonaws.*.logs', 'Interface'],
      ['com.amazonaws.*.s3', 'Gateway'],
    ]);
    expect(ofType(emulated, 'AWS::EC2::VPCEndpoint')).toHaveLength(2);
  });

  it('lets only requests of this account through the endpoints, and to this bucket alone', () => {
    for (const [id, { Properties }] of ofType(cloud, 'AWS::EC2::VPCEndpoint')) {
      for (const { Condition, Resource, Sid } of Properties.PolicyDocument.Statement) {
        if (Sid === 'ImageLayers') continue;
        expect(Condition, id).toEqual({ StringEquals: { 'aws:PrincipalAccount': { Ref: 'AWS::AccountId' } } });
        if (Properties.VpcEndpointType === 'Gateway') {
          expect(several(Resource).map(flatten)).toEqual([
            expect.stringMatching(/^<RunsBucket\w+\.Arn>$/),
            expect.stringMatching(/^<RunsBucket\w+\.Arn>\/\*$/),
          ]);
        }
      }
    }
  });

  it('lets nothing in but workers at the endpoints, and HTTPS alone out', () => {
    const [ingress] = ofType(cloud, 'AWS::EC2::SecurityGroupIngress').map(([, { Properties }]) => Properties);
    expect(ingress).toMatchObject({ FromPort: 443, ToPort: 443, SourceSecurityGroupId: expect.anything() });
    const workers = named('AWS::EC2::SecurityGroup', 'NetworkWorkers').Properties;
    expect(workers).not.toHaveProperty('SecurityGroupIngress');
    expect(workers.SecurityGroupEgress).toEqual([expect.objectContaining({ FromPort: 443, ToPort: 443 })]);
  });
});

describe('functions', () => {
  const functions = ofType(cloud, 'AWS::Lambda::Function');

  it('are those of the workflow and no others', () => {
    const folders = functions.map(([, { Properties }]) => Properties.Description.replace('synthrisk ', ''));
    const steps = ['aggregate-run', 'assess-batch', 'check-budget', 'plan-run', 'raise-failure'];
    steps.push('record-failure', 'report-run');
    expect(folders.sort()).toEqual(steps);
    const emulatedFunctions = ofType(emulated, 'AWS::Lambda::Function');
    expect(emulatedFunctions).toHaveLength(steps.length + 1);
  });

  it('run on Node 24 on arm64, in the isolated network, with a role and a log group each', () => {
    for (const [id, { Properties }] of functions) {
      expect(Properties, id).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogGroup: { Ref: expect.any(String) } },
        VpcConfig: { SubnetIds: expect.any(Array) },
      });
    }
    const roles = functions.map(([, { Properties }]) => flatten(Properties.Role));
    expect(new Set(roles).size).toBe(functions.length);
  });

  it('know the bucket, and how much of it to keep at hand', () => {
    for (const [id, { Properties }] of functions) {
      expect(Properties.Environment.Variables, id).toMatchObject({ BUCKET: { Ref: expect.stringMatching(/^RunsBucket/) } });
    }
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'synthrisk assess-batch',
      MemorySize: 1769,
      Timeout: 90,
      Environment: { Variables: { INPUTS_CACHE_MIB: '884' } },
    });
  });

  it('plan batches of the size that is set', () => {
    const { template: small } = synthesize({ engine: 'lambda', batchSize: '7' });
    small.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'synthrisk plan-run',
      Environment: { Variables: { ENVIRONMENT_SIZE: Match.stringLikeRegexp('"batchSize":7[,}]') } },
    });
  });
});

describe('the container', () => {
  const task = named('AWS::ECS::TaskDefinition', 'FitTaskDefinition').Properties;
  const [container] = task.ContainerDefinitions;

  it('runs on arm64 with what is set', () => {
    expect(task).toMatchObject({
      Cpu: '4096',
      Memory: '8192',
      NetworkMode: 'awsvpc',
      RequiresCompatibilities: ['FARGATE'],
      RuntimePlatform: { CpuArchitecture: 'ARM64', OperatingSystemFamily: 'LINUX' },
    });
  });

  it('is not root, writes to no root file system, and has no capability', () => {
    expect(container).toMatchObject({
      User: '65534:65534',
      ReadonlyRootFilesystem: true,
      LinuxParameters: { Capabilities: { Drop: ['ALL'] } },
    });
    expect(container.Privileged ?? false).toBe(false);
    expect(container).not.toHaveProperty('Secrets');
  });

  const digest = `sha256:${'0a'.repeat(32)}`;

  it.each([
    [{}, 'node:24-slim'],
    [{ baseImageDigest: digest }, `node:24-slim@${digest}`],
    [{ baseImage: 'registry.agency.example/node:24', baseImageDigest: digest }, `registry.agency.example/node:24@${digest}`],
    [{ baseImage: `registry.agency.example/node@${digest}` }, `registry.agency.example/node@${digest}`],
  ])('is built from the base image that is set: %j', (settings, expected) => {
    const { app } = synthesize(settings);
    const asset = app.node.findChild('synthrisk-dev').node.findChild('Fit').node.findChild('Image');
    expect((asset as unknown as { dockerBuildArgs: object }).dockerBuildArgs).toEqual({ BASE_IMAGE: expected });
    // The name stands in one place, and is never taken by default.
    expect(readFileSync('functions/fit-model/Dockerfile', 'utf8')).toMatch(/^ARG BASE_IMAGE$/m);
  });

  it('is started by its digest, which nobody can push another image under', () => {
    const [, { Properties }] = ofType(synthesize({ imageDigest: digest }), 'AWS::ECS::TaskDefinition')[0]!;
    const { Image } = Properties.ContainerDefinitions[0];
    expect(JSON.stringify(Image)).toContain(`@${digest}`);
    expect(JSON.stringify(Image)).toContain('container-assets-');
    expect(JSON.stringify(Image)).not.toMatch(/(?<!sha256):[0-9a-f]{64}/);
  });

  it('has a role for tasks of this account and region alone, and no shell', () => {
    const [, role] = ofType(cloud, 'AWS::IAM::Role').find(([id]) => id.startsWith('FitTaskRole'))!;
    const [trust, ...others] = role.Properties.AssumeRolePolicyDocument.Statement;
    expect(others).toEqual([]);
    expect(trust.Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
    expect(flatten(trust.Condition.ArnLike['aws:SourceArn'])).toBe('arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:*');
    const running = ofType(cloud, 'AWS::IAM::ManagedPolicy')
      .flatMap(([, { Properties }]) => several(Properties.PolicyDocument.Statement))
      .filter(({ Action }) => several(Action).includes('ecs:RunTask'));
    expect(running).toHaveLength(1);
    expect(running[0].Condition).toMatchObject({
      ArnEquals: { 'ecs:cluster': expect.anything() },
      StringEqualsIfExists: { 'ecs:enable-execute-command': 'false' },
    });
    expect(cloud.text).not.toContain('ssmmessages');
  });
});

describe('what is told', () => {
  it('logs errors of the workflow without data', () => {
    for (const [id, { Properties }] of ofType(cloud, 'AWS::StepFunctions::StateMachine')) {
      expect(Properties.LoggingConfiguration, id).toMatchObject({ IncludeExecutionData: false, Level: 'ERROR' });
    }
  });

  it('raises each alarm on the topic', () => {
    const alarms = ofType(cloud, 'AWS::CloudWatch::Alarm');
    const topic = { Ref: ofType(cloud, 'AWS::SNS::Topic')[0]![0] };
    for (const [id, { Properties }] of alarms) expect(Properties.AlarmActions, id).toEqual([topic]);
    const names = alarms.map(([id]) => id.replace(/^Alarms|[0-9A-F]{8}$/g, ''));
    expect(names.sort()).toEqual(['Cost', 'FailedRuns', 'OldestRun', 'Throttles', 'UndeliveredUploads']);
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: Match.stringLikeRegexp('running for more than 18 hours'),
      Threshold: 18 * 60,
      InsufficientDataActions: [topic],
    });
  });

  it('looks out for long runs where a container makes them, and nowhere else', () => {
    expect(ofType(cloud, 'AWS::StepFunctions::StateMachine')).toHaveLength(2);
    expect(ofType(emulated, 'AWS::StepFunctions::StateMachine')).toHaveLength(1);
    expect(emulated.text).not.toMatch(/OldestRun|JSONata/);
  });

  it('counts the dollars of every function and of the containers, each as the dearer of them', () => {
    const cost = named('AWS::CloudWatch::Alarm', 'AlarmsCost').Properties;
    expect(cost.Threshold).toBe(50);
    const [{ Expression }, ...metrics] = cost.Metrics;
    expect(metrics.map(({ Id }: { Id: string }) => Id).sort()).toEqual(
      ['ms0', 'ms1', 'ms2', 'ms3', 'ms4', 'ms5', 'requests', 'tasks'].sort(),
    );
    expect(cost.Metrics.length).toBeLessThanOrEqual(10);
    const perHour = 4 * 0.03238 + 30 * 0.00356;
    expect(Expression).toContain(`FILL(tasks, 0) / 60 * ${perHour}`);
    expect(Expression).not.toMatch(/e-\d/);
  });

  it('lets the alarms publish on a topic whose policy is not the default one', () => {
    template.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' }),
        ]),
      },
    });
  });

  it('sends mail to no one unless told so', () => {
    template.resourceCountIs('AWS::SNS::Subscription', 0);
    const { template: subscribed } = synthesize({ engine: 'lambda', notifyEmail: 'team@agency.example' });
    subscribed.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'team@agency.example' });
  });
});

describe('partitions', () => {
  it('names no partition, region or account, so that it deploys to GovCloud as well', () => {
    expect(cloud.text).not.toMatch(/arn:aws[:-]/);
    expect(cloud.text).not.toMatch(/\b(us|eu|ap)-(gov-)?(east|west|central)-\d/);
    expect(cloud.text).toContain('AWS::Partition');
  });
});

describe('outputs', () => {
  it('are not needed by the command line, which goes by two names and the tags of a function', () => {
    const { assessFunction, workflow } = environmentNames('dev');
    template.hasResourceProperties('AWS::StepFunctions::StateMachine', { StateMachineName: workflow });
    const [, { Properties }] = ofType(cloud, 'AWS::Lambda::Function').find(
      ([, resource]) => resource.Properties.FunctionName === assessFunction,
    )!;
    expect(Properties.Environment.Variables.BUCKET).toBeDefined();
    const tags = Properties.Tags.map(({ Key, Value }: { Key: string; Value: string }) => [Key, Value]);
    expect(readSizeTags(Object.fromEntries(tags))).toEqual({
      engine: 'fargate',
      mapType: 'EXPRESS',
      mapConcurrency: 400,
      assessMemoryMiB: 1769,
      assessTimeoutSeconds: 90,
      stepMemoryMiB: 3008,
      fitVcpu: 4,
      fitMemoryGiB: 8,
      fitTimeoutHours: 12,
      fitTasks: 1,
      fargateVcpu: 6,
      lookAhead: 'refuse',
    });
    expect(readSizeTags({ 'synthrisk:environment': 'dev' })).toBeNull();
  });

  it('name what people look for', () => {
    expect(Object.keys(template.toJSON().Outputs).sort()).toEqual([
      'ApproverRoleArn',
      'AssessFunctionName',
      'BucketName',
      'ConfidentialReaderRoleArn',
      'OperatorRoleArn',
      'PurgerRoleArn',
      'ReleaseReaderRoleArn',
      'SigningKeyArn',
      'StateMachineArn',
      'SubmitterRoleArn',
      'TopicArn',
    ]);
  });
});
