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

/**
 * Refuses a config that names a file of known records, for runs that get no such file.
 *
 * @throws UnsupportedOptionError `known-records-unread`
 */
export function refuseUnreadRecords({ attributeRisk }: Config): void {
  if (!attributeRisk.scenarios.some(({ knows }) => typeof knows === 'object' && 'file' in knows)) return;
  throw new UnsupportedOptionError(
    'known-records-unread',
    'attributeRisk.scenarios: only the commands that run on this machine read a file of known records; nothing uploads it. Run the evaluation here (synthrisk evaluate), or let the intruder know a share of the records.',
  );
}
