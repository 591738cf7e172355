import { readSettings, type Settings } from '../../shared/contracts/cloud/environment-settings.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';

/** What `cloud deploy` hands to CDK. */
export interface Deployment {
  readonly environment: string;
  /** Other settings, each `name=value`, as {@link deploymentSettings} has checked them. */
  readonly settings: readonly string[];
  /** File of settings, under the others. */
  readonly file?: string;
  readonly region?: string;
  readonly endpoint?: string;
  /** Deploys without asking whether changes of rights are wanted. */
  readonly yes: boolean;
}

/** A program of the project and what to start it with. */
export interface CdkCommand {
  /** In node_modules. */
  readonly script: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command of CDK that deploys an environment, or builds and pushes what it is deployed from; for an emulator that of LocalStack, which
 * wraps it.
 */
export function cdkCommand(
  { environment, file, settings, region, endpoint, yes }: Deployment,
  command: 'deploy' | 'publish-assets' = 'deploy',
): CdkCommand {
  const kept = file === undefined ? [] : [`settings=${file}`];
  const context = [...kept, `environment=${environment}`, ...settings].flatMap((setting) => ['--context', setting]);
  return {
    script: endpoint ? 'aws-cdk-local/bin/cdklocal' : 'aws-cdk/bin/cdk',
    args:
      command === 'deploy'
        ? [command, ...(yes ? ['--require-approval', 'never'] : []), ...context]
        : // CDK calls it unstable.
          [command, `--unstable=${command}`, ...context],
    env: {
      ...(region && { AWS_REGION: region, AWS_DEFAULT_REGION: region }),
      ...(endpoint && { AWS_ENDPOINT_URL: endpoint, AWS_ENDPOINT_URL_S3: endpoint }),
    },
  };
}

/**
 * The settings of a deployment: those of its file, under those that were named beside it.
 *
 * @param kept what the file holds
 * @throws InvalidConfigError `invalid-context`, `malformed-setting`
 */
export function deploymentSettings(
  { environment, settings }: Pick<Deployment, 'environment' | 'settings'>,
  kept: Readonly<Record<string, unknown>>,
): Settings {
  const named = settings.map((setting) => {
    if (!/^\w+=/.test(setting)) {
      throw new InvalidConfigError('malformed-setting', `Expected --setting name=value, as docs/how-to/cloud.md lists them.`);
    }
    const at = setting.indexOf('=');
    return [setting.slice(0, at), setting.slice(at + 1)];
  });
  return readSettings({ ...kept, environment, ...Object.fromEntries(named) });
}
