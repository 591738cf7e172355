import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { environmentNames } from '../../../shared/contracts/cloud/cloud-environment.ts';
import type { Settings } from '../../../shared/contracts/cloud/environment-settings.ts';
import { requirePeople } from '../../../shared/contracts/cloud/people-principals.ts';
import { InvalidConfigError, ServiceError } from '../../../shared/contracts/errors.ts';
import { parseSettings } from '../../../shared/contracts/settings/complete-config.ts';
import { type CdkCommand, cdkCommand, deploymentSettings } from '../../cloud/cdk-command.ts';
import { addPlaceFlags, type CloudFlags } from '../../cloud/flags.ts';
import { holdSettings, keepBucket } from '../../cloud/hold-settings.ts';
import { readUserFile } from '../../run/read-config.ts';

interface DeployFlags extends CloudFlags {
  readonly setting?: readonly string[];
  readonly settings?: string;
  readonly changeSettings?: boolean;
  readonly yes?: boolean;
}

/** The project's folder: the command line is built into `dist/` below it. */
const root = fileURLToPath(new URL('..', import.meta.url));

/** What CDK reads and writes, for people, goes to this terminal; what it prints as results, to standard error. */
const TERMINAL = ['inherit', 2, 2] as const;

/** CDK builds images with this program too. */
const docker = () => process.env.CDK_DOCKER ?? 'docker';

function requireParts({ engine }: Settings, script: string): void {
  const missing = ['cdk.json', 'infra/app.ts', 'dist/functions', `node_modules/${script}`].filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) {
    throw new InvalidConfigError(
      'incomplete-project',
      `To deploy needs a clone of the project, installed and built (npm ci). Missing: ${missing.join(', ')}.`,
    );
  }
  if (engine !== 'lambda' && spawnSync(docker(), ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new InvalidConfigError(
      'no-docker',
      `To build the image of the container needs Docker, and there is no ${docker()}. Name a program like it in CDK_DOCKER, or deploy with --setting engine=lambda, for small tables.`,
    );
  }
}

/** Runs a command of CDK. Throws ServiceError `deploy-failed`. */
function runCdk({ args, env, script }: CdkCommand): void {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: [...TERMINAL],
    env: { ...process.env, ...env },
  });
  if (status === 0) return;
  throw new ServiceError(
    'deploy-failed',
    `CDK ended with ${status ?? 'a signal'}; what it printed says why. In an account and region for the first time, run npx cdk bootstrap before.`,
  );
}

/** `cloud deploy`: makes an environment in the account, or brings it up to date, by CDK. */
export function addDeploy(cloud: Command): void {
  addPlaceFlags(cloud.command('deploy'))
    .description('make an environment in the account, or bring it up to date, by CDK')
    .option('--settings <file>', 'settings of the environment (YAML), kept in git')
    .option('--setting <name=value...>', 'settings of the environment, as docs/how-to/cloud.md lists them')
    .option('--change-settings', 'deploy settings that differ from those deployed last')
    .option('--yes', 'deploy without asking whether changes of rights are wanted')
    .addHelpText(
      'after',
      `
Once for an account and region comes \`npx cdk bootstrap\`. Settings that differ from
those deployed last are refused, unless with --change-settings.

Examples:
  synthrisk cloud deploy --settings env/prod.yaml
  synthrisk cloud deploy --settings env/prod.yaml --setting fitVcpu=8 --change-settings
  synthrisk cloud deploy --setting peopleArns=arn:aws:iam::111122223333:role/statistics notifyEmail=team@agency.example
  synthrisk cloud deploy --setting engine=lambda peopleArns=nobody --endpoint http://127.0.0.1:4566 --yes`,
    )
    .action(async (flags: DeployFlags, command: Command) => {
      const file = flags.settings === undefined ? undefined : resolve(flags.settings);
      const kept = file === undefined ? {} : parseSettings(await readUserFile(file), flags.settings!);
      const typed = command.getOptionValueSource('environment') === 'cli';
      if (typed && kept.environment !== undefined && kept.environment !== flags.environment) {
        throw new InvalidConfigError(
          'other-environment',
          `The settings are of the environment ${String(kept.environment)}, and --environment names ${flags.environment}.`,
        );
      }
      const environment = typed ? flags.environment : String(kept.environment ?? flags.environment);
      const named = { environment, settings: flags.setting ?? [], yes: flags.yes ?? false };
      const asked = deploymentSettings(named, kept);
      if (flags.region !== undefined && asked.region !== undefined && asked.region !== flags.region) {
        throw new InvalidConfigError('other-region', `The settings are of the region ${asked.region}, and --region names ${flags.region}.`);
      }
      const region = flags.region ?? asked.region;
      const place = { ...(region && { region }), ...(flags.endpoint && { endpoint: flags.endpoint }) };
      const deployment = { ...named, ...place, ...(file && { file }) };
      requireParts(asked, cdkCommand(deployment).script);
      requirePeople(asked);
      const { stack } = environmentNames(asked.environment, asked.namePrefix);
      const { readDeployedStack } = await import('../../cloud/deployed-stack.ts');
      const deployed = await readDeployedStack(stack, place);
      const settings = keepBucket(deployed, asked);
      if (!flags.changeSettings) holdSettings(deployed, settings);
      // After those of the user: of two values of a setting CDK takes the last.
      const found = { ...deployment, settings: [...named.settings, `objectLockWritten=${settings.objectLockWritten}`] };
      if (settings.engine === 'fargate' && flags.endpoint === undefined) {
        const { pinImages } = await import('../../cloud/pinned-image.ts');
        runCdk(cdkCommand(await pinImages(found, settings, { run: runCdk, docker: docker(), output: join(root, 'dist/cdk.out') })));
      } else runCdk(cdkCommand(found));
      if (flags.json) process.stdout.write(`${JSON.stringify({ environment })}\n`);
    });
}
