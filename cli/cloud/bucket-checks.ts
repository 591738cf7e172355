import {
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLoggingCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { INTERMEDIATE_TAG, TABLE_TAG } from '../../shared/contracts/keys.ts';
import { CLIENT_TIMEOUTS } from '../../shared/storage/client-timeouts.ts';
import type { StackPlace } from './deployed-stack.ts';
import { askedByAnother, type Check } from './environment-checks.ts';

/**
 * Looks at what a deployment cannot set of a bucket that was there before: each has to be as of one that a deployment makes.
 *
 * @param keyArn the key that the bucket has to encrypt with
 */
export async function checkExistingBucket(bucket: string, keyArn: string, { endpoint, region }: StackPlace): Promise<Check[]> {
  const s3 = new S3Client({
    requestHandler: CLIENT_TIMEOUTS,
    ...(region && { region }),
    ...(endpoint && { endpoint, forcePathStyle: true }),
  });
  const Bucket = { Bucket: bucket };
  const look = async (what: string, wanted: string, holds: () => Promise<boolean | undefined>): Promise<Check> => {
    const name = `bucket ${what}`;
    try {
      if (await holds()) return { name, outcome: 'ok', message: wanted };
    } catch (error) {
      // What was never set is answered by an error of this name, and is not as it has to be.
      if (!(error instanceof Error) || !/NotFound|NoSuch/.test(error.name)) {
        const word = error instanceof Error ? error.name : 'no answer';
        return askedByAnother(name, 'whoever deploys', word) ?? { name, outcome: 'missing', message: `S3 does not say: ${word}` };
      }
    }
    return { name, outcome: 'missing', message: `Its owner has to set: ${wanted} (docs/how-to/cloud.md).` };
  };
  return [
    await look('versions', 'versions are kept', async () => {
      return (await s3.send(new GetBucketVersioningCommand(Bucket))).Status === 'Enabled';
    }),
    await look('encryption', `encrypts with ${keyArn} and a bucket key`, async () => {
      const { ServerSideEncryptionConfiguration: set } = await s3.send(new GetBucketEncryptionCommand(Bucket));
      const rule = set?.Rules?.[0];
      const { KMSMasterKeyID, SSEAlgorithm } = rule?.ApplyServerSideEncryptionByDefault ?? {};
      return SSEAlgorithm === 'aws:kms' && KMSMasterKeyID === keyArn && rule?.BucketKeyEnabled;
    }),
    await look('public access', 'all public access is blocked', async () => {
      const { PublicAccessBlockConfiguration: set } = await s3.send(new GetPublicAccessBlockCommand(Bucket));
      const { BlockPublicAcls, BlockPublicPolicy, IgnorePublicAcls, RestrictPublicBuckets } = set ?? {};
      return BlockPublicAcls && BlockPublicPolicy && IgnorePublicAcls && RestrictPublicBuckets;
    }),
    await look('events', 'events go to EventBridge', async () => {
      const set = await s3.send(new GetBucketNotificationConfigurationCommand(Bucket));
      return set.EventBridgeConfiguration !== undefined;
    }),
    await look('log', 'requests are logged into the access-log bucket of the stack', async () => {
      return (await s3.send(new GetBucketLoggingCommand(Bucket))).LoggingEnabled !== undefined;
    }),
    ...(await Promise.all(
      [INTERMEDIATE_TAG, TABLE_TAG].map((tag) =>
        look(`lifecycle of ${tag.value}`, `what is tagged ${tag.key}=${tag.value} expires`, async () => {
          const { Rules = [] } = await s3.send(new GetBucketLifecycleConfigurationCommand(Bucket));
          return Rules.some(
            ({ Expiration, Filter, Status }) =>
              Status === 'Enabled' && Expiration?.Days !== undefined && Filter?.Tag?.Key === tag.key && Filter.Tag.Value === tag.value,
          );
        }),
      ),
    )),
  ];
}
