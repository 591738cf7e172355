import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { ServiceError } from '../../shared/contracts/errors.ts';

/** The settings that a stack was deployed with: null when there is no stack, undefined when it does not tell. */
export type DeployedSettings = Readonly<Record<string, unknown>> | null | undefined;

/**
 * Reads the settings that a stack was deployed with from its template.
 *
 * @throws ServiceError when CloudFormation refuses
 */
export async function readDeployedSettings(
  stack: string,
  { region, endpoint }: { readonly region?: string; readonly endpoint?: string },
): Promise<DeployedSettings> {
  const cloudFormation = new CloudFormationClient({
    ...(region && { region }),
    ...(endpoint && { endpoint }),
  });
  try {
    const { TemplateBody = '{}' } = await cloudFormation.send(
      new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }),
    );
    return JSON.parse(TemplateBody).Metadata?.SynthriskSettings;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'ValidationError' && /does not exist/.test(error.message)) return null;
    throw new ServiceError(error.name, `CloudFormation GetTemplate ${stack}: ${error.name}.`);
  }
}
