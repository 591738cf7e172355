import type { ErrorReport } from '../../shared/contracts/errors.ts';

/**
 * What a function throws: an error with the name on which Step Functions matches, and the message `code: message`. Without its
 * stack: Lambda would put it into the log and the answer, and it begins with the message.
 */
export function thrownError({ code, message, name }: ErrorReport): Error {
  return Object.assign(new Error(`${code}: ${message}`), { name, stack: '' });
}
