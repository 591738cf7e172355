import type { AwsEnvironment } from './aws-environment.ts';
import type { CloudFlags } from './flags.ts';

/** Opens an environment. The clients of AWS are loaded now, not with the program: loading them takes a while. */
export async function openEnvironment(flags: CloudFlags): Promise<AwsEnvironment> {
  // The clients are of one version, which runs on every Node that synthrisk does: what later ones need is no news here.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { AwsEnvironment } = await import('./aws-environment.ts');
  return AwsEnvironment.open(flags);
}
