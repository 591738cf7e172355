import { Rights, rightsAsked, TO_HEAR_OF_ABSENCE } from '../../infra/rights.ts';
import { synthesize } from '../../infra/synthesize.ts';
import type { FakeAccount } from './cloud-command.ts';

/** The roles for people. */
export const PEOPLE = ['Submitter', 'Operator', 'ReleaseReader', 'ConfidentialReader', 'Approver', 'Purger'] as const;

const rights = new Rights(synthesize());

/**
 * Lets what follows be done by a person: the account refuses what the role may not do, as AWS would. For null by somebody of the account
 * whose own policies let everything, such as whoever deploys.
 */
export function actAs({ aws }: FakeAccount, role: (typeof PEOPLE)[number] | null): void {
  const name = role && `People${role}Role`;
  const may = rights.of(name);
  aws.forbids = (request, isThere) => {
    const asked = rightsAsked(request);
    const looksUp = request.method !== 'PUT' && request.prefix === null && request.way === undefined;
    // Of an object that is not there, who may not hear that hears that it is forbidden.
    if (!isThere && looksUp) asked.push(TO_HEAR_OF_ABSENCE);
    return !asked.every(may);
  };
  aws.calls = rights.calls(name);
}

/** Lets what follows be done by somebody to whom nothing is refused. */
export function actFreely({ aws }: FakeAccount): void {
  aws.forbids = () => false;
  aws.calls = () => true;
}
