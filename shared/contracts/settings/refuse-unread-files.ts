import { allPriorFiles, type Config } from '../config/config.ts';
import { UnsupportedOptionError } from '../errors.ts';

/**
 * Refuses a config that names files of a prior, for runs that get no such files.
 *
 * @throws UnsupportedOptionError `prior-unread`
 */
export function refuseUnreadPrior(config: Config): void {
  if (allPriorFiles(config).length === 0) return;
  throw new UnsupportedOptionError(
    'prior-unread',
    'attributeRisk.prior.file: only the commands that run on this machine read such a file; nothing uploads it. Run the evaluation here (synthrisk evaluate), or choose another prior.',
  );
}

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
