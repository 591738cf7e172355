import * as z from 'zod';
import { acceptanceResultSchema } from '../results/summary.ts';
import { runId, version } from '../shared-fields.ts';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

const decisionSchema = z.enum(['approved', 'withdrawn']);

/** Who did something, and when. */
const whoShape = { at: z.iso.datetime().describe('When, UTC.'), by: z.string().min(1).describe('Who, as AWS or this machine names them.') };

/**
 * `release/APPROVED.json`: how the release stands. Whoever gets the release reads it, so that it has nothing of what risk
 * was found, neither a figure nor the verdict: its one digest is that of `manifest.json`, which is of released files alone.
 */
export const approvalSchema = z.strictObject({
  version,
  runId,
  ...whoShape,
  status: decisionSchema.describe('`approved` or `withdrawn`.'),
  manifestSha256: sha256Schema.describe('SHA-256 of `manifest.json`.'),
});

/** What acceptance rules say: `no-rules` where there are none; `not-assessed` without a summary, as of a run that only synthesized. */
const verdictSchema = z.enum(['met', 'not-met', 'no-rules', 'not-assessed']);

/** `confidential/decisions/<n>.json`: one decision with all that it went by. None is ever changed. */
export const releaseDecisionSchema = z.strictObject({
  version,
  runId,
  ...whoShape,
  decision: decisionSchema.describe('`approved` or `withdrawn`.'),
  runManifestSha256: sha256Schema.describe('SHA-256 of `confidential/manifest.json`.'),
  manifestSha256: sha256Schema.describe('SHA-256 of `manifest.json`.'),
  verdict: verdictSchema.describe('`met`, `not-met`, `no-rules` or `not-assessed`.'),
  acceptance: z.array(acceptanceResultSchema).describe('Rules of the config.'),
  reason: z.string().min(1).nullable().describe('Why it was approved although rules were not met.'),
  fetched: z
    .array(
      z.strictObject({ at: z.iso.datetime().describe('When, UTC.'), by: z.string().describe('Who, as AWS or this machine names them.') }),
    )
    .describe('Withdrawal: who had fetched the release by then.'),
  unreadable: z.array(z.string()).optional().describe('Withdrawal: names of unreadable notes of fetching.'),
});

/** `tasks/fetched/<id>.json`: that somebody fetched the release. It is there before the first file is read. */
export const fetchedSchema = z.strictObject({
  runId,
  ...whoShape,
  // It is printed to whoever decides: no control character is in it.
  by: whoShape.by.regex(/^\P{Cc}+$/u),
  manifestSha256: sha256Schema.describe('SHA-256 of `manifest.json`.'),
});

/** How a release stands. */
export type Approval = z.infer<typeof approvalSchema>;
/** One decision of a release. */
export type ReleaseDecision = z.infer<typeof releaseDecisionSchema>;
