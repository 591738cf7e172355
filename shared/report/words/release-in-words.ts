import type { Approval, ReleaseDecision } from '../../contracts/release/approval.ts';
import { formatQuantity } from './format-number.ts';

/** A release whose files are what its manifest describes. */
interface Verified {
  readonly runId: string;
  readonly approval: Approval | null;
  readonly recorded: (Pick<ReleaseDecision, 'decision' | 'at' | 'by'> & { readonly file: string }) | null;
  readonly manifestSha256: string;
  readonly files: readonly string[];
  readonly unlisted: readonly string[];
}

/** How a release stands, as a line: who has decided is read from a file that anybody may have written. */
export function approvalInWords(runId: string, approval: Approval | null): string {
  const stands = approval
    ? `release ${approval.status} by ${approval.by.replace(/\p{Cc}/gu, '?')} at ${approval.at}`
    : 'nobody has approved the release';
  return `Run ${runId}: ${stands}`;
}

/** Where `release/APPROVED.json` is not what was last decided, what is on record, as lines. */
function recordedLines({ approval, recorded }: Verified): string[] {
  if (recorded === null || (recorded.decision === approval?.status && recorded.at === approval.at)) return [];
  const remedy =
    recorded.decision === 'approved' ? '--approve carries the decision out, --withdraw withdraws it' : '--approve decides anew';
  return [
    `  ${approval === null ? '' : 'release/APPROVED.json says otherwise than what was decided: '}${recorded.file} has the release ${recorded.decision} by ${recorded.by} at ${recorded.at}; ${remedy}`,
  ];
}

/** How a release stands whose files were held to its manifest, as lines. */
export function verifiedLines(verified: Verified): string[] {
  const { runId, approval, files, manifestSha256, unlisted } = verified;
  const [it, was] = files.length === 1 ? ['it', 'it was'] : ['them', 'they were'];
  const approved = approval?.status === 'approved' ? `, and as ${was} approved` : '';
  return [
    approval === null && verified.recorded !== null ? `Run ${runId}: release/APPROVED.json is missing` : approvalInWords(runId, approval),
    ...recordedLines(verified),
    `  ${formatQuantity(files.length, 'file')} as the manifest describes ${it}${approved}`,
    `  SHA-256 of manifest.json: ${manifestSha256}`,
    ...unlisted.map((path) => `  ${path} is not in the manifest: it is no part of the release`),
  ];
}
