import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { stringify } from 'yaml';
import { CODE, environmentSize } from '../../functions/fake-bucket.ts';
import { smallTable, WITHOUT_UTILITY } from '../../pipeline/small-run.ts';
import { type Outcome, synthrisk, temporaryFolder } from '../../run-command.ts';
import { BUCKET, ENVIRONMENT, FakeAws } from './fake-aws.ts';

const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };

/** An account for the tests of a file, and a folder with `table.csv` and `run.yaml` to work in. */
export interface FakeAccount {
  readonly aws: FakeAws;
  readonly directory: string;
  readonly table: Uint8Array;
  /** Runs `synthrisk cloud` there, with the account's address, environment and credentials. */
  cloud(...args: string[]): Promise<Outcome>;
}

/** Starts an account for the tests of a file. The fields of what is returned are there when tests run. */
export function fakeAccount(seed: number): FakeAccount {
  const directory = temporaryFolder();
  const table = smallTable({ seed });
  writeFileSync(join(directory, 'table.csv'), table);
  writeFileSync(join(directory, 'run.yaml'), stringify(WITHOUT_UTILITY));
  const account = {
    directory,
    table,
    cloud(command: string, ...args: string[]) {
      const { endpoint } = account.aws;
      const place = ['--environment', ENVIRONMENT, '--endpoint', endpoint];
      return synthrisk(directory, ['cloud', command, ...args, ...place], { env: CREDENTIALS });
    },
  } as { -readonly [Field in keyof FakeAccount]: FakeAccount[Field] };
  beforeAll(async () => {
    account.aws = await FakeAws.start();
    const functions = {
      ...CREDENTIALS,
      BUCKET,
      CODE,
      AWS_ENDPOINT_URL: account.aws.bucketEndpoint,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048',
      SIGNING_KEY: 'alias/synthrisk-test-manifests',
      ENVIRONMENT_SIZE: environmentSize({ batchSize: 7 }),
    };
    for (const [name, value] of Object.entries(functions)) vi.stubEnv(name, value);
  });
  afterAll(() => account.aws.stop());
  return account;
}
