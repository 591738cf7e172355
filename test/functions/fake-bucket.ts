import { afterAll, beforeAll, vi } from 'vitest';
import { type EnvironmentSize, encodeSize } from '../../shared/contracts/cloud/cloud-environment.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import { FakeS3 } from '../storage/fake-s3.ts';

/** The size of an environment in which functions are tested, as they are told it. */
export function environmentSize(size: Partial<EnvironmentSize> = {}): string {
  return encodeSize({
    engine: 'lambda',
    mapType: 'EXPRESS',
    mapConcurrency: 800,
    assessMemoryMiB: 1769,
    assessTimeoutSeconds: 90,
    stepMemoryMiB: 3008,
    fitVcpu: 4,
    fitMemoryGiB: 8,
    fitTimeoutHours: 12,
    fitTasks: 1,
    fargateVcpu: 6,
    lookAhead: 'refuse',
    ...size,
  });
}

/** Digest of the code that functions under test are taken for. */
export const CODE = 'c0de'.repeat(16);

/** Name of the bucket that the functions under test work with. */
export const BUCKET = 'evaluations';

/** The bucket of a test file, and the server behind it. */
export interface FakeBucket {
  readonly s3: FakeS3;
  readonly store: S3Store;
  /** The environment of a function or a container that works with the bucket. */
  readonly environment: Record<string, string>;
}

/**
 * Starts a server for the tests of a file and sets the environment of functions to it, with `variables` beside.
 * The fields of what is returned are there when tests run.
 */
export function fakeBucket(variables: Record<string, string> = {}): FakeBucket {
  const bucket = {} as { -readonly [Field in keyof FakeBucket]: FakeBucket[Field] };
  beforeAll(async () => {
    bucket.s3 = await FakeS3.start();
    bucket.environment = {
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: bucket.s3.endpoint,
      BUCKET,
      ENVIRONMENT_SIZE: environmentSize(),
      CODE,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '2048',
      SIGNING_KEY: 'alias/synthrisk-test-manifests',
      // As the stack has it: what never changes of a run is read once.
      INPUTS_CACHE_MIB: '64',
      ...variables,
    };
    for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
    bucket.store = new S3Store({ bucket: BUCKET, endpoint: bucket.s3.endpoint });
  });
  afterAll(() => bucket.s3.stop());
  return bucket;
}
