import { allKnownFiles, allPriorFiles, type Config } from '../config/config.ts';
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
    'attributeRisk.prior.file: the file is not there to be read. Commands on this machine read it themselves, and `cloud submit` uploads it: beside a table that is uploaded by other means it is expected as prior-1.csv, prior-2.csv and so on, in the order of the config.',
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
    'synthesis.structuralZeros: the file is not there to be read. Commands on this machine read it themselves, and `cloud submit` uploads it: beside a table that is uploaded by other means it is expected as structural-zeros.csv.',
  );
}

/**
 * Refuses a config that names a file of known records, for runs that get no such file.
 *
 * @throws UnsupportedOptionError `known-records-unread`
 */
export function refuseUnreadRecords(config: Config): void {
  if (allKnownFiles(config).length === 0) return;
  throw new UnsupportedOptionError(
    'known-records-unread',
    'attributeRisk.scenarios: a file of known records is not there to be read. Commands on this machine read it themselves, and `cloud submit` uploads it: beside a table that is uploaded by other means it is expected as known-1.csv, known-2.csv and so on, one for each scenario that has one.',
  );
}
