import { setTimeout } from 'node:timers/promises';
import {
  CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DescribeStackResourceDriftsCommand,
  DetectStackDriftCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { ServiceError } from '../../shared/contracts/errors.ts';
import { CLIENT_TIMEOUTS } from '../../shared/storage/client-timeouts.ts';
import type { Check } from './environment-checks.ts';

/** What a stack was deployed with, as its template has it. */
export interface DeployedStack {
  /** Its settings; undefined when it does not tell. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  /** Whether its bucket for runs has Object Lock: null where the template does not say, undefined where it has no such bucket. */
  readonly objectLock: boolean | null | undefined;
  /** Its resources by their logical ids. */
  readonly resources: DeployedResources;
}

/** Resources of a template by their logical ids, as far as they are looked at. */
export type DeployedResources = Readonly<
  Record<
    string,
    {
      readonly Type: string;
      readonly Properties?: {
        readonly ObjectLockEnabled?: boolean;
        readonly PolicyDocument?: PolicyDocument;
        readonly ManagedPolicyArns?: readonly unknown[];
        readonly Roles?: readonly unknown[];
      };
    }
  >
>;

/** A policy, as far as it is looked at; what is one may stand for a list of one. */
export interface PolicyDocument {
  readonly Statement: readonly {
    readonly Effect: 'Allow' | 'Deny';
    readonly Action?: string | readonly string[];
    readonly Resource?: unknown;
    readonly Principal?: '*' | { readonly AWS?: string | readonly string[]; readonly Service?: string | readonly string[] };
    readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
  }[];
}

/** How the template calls the bucket for runs. */
const RUN_BUCKET = /^RunsBucket/;

function lockOf(resources: DeployedResources): DeployedStack['objectLock'] {
  const bucket = Object.entries(resources).find(([id, { Type }]) => Type === 'AWS::S3::Bucket' && RUN_BUCKET.test(id));
  return bucket && (bucket[1].Properties?.ObjectLockEnabled ?? null);
}

/** Where a stack is. */
export interface StackPlace {
  readonly region?: string;
  readonly endpoint?: string;
}

const clientOf = ({ endpoint, region }: StackPlace) =>
  new CloudFormationClient({ requestHandler: CLIENT_TIMEOUTS, ...(region && { region }), ...(endpoint && { endpoint }) });

/** Between two questions whether the look at every resource is over, which takes minutes. */
const POLL_MILLISECONDS = 3_000;

/**
 * Reads what a stack was deployed with from its template; null when there is no stack.
 *
 * @throws ServiceError when CloudFormation refuses
 */
export async function readDeployedStack(stack: string, place: StackPlace): Promise<DeployedStack | null> {
  const cloudFormation = clientOf(place);
  try {
    const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }));
    const { Metadata, Resources = {} } = JSON.parse(TemplateBody);
    return { settings: Metadata?.SynthriskSettings, objectLock: lockOf(Resources), resources: Resources };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'ValidationError' && /does not exist/.test(error.message)) return null;
    throw new ServiceError(error.name, `CloudFormation GetTemplate ${stack}: ${error.name}.`);
  }
}

/**
 * The names that the resources of a stack were given, by their logical ids.
 *
 * @throws ServiceError when CloudFormation refuses
 */
export async function readPhysicalNames(stack: string, place: StackPlace): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client: clientOf(place) }, { StackName: stack })) {
      for (const { LogicalResourceId, PhysicalResourceId } of StackResourceSummaries)
        names.set(LogicalResourceId!, PhysicalResourceId ?? '');
    }
    return names;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ServiceError(error.name, `CloudFormation ListStackResources ${stack}: ${error.name}.`);
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
