import { bootstrap, cdk, SETTINGS } from './cdk.ts';
import { clientEnvironment, isRunning, paths, refuse, root } from './emulator.ts';

// `npm run localstack:deploy`: the stack of infra/ in the emulator, where it takes the place of the one before.

const stop = (what: string): never => refuse(`cdklocal ${what} failed. After a deployment that failed, start LocalStack anew.`);

if (!(await isRunning())) refuse('LocalStack does not run: npm run localstack:start');
if (!bootstrap(clientEnvironment.AWS_REGION)) stop('bootstrap');
const context = ['environment=local', ...SETTINGS].flatMap((setting) => ['--context', setting]);
const flags = ['--all', '--require-approval', 'never', '--outputs-file', paths.outputs];
if (!cdk(root, clientEnvironment, 'deploy', ...flags, ...context)) stop('deploy');
