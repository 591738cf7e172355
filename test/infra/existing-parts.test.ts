import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DeployedResources } from '../../cli/cloud/deployed-stack.ts';
import { rightsOnKey } from '../../cli/cloud/existing-parts.ts';
import { interfaceServices } from '../../shared/contracts/cloud/cloud-environment.ts';
import { BOUNDARY, DATA, EXISTING_PARTS, OPERATIONS } from './existing-settings.ts';
import { flatten, ofType, synthesize } from './synthesize.ts';

/** All at once, in GovCloud. */
const existing = synthesize(EXISTING_PARTS);

describe('an environment in what was there before', () => {
  it('makes no network, no endpoints, and no key but that which signs manifests', () => {
    for (const type of ['EC2::VPC', 'EC2::Subnet', 'EC2::VPCEndpoint', 'EC2::FlowLog']) {
      expect(ofType(existing, `AWS::${type}`), type).toEqual([]);
    }
    const keys = ofType(existing, 'AWS::KMS::Key').map(([, { Properties }]) => Properties.KeyUsage);
    expect(keys).toEqual(['SIGN_VERIFY']);
    const functions = ofType(existing, 'AWS::Lambda::Function');
    for (const [id, { Properties }] of functions) {
      expect(Properties.VpcConfig.SubnetIds, id).toEqual(['subnet-0a', 'subnet-0b']);
    }
    expect(existing.workflow.States.Fit.Parameters.NetworkConfiguration.AwsvpcConfiguration.Subnets).toEqual(['subnet-0a', 'subnet-0b']);
  });

  it('makes an endpoint of S3 in the route tables that are named, where none is', () => {
    const network = { vpcId: 'vpc-0a', subnetIds: 'subnet-0a', routeTableIds: 'rtb-0a', engine: 'lambda' };
    const endpoints = ofType(synthesize(network), 'AWS::EC2::VPCEndpoint').map(([, one]) => one.Properties);
    const gateways = endpoints.filter(({ VpcEndpointType }) => VpcEndpointType === 'Gateway');
    expect(gateways).toEqual([expect.objectContaining({ VpcId: 'vpc-0a', RouteTableIds: ['rtb-0a'] })]);
    // Manifests are signed through one of its own.
    expect(endpoints).toHaveLength(2);
  });

  it('refuses at the bucket what it refuses at its own, by the endpoint that is named', () => {
    expect(ofType(existing, 'AWS::S3::Bucket').map(([id]) => id)).toEqual([expect.stringMatching(/^RunsAccessLog/)]);
    const sids = (environment: typeof existing) => {
      const policies = ofType(environment, 'AWS::S3::BucketPolicy').filter(([id]) => !id.startsWith('RunsAccessLog'));
      expect(policies).toHaveLength(1);
      expect(policies[0]![1].DeletionPolicy).toBe('Retain');
      return policies[0]![1];
    };
    const named = sids(existing).Properties;
    expect(named.Bucket).toBe('agency-runs');
    const statements = named.PolicyDocument.Statement as { Sid?: string; Condition: object }[];
    const own = sids(synthesize()).Properties.PolicyDocument.Statement as { Sid?: string }[];
    const ofBucket = own.flatMap(({ Sid }) => (Sid === undefined ? [] : [Sid]));
    expect(ofBucket.length).toBeGreaterThan(10);
    expect(statements.map(({ Sid }) => Sid)).toEqual(expect.arrayContaining(ofBucket));
    const through = statements.find(({ Sid }) => Sid === 'OnlyThroughTheEndpoint')!;
    expect(through.Condition).toMatchObject({ StringNotEquals: { 'aws:SourceVpce': 'vpce-0a' } });
    expect(statements.find(({ Sid }) => Sid === 'OnlyTls')!.Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
  });

  it('uses the keys that are named', () => {
    for (const [id, { Properties }] of ofType(existing, 'AWS::Logs::LogGroup')) {
      expect(Properties.KmsKeyId, id).toBe(OPERATIONS);
    }
    expect(existing.text).toContain(DATA);
  });

  it('needs of the owner what the page says: the users of keys, and endpoints', () => {
    const section = readFileSync('docs/how-to/cloud.md', 'utf8').split('## What was there before')[1]!.split('\n## ')[0]!;
    const row = (name: string) => section.split('\n').find((line) => line.startsWith(`| ${name} |`))!;
    const users = (key: string) => {
      const kinds = [...rightsOnKey(existing.resources as DeployedResources, key).keys()].map((id) => {
        if (/^(Functions|Fit)/.test(id)) return 'the steps';
        return /^People/.test(id) ? `\`${/^People(\w+)Role/.exec(id)![1]}\`` : 'the workflow';
      });
      return [...new Set(kinds)].sort();
    };
    const named = (name: string) => {
      const text = row(name);
      const people = ['Submitter', 'Operator', 'ConfidentialReader', 'ReleaseReader', 'Approver', 'Purger'].map((one) => `\`${one}\``);
      return [/of the steps/.test(text) ? 'the steps' : '', /of the workflow/.test(text) ? 'the workflow' : '', ...people]
        .filter((kind) => kind !== '' && text.includes(kind))
        .sort();
    };
    expect(named('`dataKeyArn`')).toEqual(users(DATA));
    expect(named('`operationsKeyArn`')).toEqual(users(OPERATIONS));
    const endpoints = ofType(synthesize(), 'AWS::EC2::VPCEndpoint')
      .filter(([, { Properties }]) => Properties.VpcEndpointType === 'Interface')
      .map(([, { Properties }]) => flatten(Properties.ServiceName).split('<AWS::Region>.')[1]!);
    expect(endpoints).toEqual([...interfaceServices('fargate')]);
    const told = (text: string) => [...text.matchAll(/`(kms|ecr\.api|ecr\.dkr|logs)`/g)].map(([, one]) => one);
    expect(told(row('network'))).toEqual(endpoints);
    const setting = readFileSync('docs/how-to/cloud.md', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('| `interfaceEndpoints` |'))!;
    expect(told(setting)).toEqual(endpoints);
  });

  it('gives every role the boundary, the path and the tags', () => {
    const roles = ofType(existing, 'AWS::IAM::Role');
    expect(roles.length).toBeGreaterThan(10);
    for (const [id, { Properties }] of roles) {
      expect(Properties, id).toMatchObject({ Path: '/agency/', PermissionsBoundary: BOUNDARY });
      expect(Properties.Tags, id).toContainEqual({ Key: 'owner', Value: 'statistics' });
    }
    for (const [id, { Properties }] of ofType(existing, 'AWS::IAM::ManagedPolicy')) {
      expect(Properties.Path, id).toBe('/agency/');
    }
  });

  it('is named by the prefix, and bound to its partition by nothing but ARNs', () => {
    const functions = ofType(existing, 'AWS::Lambda::Function').map(([, one]) => one.Properties.FunctionName);
    expect(functions).toContain('agency-stats-prod-assess-batch');
    const [machine] = ofType(existing, 'AWS::StepFunctions::StateMachine');
    expect(flatten(machine![1].Properties.StateMachineName)).toBe('agency-stats-prod');
    // An ARN of the commercial partition would name nothing in GovCloud.
    expect(existing.text.match(/arn:aws:[a-z]+:/g)).toBeNull();
  });

  it('tells its settings in the template, for the next deployment', () => {
    const { Metadata } = existing.template.toJSON();
    expect(Metadata.SynthriskSettings).toMatchObject({ environment: 'prod', vpcId: 'vpc-0a', fitVcpu: 4 });
  });
});
