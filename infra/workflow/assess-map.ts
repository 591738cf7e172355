import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { DistributedMap, JsonPath, S3JsonItemReader, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { RunFunction } from '../constructs/run-function.ts';
import type { Settings } from '../settings.ts';
import { functionStep } from './function-step.ts';
import { MAP_RETRIES } from './retries.ts';

/** An Express execution ends after five minutes, whatever it is doing. */
const EXPRESS_SECONDS = 300;

/** Part of the names of the map's children. */
export const MAP_LABEL = 'assess';

/**
 * The map over the batches of a round: one child execution an item of the JSON array that the manifest holds. The first
 * batch that fails for good fails the map.
 *
 * Parts go to the bucket and answers nowhere. A child gives back an empty object, since the answers of all children
 * together may not exceed 256 KiB: three bytes each are room for 80,000 batches.
 */
export function assessMap(
  scope: Construct,
  id: string,
  props: { readonly assessBatch: RunFunction; readonly bucket: IBucket; readonly settings: Settings },
): DistributedMap {
  const { assessBatch, bucket, settings } = props;
  const map = DistributedMap.jsonPath(scope, id, {
    label: MAP_LABEL,
    mapExecutionType: StateMachineType[settings.mapType],
    maxConcurrency: settings.mapConcurrency,
    toleratedFailurePercentage: 0,
    itemReader: new S3JsonItemReader({ bucket, key: JsonPath.stringAt('$.manifest.key') }),
    resultPath: JsonPath.DISCARD,
  });
  map.itemProcessor(
    functionStep(scope, 'AssessBatch', {
      fn: assessBatch,
      ...(settings.mapType === 'EXPRESS' ? { callerSeconds: EXPRESS_SECONDS } : {}),
      resultPath: JsonPath.DISCARD,
      outputPath: JsonPath.DISCARD,
    }),
  );
  for (const retry of MAP_RETRIES) map.addRetry(retry);
  return map;
}
