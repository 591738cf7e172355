import { describe, expect, it } from 'vitest';
import { cdkCommand, needsContainer } from '../../../cli/cloud/cdk-command.ts';

const deployment = { environment: 'prod', settings: ['fitVcpu=2', 'notifyEmail=a@b.example'], yes: false };

describe('cdkCommand()', () => {
  it('hands the environment and its settings to CDK as context', () => {
    expect(cdkCommand(deployment)).toEqual({
      script: 'aws-cdk/bin/cdk',
      args: [
        'deploy',
        ...['--context', 'environment=prod'],
        ...['--context', 'fitVcpu=2', '--context', 'notifyEmail=a@b.example'],
      ],
      env: {},
    });
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

it('needsContainer() unless a function runs the chains', () => {
  expect(needsContainer(deployment)).toBe(true);
  expect(needsContainer({ ...deployment, settings: ['engine=lambda'] })).toBe(false);
});
