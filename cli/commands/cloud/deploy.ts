import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { InvalidConfigError, ServiceError } from '../../../shared/contracts/errors.ts';
import { cdkCommand, type Deployment, needsContainer } from '../../cloud/cdk-command.ts';
import { addPlaceFlags, type CloudFlags } from '../../cloud/flags.ts';

interface DeployFlags extends CloudFlags {
  readonly setting?: readonly string[];
  readonly yes?: boolean;
}

/** The project's folder: the command line is built into `dist/` below it. */
const root = fileURLToPath(new URL('..', import.meta.url));

/** What CDK reads and writes, for people, goes to this terminal; what it prints as results, to standard error. */
const TERMINAL = ['inherit', 2, 2] as const;

function requireParts(deployment: Deployment, script: string): void {
  const missing = ['cdk.json', 'infra/app.ts', 'dist/functions', `node_modules/${script}`].filter(
    (path) => !existsSync(join(root, path)),
  );
  if (missing.length > 0) {
    throw new InvalidConfigError(
      'incomplete-project',
      `To deploy needs a clone of the project, installed and built (npm ci). Missing: ${missing.join(', ')}.`,
    );
  }
  // CDK builds images with this program too.
  const docker = process.env.CDK_DOCKER ?? 'docker';
  if (needsContainer(deployment) && spawnSync(docker, ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new InvalidConfigError(
      'no-docker',
      `To build the image of the container needs Docker, and there is no ${docker}. Name a program like it in CDK_DOCKER, or deploy with --setting engine=lambda, for small tables.`,
    );
  }
}

/** `cloud deploy`: makes an environment in the account, or brings it up to date, by CDK. */
export function addDeploy(cloud: Command): void {
  addPlaceFlags(cloud.command('deploy'))
    .description('make an environment in the account, or bring it up to date, by CDK')
    .option('--setting <name=value...>', 'settings of the environment, as docs/cloud.md lists them')
    .option('--yes', 'deploy without asking whether changes of rights are wanted')
    .addHelpText(
      'after',
      `
Once for an account and region comes \`npx cdk bootstrap\`. A setting that is left out has its default, also where the
environment was deployed with another.

Examples:
  synthrisk cloud deploy --environment prod --setting notifyEmail=team@agency.example
  synthrisk cloud deploy --setting engine=lambda mapConcurrency=4 --endpoint http://127.0.0.1:4566 --yes`,
    )
    .action((flags: DeployFlags) => {
      const deployment = { ...flags, settings: flags.setting ?? [], yes: flags.yes ?? false };
      const { script, args, env } = cdkCommand(deployment);
      requireParts(deployment, script);
      const { status } = spawnSync(process.execPath, [join(root, 'node_modules', script), ...args], {
        cwd: root,
        stdio: [...TERMINAL],
        env: { ...process.env, ...env },
      });
      if (status !== 0) {
        throw new ServiceError(
          'deploy-failed',
          `CDK ended with ${status ?? 'a signal'}; what it printed says why. In an account and region for the first time, run npx cdk bootstrap before.`,
        );
      }
      if (flags.json) process.stdout.write(`${JSON.stringify({ environment: flags.environment })}\n`);
    });
}
