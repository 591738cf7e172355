import type { Command } from 'commander';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';

/** What is decided of a release. */
export interface ReleaseFlags {
  readonly approve?: boolean;
  readonly withdraw?: boolean;
  readonly despiteRules?: string;
  readonly by?: string;
}

/** Adds the flags by which a person decides of a release. */
export function addReleaseFlags(command: Command): Command {
  return command
    .option('--approve', 'approve the release, by the verdict of the acceptance rules')
    .option('--withdraw', 'withdraw the approval; what was fetched before cannot be called back')
    .option(
      '--despite-rules <reason>',
      'with --approve: although acceptance rules are not met, or no risk was assessed; the reason is recorded',
    );
}

/**
 * What is to be decided; null where only how the release stands is asked.
 *
 * @throws InvalidConfigError `two-decisions`, `no-reason`, `reason-without-approval`, `name-without-decision`
 */
export function readDecision({ approve, by, despiteRules, withdraw }: ReleaseFlags): 'approve' | 'withdraw' | null {
  if (approve && withdraw) {
    throw new InvalidConfigError('two-decisions', 'Approve the release or withdraw that, one of the two.');
  }
  if (despiteRules !== undefined && !approve) {
    throw new InvalidConfigError('reason-without-approval', '--despite-rules says why with --approve.');
  }
  if (by !== undefined && !approve && !withdraw) {
    throw new InvalidConfigError('name-without-decision', '--by says who decides, with --approve or --withdraw.');
  }
  if (despiteRules?.trim() === '') {
    throw new InvalidConfigError('no-reason', '--despite-rules wants a reason in words.');
  }
  return approve ? 'approve' : withdraw ? 'withdraw' : null;
}
