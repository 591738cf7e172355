import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { EncryptionKeys } from '../constructs/encryption-keys.ts';
import type { IsolatedNetwork } from '../constructs/isolated-network.ts';
import type { RunFunctions } from '../constructs/run-functions.ts';
import type { Settings } from '../settings.ts';
import type { FitEngine } from './fit-step.ts';

/** All that the workflow is made of. */
export interface EvaluationWorkflowProps {
  readonly settings: Settings;
  readonly bucket: IBucket;
  readonly keys: EncryptionKeys;
  readonly network: IsolatedNetwork;
  readonly topic: ITopic;
  readonly functions: RunFunctions;
  readonly engine: FitEngine;
}
