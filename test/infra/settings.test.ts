import { describe, expect, it } from 'vitest';
import { readSettings } from '../../infra/settings.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';

const KEY = 'arn:aws:kms:us-east-1:111122223333:key/0a1b';
const BOUNDARY = 'arn:aws:iam::111122223333:policy/boundary';

const CENTER = 'aws-reserved/sso.amazonaws.com/AWSReservedSSO_Statistics_????';
const APART = { approverArns: `arn:aws:iam::111122223333:role/${CENTER.replace('????', '0a1b')}` };

describe('readSettings()', () => {
  it('completes an empty context with defaults that fit each other', () => {
    expect(readSettings({})).toMatchObject({ environment: 'dev', engine: 'fargate', mapType: 'EXPRESS', fitVcpu: 4 });
  });

  it('takes numbers as text, as the command line of CDK hands them over', () => {
    expect(readSettings({ mapConcurrency: '100' }).mapConcurrency).toBe(100);
    expect(readSettings({ mapConcurrency: 100 }).mapConcurrency).toBe(100);
  });

  it('takes lists and tags as text too', () => {
    const text = { vpcId: 'vpc-1', subnetIds: 'subnet-1,subnet-2', storageEndpointId: 'vpce-1', tags: 'a=b,c=d=e' };
    expect(readSettings(text)).toMatchObject({ subnetIds: ['subnet-1', 'subnet-2'], tags: { a: 'b', c: 'd=e' } });
  });

  it('gives emulators children of the kind that they have', () => {
    expect(readSettings({ engine: 'lambda' }).mapType).toBe('STANDARD');
    expect(readSettings({ engine: 'lambda', mapType: 'EXPRESS' }).mapType).toBe('EXPRESS');
  });

  it('leaves the keys of CDK itself alone', () => {
    const context = { '@aws-cdk/core:flag': true, 'aws:cdk:bundling': [], 'availability-zones:account': 1 };
    expect(readSettings(context)).toEqual(readSettings({}));
  });

  it.each<[string, Record<string, unknown>]>([
    ['environment', { environment: 'Dev_1' }],
    ['environment', { environment: 'x'.repeat(21) }],
    ['engine', { engine: 'ec2' }],
    ['mapType', { mapType: 'INLINE' }],
    ['mapConcurrency', { mapConcurrency: 0 }],
    ['mapConcurrency', { mapConcurrency: 10_001 }],
    ['mapConcurrency', { mapConcurrency: '' }],
    ['mapConcurrency', { mapConcurrency: '1e3' }],
    ['mapConcurrency', { mapConcurrency: 1.5 }],
    ['assessMemoryMiB', { assessMemoryMiB: 20_000 }],
    ['assessTimeoutSeconds', { assessTimeoutSeconds: 91 }],
    ['assessTimeoutSeconds', { assessTimeoutSeconds: 901, mapType: 'STANDARD' }],
    ['fitVcpu', { fitVcpu: 3 }],
    ['fitVcpu', { fitVcpu: 32 }],
    ['fitMemoryGiB', { fitVcpu: 4, fitMemoryGiB: 31 }],
    ['fitMemoryGiB', { fitVcpu: 16, fitMemoryGiB: 36 }],
    ['fitTimeoutHours', { fitTimeoutHours: 25 }],
    ['oldRunHours', { oldRunHours: 25 }],
    ['logDays', { logDays: 8 }],
    ['intermediateDays', { intermediateDays: 1 }],
    ['intermediateDays', { intermediateDays: 14, runTimeoutHours: 336 }],
    ['tableDays', { tableDays: 1 }],
    ['resultDays', { resultDays: 14, runTimeoutHours: 336, intermediateDays: 20 }],
    ['objectLock', { objectLock: 'yes', objectLockDays: 3 }],
    ['objectLockDays', { objectLock: 'governance' }],
    ['objectLockDays', { objectLockDays: 3 }],
    ['terminationProtection', { terminationProtection: 'yes' }],
    ['notifyEmail', { notifyEmail: 'somebody' }],
    ['mapConcurency', { mapConcurency: 10 }],
    ['stopDollars', { stopDollars: 49 }],
    ['trail', { trail: 'management' }],
    ['account', { account: '1234' }],
    ['region', { region: 'Virginia' }],
    ['partition', { region: 'us-gov-west-1', partition: 'aws' }],
    ['permissionsBoundaryArn', { region: 'us-gov-west-1', permissionsBoundaryArn: BOUNDARY }],
    ['permissionsBoundaryArn', { permissionsBoundaryArn: 'boundary' }],
    ['operationsKeyArn', { region: 'eu-west-1', operationsKeyArn: KEY }],
    ['dataKeyArn', { bucketName: 'agency-runs' }],
    ['dataKeyArn', { dataKeyArn: KEY }],
    ['subnetIds', { subnetIds: ['subnet-1'] }],
    ['subnetIds', { vpcId: 'vpc-1', storageEndpointId: 'vpce-1' }],
    ['storageEndpointId', { vpcId: 'vpc-1', subnetIds: 'subnet-1,subnet-2' }],
    ['routeTableIds', { vpcId: 'vpc-1', subnetIds: 'subnet-1,subnet-2', routeTableIds: 'rtb-1' }],
    ['interfaceEndpoints', { interfaceEndpoints: 'existing' }],
    ['rolePath', { rolePath: 'agency' }],
    ['namePrefix', { namePrefix: 'Agency_' }],
    ['tags', { tags: { 'aws:owner': 'me' } }],
    ['tags', { tags: 'owner' }],
    ['peopleArns', { peopleArns: 'arn:aws:iam::111122223333:root' }],
    ['peopleArns', { peopleArns: '*' }],
    ['submitterArns', { submitterArns: ['arn:aws:iam::111122223333:role/*'] }],
    ['approverArns', { approverArns: 'arn:aws:iam::111122223333:role/a,everybody' }],
    ['peopleArns', { region: 'us-gov-west-1', peopleArns: 'arn:aws:iam::111122223333:role/a' }],
    ['peopleMfa', { peopleMfa: true, peopleArns: `arn:aws:iam::111122223333:role/${CENTER}` }],
    ['approverArns', { approverApart: true, peopleArns: 'arn:aws:iam::111122223333:role/a' }],
    ['approverArns', { approverApart: true, ...APART, submitterArns: `arn:aws:iam::111122223333:role/${CENTER}` }],
    ['peopleSources', { peopleSources: 'office' }],
    ['peopleTags', { peopleTags: 'unit' }],
  ])('refuses a wrong %s: %j', (name, context) => {
    expect(() => readSettings(context)).toThrow(InvalidConfigError);
    expect(() => readSettings(context)).toThrow(new RegExp(name));
  });

  it('names every setting that is wrong at once', () => {
    expect(() => readSettings({ engine: 'ec2', logDays: 8 })).toThrow(/engine: .*logDays: /);
  });
});
