import { allKnownFiles, allPriorFiles, type Config } from '../config/config.ts';
import { UnsupportedOptionError } from '../errors.ts';

/** The refusal of a config that names a file, for a run that gets no such file. */
const unread = (code: string, what: string, expected: string) =>
  new UnsupportedOptionError(
    code,
    `${what} is not there to be read. Commands on this machine read it themselves, and \`cloud submit\` uploads it: beside a table that is uploaded by other means it is expected as ${expected}.`,
  );

/** Refuses files of a prior that are not there (UnsupportedOptionError `prior-unread`). */
export function refuseUnreadPrior(config: Config): void {
  if (allPriorFiles(config).length === 0) return;
  throw unread('prior-unread', 'attributeRisk.prior.file: the file', 'prior-1.csv, prior-2.csv and so on, in the order of the config');
}

/** Refuses a file of structural zeros that is not there (UnsupportedOptionError `structural-zeros-unread`). */
export function refuseUnreadZeros({ synthesis }: Config): void {
  if (synthesis.structuralZeros === undefined) return;
  throw unread('structural-zeros-unread', 'synthesis.structuralZeros: the file', 'structural-zeros.csv');
}

/** The refusal of a control that is not there (UnsupportedOptionError `control-unread`). */
export const controlUnread = () => unread('control-unread', 'attributeRisk.control: the file', 'control.csv');

/** Refuses files of known records that are not there (UnsupportedOptionError `known-records-unread`). */
export function refuseUnreadRecords(config: Config): void {
  if (allKnownFiles(config).length === 0) return;
  const expected = 'known-1.csv, known-2.csv and so on, one for each scenario that has one';
  throw unread('known-records-unread', 'attributeRisk.scenarios: a file of known records', expected);
}
