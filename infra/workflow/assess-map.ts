import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { DistributedMap, JsonPath, Pass, S3JsonItemReader, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { RunFunction } from '../constructs/run-function.ts';
import type { Settings } from '../settings.ts';
import { functionStep } from './function-step.ts';
import { briefRetries, MAP_RETRIES, REFUSED_CALLS } from './retries.ts';

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
 *
 * An Express child has no time to wait for functions that are throttled for long: it leaves its batch over and ends well.
 * `aggregate-run` finds which batches are missing, and the workflow maps over those once more.
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
  const isExpress = settings.mapType === 'EXPRESS';
  const step = functionStep(scope, 'AssessBatch', {
    fn: assessBatch,
    ...(isExpress ? { retries: (_run: number, callSeconds: number) => briefRetries(EXPRESS_SECONDS, callSeconds) } : {}),
    resultPath: JsonPath.DISCARD,
    outputPath: JsonPath.DISCARD,
  });
  if (isExpress) {
    const leftOver = new Pass(scope, 'LeftOver', { outputPath: JsonPath.DISCARD });
    step.addCatch(leftOver, { errors: [...REFUSED_CALLS], resultPath: JsonPath.DISCARD });
  }
  map.itemProcessor(step);
  for (const retry of MAP_RETRIES) map.addRetry(retry);
  return map;
}
