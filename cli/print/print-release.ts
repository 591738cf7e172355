import type { Approval, ReleaseDecision } from '../../shared/contracts/release/approval.ts';
import type { FetchNotes } from '../../shared/pipeline/release/release-state.ts';
import { formatQuantity } from '../../shared/report/words/format-number.ts';
import { approvalInWords } from '../../shared/report/words/release-in-words.ts';

const VERDICTS: Readonly<Record<ReleaseDecision['verdict'], string>> = {
  met: 'all acceptance rules are met',
  'not-met': 'not all acceptance rules are met',
  'no-rules': 'the run was given no acceptance rules',
  'not-assessed': 'the run assessed no risk',
};

/** What was decided of a release, as lines. */
export function decisionLines({ at, by, decision, fetched, reason, runId, unreadable = [], verdict }: ReleaseDecision): string[] {
  if (decision === 'approved') {
    const despite = reason === null ? '' : `; approved all the same: ${reason}`;
    return [`Run ${runId}: release approved by ${by} at ${at}; ${VERDICTS[verdict]}${despite}`];
  }
  return [
    `Run ${runId}: approval withdrawn by ${by} at ${at}`,
    ...(fetched.length === 0
      ? ['Nobody had fetched the release by the ways of this program.']
      : ['The release had been fetched, and cannot be called back:', ...fetched.map((fetch) => `  by ${fetch.by} at ${fetch.at}`)]),
    ...unreadableLines(unreadable),
  ];
}

/** Notes that say nothing of who fetched: what a reader of releases put there, and the log of requests has who. */
const unreadableLines = (names: readonly string[]) =>
  names.length === 0
    ? []
    : [`${formatQuantity(names.length, 'note')} on who fetched it cannot be read. The log of requests says who wrote them.`];

/** How a release stands, as lines. */
export function approvalLines(runId: string, approval: Approval | null, { fetched, unreadable }: FetchNotes): string[] {
  return [
    approvalInWords(runId, approval),
    ...fetched.map((fetch) => `  fetched by ${fetch.by} at ${fetch.at}`),
    ...unreadableLines(unreadable),
  ];
}
