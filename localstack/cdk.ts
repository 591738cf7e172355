import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { environmentIn, paths } from './emulator.ts';

const require = createRequire(import.meta.url);

/**
 * Settings of every environment in the emulator, which leave out what that lacks: it has no containers, and no Express children
 * of a map. Every function that is called at once is a Node process of its own here.
 */
export const SETTINGS = [
  ...['engine=lambda', 'mapType=STANDARD', 'mapConcurrency=4'],
  // It lets in whoever has any credentials, and enforces no trust.
  'peopleArns=nobody',
  // CloudFormation of the emulator knows no versions of workflows.
  'workflowVersions=false',
  // No CloudTrail, which the alerts listen to.
  'changeAlerts=false',
  // A deployment takes the place of the one before.
  'terminationProtection=false',
];

/** What CDK is told beside the address of the emulator. */
export const CDK_ENVIRONMENT = {
  // The rules that templates are checked by take longer than the deployment, and hold for this one as for others.
  CDK_VALIDATION: 'false',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
} as const;

/** Runs a command of CDK against the emulator; false when it failed. */
export function cdk(cwd: string, environment: ReturnType<typeof environmentIn>, ...args: string[]): boolean {
  const { status } = spawnSync(process.execPath, [require.resolve('aws-cdk-local/bin/cdklocal'), ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment, ...CDK_ENVIRONMENT },
  });
  return status === 0;
}

/** Prepares a region of the emulator's only account for CDK; false when that failed. */
export const bootstrap = (region: string): boolean =>
  // Where there is no cdk.json, bootstrapping makes no templates.
  cdk(paths.folder, environmentIn(region), 'bootstrap', `aws://000000000000/${region}`);
