import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { clientEnvironment, isRunning, paths, refuse, root } from './emulator.ts';

// `npm run localstack:deploy`: the stack of infra/ in the emulator, where it takes the place of the one before. What the
// emulator lacks is left out by context: it has no containers, and no Express children of a map. Every function that is
// called at once is a Node process of its own here.

const CONTEXT = {
  ...{ environment: 'local', engine: 'lambda', mapType: 'STANDARD', mapConcurrency: '4' },
  // CloudFormation of the emulator knows no versions of workflows.
  workflowVersions: 'false',
  // No CloudTrail, which the alerts listen to.
  changeAlerts: 'false',
  // A deployment takes the place of the one before.
  terminationProtection: 'false',
};

/** The only account of the emulator. */
const ENVIRONMENT = `aws://000000000000/${clientEnvironment.AWS_REGION}`;

const CDK = fileURLToPath(import.meta.resolve('aws-cdk-local/bin/cdklocal'));

function cdk(cwd: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [CDK, ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    // The rules that templates are checked by take longer than the deployment, and hold for this one as for others.
    env: {
      ...process.env,
      ...clientEnvironment,
      CDK_VALIDATION: 'false',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },
  });
  if (status !== 0)
    refuse(`cdklocal ${args[0]} failed. After a deployment that failed, start LocalStack anew.`);
}

if (!(await isRunning())) refuse('LocalStack does not run: npm run localstack:start');
// Where there is no cdk.json, bootstrapping makes no templates.
cdk(paths.folder, 'bootstrap', ENVIRONMENT);
const context = Object.entries(CONTEXT).flatMap(([name, value]) => ['--context', `${name}=${value}`]);
cdk(root, 'deploy', '--all', '--require-approval', 'never', '--outputs-file', paths.outputs, ...context);
