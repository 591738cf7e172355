import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CdkCommand } from '../../../cli/cloud/cdk-command.ts';
import { pinImages } from '../../../cli/cloud/pinned-image.ts';
import { readSettings } from '../../../shared/contracts/cloud/environment-settings.ts';
import { temporaryFolder } from '../../run-command.ts';

const DIGEST = `sha256:${'0a'.repeat(32)}`;
const BASE = `sha256:${'0b'.repeat(32)}`;
const directory = temporaryFolder();

/** A program that does as Docker would. */
function docker(name: string, script: string): string {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** What CDK writes for where a stack is that is bound to no account. */
const token = (name: string) => ['$', '{AWS::', name, '}'].join('');

const MANIFEST = JSON.stringify({
  dockerImages: {
    a1: {
      destinations: {
        here: {
          repositoryName: `cdk-assets-${token('AccountId')}-${token('Region')}`,
          imageTag: 'a1',
          assumeRoleArn: `arn:${token('Partition')}:iam::${token('AccountId')}:role/publishing`,
        },
      },
    },
  },
});

describe('pinImages()', () => {
  const asked: string[] = [];
  let server: Server;
  let endpoint: string;

  beforeAll(async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'deployer');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const key = /Credential=(\w+)\//.exec(request.headers.authorization ?? '')?.[1];
      const action = new URLSearchParams(body).get('Action');
      asked.push(`${key} ${action ?? `${request.headers['x-amz-target']?.toString().split('.')[1]} ${body}`}`);
      if (action === null) {
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
        response.end(JSON.stringify({ imageDetails: [{ imageDigest: DIGEST }] }));
        return;
      }
      const credentials =
        '<Credentials><AccessKeyId>publisher</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken></Credentials>';
      const caller = '<Arn>arn:aws:sts::444455556666:assumed-role/a/b</Arn><Account>444455556666</Account>';
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(
        `<${action}Response><${action}Result>${action === 'AssumeRole' ? credentials : caller}</${action}Result></${action}Response>`,
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => server.close(done)));

  const PULLS = `case "$*" in *pull*node:24-slim) ;; *inspect*node:24-slim) echo '["node@${BASE}"]' ;; *) exit 9 ;; esac`;
  const deployment = { environment: 'prod', settings: ['fitVcpu=2'], region: 'eu-west-1', yes: false };

  /** What is deployed, and the commands of CDK before that. */
  async function pinned(settings: Record<string, unknown>, program = docker('fetches', PULLS)) {
    const commands: (readonly string[])[] = [];
    const run = ({ args }: CdkCommand) => {
      commands.push(args);
      writeFileSync(join(directory, 'synthrisk-prod.assets.json'), MANIFEST);
    };
    const complete = readSettings({ environment: 'prod', account: '111122223333', ...settings });
    const { settings: found } = await pinImages({ ...deployment, endpoint }, complete, { run, docker: program, output: directory });
    return { commands, found };
  }

  it('builds on the base image as its registry has it, and deploys the digest that was pushed', async () => {
    const { commands, found } = await pinned({});
    expect(found).toEqual(['fitVcpu=2', `baseImageDigest=${BASE}`, `imageDigest=${DIGEST}`]);
    expect(commands).toEqual([
      ['publish-assets', '--unstable=publish-assets', ...['environment=prod', ...found.slice(0, 2)].flatMap((one) => ['--context', one])],
    ]);
    // The registry of the account that the settings name, asked in the role that publishes.
    expect(asked).toEqual([
      'deployer GetCallerIdentity',
      'deployer AssumeRole',
      'publisher DescribeImages {"repositoryName":"cdk-assets-111122223333-eu-west-1","imageIds":[{"imageTag":"a1"}]}',
    ]);
  });

  it.each([{ baseImageDigest: BASE }, { baseImage: `registry.agency.example/node@${BASE}` }])(
    'fetches nothing where a digest is set: %j',
    async (set) => {
      expect((await pinned(set, 'no-such-program')).found).toEqual(['fitVcpu=2', `imageDigest=${DIGEST}`]);
    },
  );

  it('refuses a base image that cannot be fetched, whatever is left of it here', async () => {
    const none = docker('refuses', `case "$*" in *pull*) exit 1 ;; *) echo '["node@${BASE}"]' ;; esac`);
    await expect(pinned({}, none)).rejects.toThrow(/could not fetch node:24-slim/);
  });
});
