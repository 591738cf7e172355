import type { z } from 'zod';
import { approvalSchema, fetchedSchema, releaseDecisionSchema } from '../results/approval.ts';
import { attackSummarySchema } from '../results/attack.ts';
import { foundBoundsSchema } from '../results/bounds.ts';
import { calibrationSchema } from '../results/calibration.ts';
import { chainDiagnosticsSchema } from '../results/chain-diagnostics.ts';
import { comparisonSchema } from '../results/comparison.ts';
import { increaseTableSchema, privacyEvaluationSchema } from '../results/differential-privacy.ts';
import { linkageResultSchema } from '../results/linkage.ts';
import { maskingResultSchema } from '../results/masking.ts';
import { publicSummarySchema } from '../results/public-summary.ts';
import { remediesSchema } from '../results/remedies.ts';
import { summarySchema } from '../results/summary.ts';
import { manifestSignatureSchema } from '../run/manifest-signature.ts';
import { openPlanSchema } from '../run/plan.ts';
import { judgementSchema } from '../run/round.ts';
import { manifestSchema, runStateSchema } from '../run/run-state.ts';
import { ATTACK_FIELDS } from './attack-fields.ts';
import type { Descriptions } from './describe.ts';
import {
  BOUNDS_FIELDS,
  CALIBRATION_FIELDS,
  CHAIN_FIELDS,
  COMPARISON_FIELDS,
  LINKAGE_FIELDS,
  MASKING_FIELDS,
  PRIVACY_FIELDS,
  PUBLIC_FIELDS,
  REMEDY_FIELDS,
} from './result-fields.ts';
import { RUN_FIELDS } from './run-fields.ts';
import { NAMED_RISK_FIELDS, SHARED_FIELDS } from './shared-fields.ts';
import { ROUND_FIELDS, SUMMARY_FIELDS, UTILITY_FIELDS } from './summary-fields.ts';

/** A JSON document that synthrisk writes, with what its fields mean. */
export interface DescribedDocument {
  readonly file: string;
  readonly what: string;
  readonly schema: z.ZodType;
  /** By part of the document, the first that it begins with; the last is of the whole. */
  readonly parts: readonly (readonly [under: string, fields: Descriptions])[];
}

const of = (
  file: string,
  what: string,
  schema: z.ZodType,
  fields: Descriptions,
  ...parts: [string, Descriptions][]
): DescribedDocument => ({
  file,
  what,
  schema,
  parts: [...parts, ['', fields]].map(([under, own]) => [
    under as string,
    { ...SHARED_FIELDS, ...(own as Descriptions) },
  ]),
});

/** Every JSON document that a person or a program may read, in the order of the reference. */
export const DOCUMENTS: readonly DescribedDocument[] = [
  of(
    'confidential/summary.json',
    'figures of a run',
    summarySchema,
    SUMMARY_FIELDS,
    ['leftOut.', { ...SUMMARY_FIELDS, ...NAMED_RISK_FIELDS }],
    ['utility.', UTILITY_FIELDS],
    ['rounds.', ROUND_FIELDS],
  ),
  of('confidential/public.json', 'what anybody may know of a run', publicSummarySchema, PUBLIC_FIELDS),
  of('confidential/inherent.json', 'bounds of a release', foundBoundsSchema, BOUNDS_FIELDS),
  of('confidential/calibration.json', 'claimed against achieved', calibrationSchema, CALIBRATION_FIELDS),
  of('confidential/comparison.json', 'runs side by side', comparisonSchema, COMPARISON_FIELDS),
  of('confidential/remedies.json', 'ways to lower risk', remediesSchema, {
    ...NAMED_RISK_FIELDS,
    ...REMEDY_FIELDS,
  }),
  of('confidential/attack.json', 'what other tools measure', attackSummarySchema, ATTACK_FIELDS),
  of('confidential/masking.json', 'what was masked', maskingResultSchema, MASKING_FIELDS),
  of('confidential/linkage.json', 'who is re-identified', linkageResultSchema, LINKAGE_FIELDS),
  of('diagnostics/chains.json', 'how chains mix', chainDiagnosticsSchema, CHAIN_FIELDS),
  of('evaluation.json', 'simulations of `dp evaluate`', privacyEvaluationSchema, PRIVACY_FIELDS),
  of('dp table --json', 'expected increases', increaseTableSchema, PRIVACY_FIELDS),
  of('run.json', 'state of a run', runStateSchema, RUN_FIELDS),
  of('plan.json', 'what anybody may know of the plan', openPlanSchema, RUN_FIELDS),
  of(
    'manifest.json',
    'digests; `confidential/manifest.json` has those of all files',
    manifestSchema,
    RUN_FIELDS,
  ),
  of('manifest.signature.json', 'who signed it', manifestSignatureSchema, RUN_FIELDS),
  of('release/APPROVED.json', 'how the release stands', approvalSchema, RUN_FIELDS),
  of('confidential/decisions/<n>.json', 'a decision', releaseDecisionSchema, RUN_FIELDS),
  of('tasks/fetched/<id>.json', 'that the release was fetched', fetchedSchema, RUN_FIELDS),
  of('rounds/<r>.json', 'what a round came to', judgementSchema, ROUND_FIELDS),
];
