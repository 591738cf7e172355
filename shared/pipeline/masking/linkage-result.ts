import type { Linkage } from '../../contracts/config/linkage.ts';
import type { LinkageResult } from '../../contracts/results/linkage.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { VERSION } from '../../contracts/version.ts';
import { NO_RECORD } from '../../risk/linkage/link-records.ts';
import type { LinkedRelease } from '../../risk/linkage/link-release.ts';
import { thinnedThresholds } from '../../risk/linkage/linkage-figures.ts';
import type { IntruderFile } from './intruder-file.ts';
import type { PlannedLinkage } from './plan-linkage.ts';

/** Thresholds that the document holds at most; the table has all of them. */
const MOST_THRESHOLDS = 100;

const NOT_CONVERGED: Warning = {
  code: 'weights-not-converged',
  message: 'EM had not come to an end: what agrees tells matches and other pairs hardly apart, and match probabilities are rough.',
};

/** What was linked and re-identified, as it is stored and printed. */
export function linkageResult(
  { runId, table, variables, warnings }: PlannedLinkage,
  { linkage, seed }: { readonly linkage: Linkage; readonly seed: number },
  intruder: IntruderFile,
  { figures, thresholds, comparisons, model }: LinkedRelease,
): LinkageResult {
  return {
    version: VERSION,
    runId,
    seed,
    method: linkage.masked.method,
    link: linkage.link,
    oneToOne: linkage.oneToOne,
    bands: linkage.bands,
    tolerate: linkage.tolerate,
    variables: variables.map((v) => table.schema.variables[v]!.name),
    intruder: {
      records: intruder.records,
      share: linkage.intruderShare,
      errors: linkage.errors,
      rowsHeld: intruder.own.filter((record) => record !== NO_RECORD).length,
    },
    ...figures,
    thresholds: thinnedThresholds(thresholds, MOST_THRESHOLDS),
    comparisons,
    model,
    warnings: [...warnings, ...(model?.converged === false ? [NOT_CONVERGED] : [])],
  };
}
