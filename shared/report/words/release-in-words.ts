import type { Approval } from '../../contracts/release/approval.ts';
import { formatQuantity } from './format-number.ts';

/** A release whose files are what its manifest describes. */
interface Verified {
  readonly runId: string;
  readonly approval: Approval | null;
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

/** How a release stands whose files were held to its manifest, as lines. */
export function verifiedLines({ runId, approval, files, manifestSha256, unlisted }: Verified): string[] {
  const [it, was] = files.length === 1 ? ['it', 'it was'] : ['them', 'they were'];
  const approved = approval?.status === 'approved' ? `, and as ${was} approved` : '';
  return [
    approvalInWords(runId, approval),
    `  ${formatQuantity(files.length, 'file')} as the manifest describes ${it}${approved}`,
    `  SHA-256 of manifest.json: ${manifestSha256}`,
    ...unlisted.map((path) => `  ${path} is not in the manifest: it is no part of the release`),
  ];
}
