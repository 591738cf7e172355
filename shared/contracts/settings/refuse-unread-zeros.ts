import type { Config } from '../config/config.ts';
import { UnsupportedOptionError } from '../errors.ts';

/**
 * Refuses a config that names a file of structural zeros, for runs that get no such file.
 *
 * @throws UnsupportedOptionError `structural-zeros-unread`
 */
export function refuseUnreadZeros({ synthesis }: Config): void {
  if (synthesis.structuralZeros === undefined) return;
  throw new UnsupportedOptionError(
    'structural-zeros-unread',
    'synthesis.structuralZeros: only the commands that run on this machine read such a file; nothing uploads it. Run the evaluation here (synthrisk evaluate), or leave the structural zeros out.',
  );
}
