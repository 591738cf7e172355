import type { Approval, ReleaseDecision } from '../../shared/contracts/release/approval.ts';

const VERDICTS: Readonly<Record<ReleaseDecision['verdict'], string>> = {
  met: 'all acceptance rules are met',
  'not-met': 'not all acceptance rules are met',
  'no-rules': 'the run was given no acceptance rules',
  'not-assessed': 'the run assessed no risk',
};

/** What was decided of a release, as lines. */
export function decisionLines({ at, by, decision, fetched, reason, runId, verdict }: ReleaseDecision): string[] {
  if (decision === 'approved') {
    const despite = reason === null ? '' : `; approved all the same: ${reason}`;
    return [`Run ${runId}: release approved by ${by} at ${at}; ${VERDICTS[verdict]}${despite}`];
  }
  return [
    `Run ${runId}: approval withdrawn by ${by} at ${at}`,
    ...(fetched.length === 0
      ? ['Nobody had fetched the release by the ways of this program.']
      : ['The release had been fetched, and cannot be called back:', ...fetched.map((fetch) => `  by ${fetch.by} at ${fetch.at}`)]),
  ];
}

/** How a release stands, as lines. */
export function approvalLines(runId: string, approval: Approval | null, fetched: ReleaseDecision['fetched']): string[] {
  const stands = approval ? `${approval.status} by ${approval.by} at ${approval.at}` : 'nobody has approved it';
  return [`Run ${runId}: release ${stands}`, ...fetched.map((fetch) => `  fetched by ${fetch.by} at ${fetch.at}`)];
}
