import type { z } from 'zod';
import { approvalSchema, fetchedSchema, releaseDecisionSchema } from '../../shared/contracts/release/approval.ts';
import { publicSummarySchema } from '../../shared/contracts/release/public-summary.ts';
import { attackSummarySchema } from '../../shared/contracts/results/attack.ts';
import { foundBoundsSchema } from '../../shared/contracts/results/bounds.ts';
import { calibrationSchema } from '../../shared/contracts/results/calibration.ts';
import { chainDiagnosticsSchema } from '../../shared/contracts/results/chain-diagnostics.ts';
import { comparisonSchema } from '../../shared/contracts/results/comparison.ts';
import { increaseTableSchema, privacyEvaluationSchema } from '../../shared/contracts/results/differential-privacy.ts';
import { linkageResultSchema } from '../../shared/contracts/results/linkage.ts';
import { maskingResultSchema } from '../../shared/contracts/results/masking.ts';
import { remediesSchema } from '../../shared/contracts/results/remedies.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { manifestSignatureSchema } from '../../shared/contracts/run/manifest-signature.ts';
import { openPlanSchema } from '../../shared/contracts/run/plan.ts';
import { judgementSchema } from '../../shared/contracts/run/round.ts';
import { manifestSchema, runStateSchema } from '../../shared/contracts/run/run-state.ts';

/** Every JSON document that a person or a program may read, in the order of the reference: its file, what it is, its schema. */
export const DOCUMENTS: readonly (readonly [file: string, what: string, schema: z.ZodType])[] = [
  ['confidential/summary.json', 'Figures of a run', summarySchema],
  ['confidential/public.json', 'What anybody may know of a run', publicSummarySchema],
  ['confidential/inherent.json', 'Bounds of a release', foundBoundsSchema],
  ['confidential/calibration.json', 'Claimed against achieved', calibrationSchema],
  ['confidential/comparison.json', 'Runs side by side', comparisonSchema],
  ['confidential/remedies.json', 'Ways to lower risk', remediesSchema],
  ['confidential/attack.json', 'What other tools measure', attackSummarySchema],
  ['confidential/masking.json', 'What was masked', maskingResultSchema],
  ['confidential/linkage.json', 'Who is re-identified', linkageResultSchema],
  ['diagnostics/chains.json', 'How chains mix', chainDiagnosticsSchema],
  ['evaluation.json', 'Simulations of `dp evaluate`', privacyEvaluationSchema],
  ['dp table --json', 'Expected increases', increaseTableSchema],
  ['run.json', 'State of a run', runStateSchema],
  ['plan.json', 'What anybody may know of the plan', openPlanSchema],
  ['manifest.json', 'Digests; `confidential/manifest.json` has those of all files', manifestSchema],
  ['manifest.signature.json', 'Who signed it', manifestSignatureSchema],
  ['release/APPROVED.json', 'How the release stands', approvalSchema],
  ['confidential/decisions/<n>.json', 'A decision', releaseDecisionSchema],
  ['tasks/fetched/<id>.json', 'That the release was fetched', fetchedSchema],
  ['rounds/<r>.json', 'What a round came to', judgementSchema],
];
