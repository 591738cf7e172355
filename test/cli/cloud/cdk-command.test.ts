import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cdkCommand, deploymentSettings } from '../../../cli/cloud/cdk-command.ts';
import type { DeployedStack } from '../../../cli/cloud/deployed-stack.ts';
import { holdSettings, keepBucket } from '../../../cli/cloud/hold-settings.ts';
import { synthrisk, temporaryFolder } from '../../run-command.ts';

const deployment = { environment: 'prod', settings: ['fitVcpu=2', 'notifyEmail=a@b.example'], yes: false };

describe('cdkCommand()', () => {
  it('hands the environment and its settings to CDK as context', () => {
    expect(cdkCommand(deployment)).toEqual({
      script: 'aws-cdk/bin/cdk',
      args: ['deploy', ...['--context', 'environment=prod'], ...['--context', 'fitVcpu=2', '--context', 'notifyEmail=a@b.example']],
      env: {},
    });
  });

  it('builds and pushes what the same settings deploy', () => {
    const [command, unstable, ...context] = cdkCommand(deployment, 'publish-assets').args;
    expect([command, unstable]).toEqual(['publish-assets', '--unstable=publish-assets']);
    expect(context).toEqual(cdkCommand(deployment).args.slice(1));
  });

  it('deploys to an emulator with its own program, in the region that is named, unasked if told so', () => {
    const endpoint = 'http://127.0.0.1:4566';
    const { args, env, script } = cdkCommand({ ...deployment, endpoint, region: 'eu-west-1', yes: true });
    expect(script).toBe('aws-cdk-local/bin/cdklocal');
    expect(args.slice(0, 3)).toEqual(['deploy', '--require-approval', 'never']);
    expect(env).toEqual({
      AWS_REGION: 'eu-west-1',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_S3: endpoint,
    });
  });
});

it('deploymentSettings() puts what is named over what the file keeps', () => {
  const settings = deploymentSettings(deployment, { fitVcpu: 8, dailyDollars: 7 });
  expect(settings).toMatchObject({ environment: 'prod', fitVcpu: 2, dailyDollars: 7 });
  expect(() => deploymentSettings(deployment, { dailyDolars: 7 })).toThrow(/dailyDolars/);
});

describe('holdSettings()', () => {
  const wanted = deploymentSettings(deployment, { dailyDollars: 7 });
  const deployed = (settings: DeployedStack['settings']): DeployedStack => ({ settings, objectLock: null, resources: {} });

  it('lets through a new environment, and settings as they were deployed', () => {
    holdSettings(null, wanted);
    holdSettings(deployed({ ...wanted }), wanted);
    // Digests are found by each deployment.
    holdSettings(deployed({ ...wanted, imageDigest: 'sha256:0a', baseImageDigest: 'sha256:0b' }), wanted);
    // As by a version that had fewer settings, of which each is now as it is by default.
    const { rolePath: _, ...fewer } = wanted;
    holdSettings(deployed(fewer), wanted);
  });

  it('refuses to reset what was set, and says what it would become', () => {
    expect(() => holdSettings(deployed({ ...wanted, dailyDollars: 9, batchSize: 5 }), wanted)).toThrow(
      /not those that were deployed last: batchSize: 5 becomes not set; dailyDollars: 9 becomes 7\./,
    );
    expect(() => holdSettings(deployed(undefined), wanted)).toThrow(/does not tell its settings/);
  });
});

describe('keepBucket()', () => {
  const open = deploymentSettings(deployment, {});
  const locked = deploymentSettings(deployment, { objectLock: 'governance', objectLockDays: '30' });
  const by = (objectLock: DeployedStack['objectLock'], wanted = open) => keepBucket({ settings: {}, objectLock, resources: {} }, wanted);

  it('says of Object Lock what the deployed template says, and nothing where there is none', () => {
    expect(keepBucket(null, open).objectLockWritten).toBe(false);
    expect(by(null).objectLockWritten).toBe(false);
    expect(by(false).objectLockWritten).toBe(true);
    expect(by(true, locked)).toEqual(locked);
    // What somebody says of it does not make another bucket.
    expect(by(null, { ...open, objectLockWritten: true }).objectLockWritten).toBe(false);
    expect(by(undefined)).toBe(open);
  });

  it('lets settings of a version through that wrote the property and had no setting for it', () => {
    const { objectLockWritten: _, ...earlier } = open;
    holdSettings({ settings: earlier, objectLock: false, resources: {} }, by(false));
  });

  it('refuses what would make another bucket', () => {
    for (const [was, wanted] of [
      [true, open],
      [false, locked],
      [null, locked],
    ] as const) {
      expect(() => by(was, wanted)).toThrow(/would make another bucket.*another environment/);
    }
  });
});

describe('deploy', () => {
  const directory = temporaryFolder();

  it('says that the image of the container needs Docker', async () => {
    const env = { CDK_DOCKER: 'no-such-program' };
    const { code, stderr } = await synthrisk(directory, ['cloud', 'deploy'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('Name a program like it in CDK_DOCKER, or deploy with');
    expect(stderr).toContain('no-such-program');
  });

  it('refuses a setting that is none before CDK begins', async () => {
    const { code, stderr } = await synthrisk(directory, ['cloud', 'deploy', '--setting', 'engine']);
    expect(code).toBe(2);
    expect(stderr).toContain('Expected --setting name=value, as docs/how-to/cloud.md');
    expect(existsSync(join(directory, 'cdk.out'))).toBe(false);
  });

  it('refuses settings that do not say who may take which role, with what to write', async () => {
    writeFileSync(
      join(directory, 'earlier.yaml'),
      'environment: prod\nengine: lambda\nsubmitterArns: [arn:aws:iam::111122223333:role/a]\n',
    );
    const { code, stdout, stderr } = await synthrisk(directory, ['cloud', 'deploy', '--settings', 'earlier.yaml', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.code).toBe('no-people');
    for (const setting of ['operatorArns', 'confidentialReaderArns', 'releaseReaderArns', 'approverArns', 'purgerArns']) {
      expect(stderr).toContain(`  ${setting}: [arn:aws:iam::111122223333:role/NAME]\n`);
    }
    expect(stderr).not.toContain('submitterArns');
  });

  it('asks the region that is set over the file what was deployed there', async () => {
    const regions: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      regions.push(/Credential=test\/\d+\/([\w-]+)\/cloudformation\//.exec(headers.authorization ?? '')?.[1]);
      response
        .writeHead(403, { 'content-type': 'text/xml' })
        .end('<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      writeFileSync(join(directory, 'prod.yaml'), 'environment: prod\nregion: eu-west-1\n');
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { code, stderr } = await synthrisk(
        directory,
        [
          ...['cloud', 'deploy', '--settings', 'prod.yaml', '--endpoint', endpoint],
          ...['--setting', 'region=eu-north-1', 'engine=lambda', 'peopleArns=nobody'],
        ],
        { env: { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'eu-west-2' } },
      );
      expect(code, stderr).toBe(3);
      expect(new Set(regions)).toEqual(new Set(['eu-north-1']));
    } finally {
      server.close();
    }
  });
});
