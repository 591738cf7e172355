import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/**
 * A log group encrypted with a key, whose entries expire after `logDays`. Logs hold references and named errors, never
 * a value of a table. They say who did what, and stay when the stack is deleted.
 */
export function encryptedLogGroup(
  scope: Construct,
  id: string,
  props: { readonly key: IKey; readonly settings: Settings; readonly name?: string },
): LogGroup {
  return new LogGroup(scope, id, {
    encryptionKey: props.key,
    // RetentionDays is the number of days.
    retention: props.settings.logDays,
    // But for a first deployment that fails, whose next try makes it anew.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    ...(props.name === undefined ? {} : { logGroupName: props.name }),
  });
}
