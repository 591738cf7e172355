import { setTimeout } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DescribeStackResourceDriftsCommand,
  DetectStackDriftCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { ServiceError } from '../../shared/contracts/errors.ts';
import type { Check } from './environment-checks.ts';

/** The settings that a stack was deployed with: null when there is no stack, undefined when it does not tell. */
export type DeployedSettings = Readonly<Record<string, unknown>> | null | undefined;

/** Where a stack is. */
export interface StackPlace {
  readonly region?: string;
  readonly endpoint?: string;
}

const clientOf = ({ endpoint, region }: StackPlace) =>
  new CloudFormationClient({ ...(region && { region }), ...(endpoint && { endpoint }) });

/** Between two questions whether the look at every resource is over, which takes minutes. */
const POLL_MILLISECONDS = 3_000;

/**
 * Reads the settings that a stack was deployed with from its template.
 *
 * @throws ServiceError when CloudFormation refuses
 */
export async function readDeployedSettings(
  stack: string,
  { region, endpoint }: { readonly region?: string; readonly endpoint?: string },
): Promise<DeployedSettings> {
  const cloudFormation = new CloudFormationClient({ ...(region && { region }), ...(endpoint && { endpoint }) });
  try {
    const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }));
    return JSON.parse(TemplateBody).Metadata?.SynthriskSettings;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'ValidationError' && /does not exist/.test(error.message)) return null;
    throw new ServiceError(error.name, `CloudFormation GetTemplate ${stack}: ${error.name}.`);
  }
}

/**
 * Whether a stack is as its template says: CloudFormation looks at every resource that it can look at.
 *
 * @throws ServiceError when CloudFormation refuses
 */
export async function checkDrift(stack: string, place: StackPlace): Promise<Check> {
  const cloudFormation = clientOf(place);
  const name = 'drift';
  try {
    const { StackDriftDetectionId } = await cloudFormation.send(new DetectStackDriftCommand({ StackName: stack }));
    for (;;) {
      const { DetectionStatus, StackDriftStatus } = await cloudFormation.send(
        new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }),
      );
      if (DetectionStatus === 'DETECTION_IN_PROGRESS') {
        await setTimeout(POLL_MILLISECONDS);
        continue;
      }
      if (StackDriftStatus !== 'DRIFTED') break;
      const { StackResourceDrifts = [] } = await cloudFormation.send(
        new DescribeStackResourceDriftsCommand({ StackName: stack, StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'] }),
      );
      const changed = StackResourceDrifts.map(
        ({ LogicalResourceId, PropertyDifferences = [], StackResourceDriftStatus }) =>
          `${LogicalResourceId} (${[StackResourceDriftStatus, ...PropertyDifferences.map(({ PropertyPath }) => PropertyPath)].join(' ')})`,
      );
      const message = `Not as they were deployed: ${changed.join(', ')}. Find out who changed them (CloudTrail), then deploy anew.`;
      return { name, outcome: 'missing', message };
    }
    return { name, outcome: 'ok', message: `${stack} is as its template says` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ServiceError(error.name, `CloudFormation, drift of ${stack}: ${error.name}.`);
  }
}
