import { encodeJson } from '../../artifacts/stored-json.ts';
import { listed, rowsOf, writeTable } from '../../artifacts/write-table.ts';
import { double, flag, int32, maybeDouble, maybeInt32, type ResultTable } from '../../contracts/column.ts';
import type { Linkage } from '../../contracts/config/linkage.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { LinkageResult, LinkageThreshold } from '../../contracts/results/linkage.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderLinkage } from '../../report/render-linkage.ts';
import { type Links, NO_RECORD } from '../../risk/linkage/link-records.ts';
import type { LinkedRelease } from '../../risk/linkage/link-release.ts';
import { isReidentified, thinnedThresholds } from '../../risk/linkage/linkage-figures.ts';
import type { Store } from '../../storage/store.ts';
import type { IntruderFile, PlannedLinkage } from './plan-linkage.ts';

/** Links of the rows of a masked file, and for each row its record in the intruder's file, from 0, or -1. */
interface LinkedRows {
  readonly links: Links;
  readonly own: Int32Array;
}

/** Records of the intruder's file are numbered from 1. */
const numbered = (record: number) => (record === NO_RECORD ? null : record + 1);
const defined = (value: number) => (Number.isNaN(value) ? null : value);

/** `linkage.csv`. */
export const LINKAGE: ResultTable<LinkedRows> = {
  file: 'linkage',
  row: 'a row of the masked file',
  columns: {
    row: int32('Number from 1.', (_, row) => row + 1),
    best_link: maybeInt32('Record of its best link.', ({ links }, row) => numbered(links.best[row]!)),
    score: maybeDouble('Score of the link.', ({ links }, row) => defined(links.scores[row]!)),
    match_probability: double('Probability that it is right.', ({ links }, row) => links.probabilities[row]!),
    equal_links: int32('Links of the same score.', ({ links }, row) => links.ties[row]!),
    candidates: int32('Records that could be linked.', ({ links }, row) => links.candidates[row]!),
    own_record: maybeInt32('Its own record.', ({ own }, row) => numbered(own[row]!)),
    own_rank: maybeDouble('Place of that among the candidates.', ({ links }, row) => defined(links.ownRanks[row]!)),
    reidentified: flag('`true` where the one best link is to it.', ({ links, own }, row) => isReidentified(links, own, row)),
  },
};

/** `linkage-thresholds.csv`: a probability that some unique link has. */
export const LINKAGE_THRESHOLDS: ResultTable<LinkageThreshold> = {
  file: 'linkage-thresholds',
  row: 'a least probability of links',
  columns: {
    probability: double('The probability.', ({ probability }) => probability),
    links: int32('Unique links that have it.', ({ links }) => links),
    correct: int32('Right ones among them.', ({ correct }) => correct),
    precision: double('Their share.', ({ precision }) => precision),
    recall: maybeDouble('Right ones over rows whose record the intruder has.', ({ recall }) => recall),
    true_positive_rate: maybeDouble('Right ones over all that are right.', (of) => of.truePositiveRate),
    false_positive_rate: maybeDouble('Wrong ones over all that are wrong.', (of) => of.falsePositiveRate),
  },
};

/** Stores both tables of a linkage, as CSV and as Parquet. */
async function writeLinkage(store: Store, runId: string, linked: LinkedRows, thresholds: readonly LinkageThreshold[]): Promise<void> {
  await writeTable(store, runId, LINKAGE, rowsOf(linked.own.length, linked));
  await writeTable(store, runId, LINKAGE_THRESHOLDS, listed(thresholds));
}

/** Thresholds that the document holds at most; the table has all of them. */
const MOST_THRESHOLDS = 100;

const NOT_CONVERGED: Warning = {
  code: 'weights-not-converged',
  message: 'EM had not come to an end: what agrees hardly separates matches from other pairs, and match probabilities are rough.',
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

/** Stores links and figures: tables, page, and last the document, which says that everything is there. */
export async function storeLinkage(
  store: Store,
  { links, thresholds }: LinkedRelease,
  own: Int32Array,
  result: LinkageResult,
): Promise<void> {
  const { linkage, linkageReport } = runKeys(result.runId).confidential;
  await writeLinkage(store, result.runId, { links, own }, thresholds);
  await store.put(linkageReport, new TextEncoder().encode(await renderLinkage(result)));
  await store.put(linkage, encodeJson(result));
}
