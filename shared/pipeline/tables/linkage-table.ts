import { writeColumns } from '../../artifacts/write-columns.ts';
import { runKeys } from '../../contracts/keys.ts';
import {
  LINKAGE_COLUMNS,
  type LinkageThreshold,
  THRESHOLD_COLUMNS,
} from '../../contracts/results/linkage.ts';
import { type Links, NO_RECORD } from '../../risk/linkage/link-records.ts';
import { isReidentified } from '../../risk/linkage/linkage-figures.ts';
import type { Store } from '../../storage/store.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

type Value = number | boolean | null;

/**
 * Stores `linkage.csv` and `.parquet`: one row a row of the masked file. Records of the intruder's file are numbered from 1.
 *
 * @param own for each row its record in the intruder's file, from 0, or -1
 */
export async function writeLinkage(
  store: Store,
  runId: string,
  links: Links,
  own: Int32Array,
): Promise<void> {
  const numbered = (record: number) => (record === NO_RECORD ? null : record + 1);
  const defined = (value: number) => (Number.isNaN(value) ? null : value);
  const fields: Record<keyof typeof LINKAGE_COLUMNS, (row: number) => Value> = {
    row: (row) => row + 1,
    best_link: (row) => numbered(links.best[row]!),
    score: (row) => defined(links.scores[row]!),
    match_probability: (row) => links.probabilities[row]!,
    equal_links: (row) => links.ties[row]!,
    candidates: (row) => links.candidates[row]!,
    own_record: (row) => numbered(own[row]!),
    own_rank: (row) => defined(links.ownRanks[row]!),
    reidentified: (row) => isReidentified(links, own, row),
  };
  const { linkageCsv, linkageParquet } = runKeys(runId).confidential;
  await writeColumns(store, linkageCsv, linkageParquet, own.length, (from, to) => {
    const rows = Array.from({ length: to - from }, (_, place) => from + place);
    return Object.entries(LINKAGE_COLUMNS).map(
      ([name, type]) =>
        ({ name, type, values: rows.map(fields[name as keyof typeof LINKAGE_COLUMNS]) }) as ParquetColumn,
    );
  });
}

/** Stores `linkage-thresholds.csv` and `.parquet`: one row a probability that some unique link has. */
export async function writeThresholds(
  store: Store,
  runId: string,
  thresholds: readonly LinkageThreshold[],
): Promise<void> {
  const fields: Record<keyof typeof THRESHOLD_COLUMNS, (threshold: LinkageThreshold) => Value> = {
    probability: ({ probability }) => probability,
    links: ({ links }) => links,
    correct: ({ correct }) => correct,
    precision: ({ precision }) => precision,
    recall: ({ recall }) => recall,
    true_positive_rate: ({ truePositiveRate }) => truePositiveRate,
    false_positive_rate: ({ falsePositiveRate }) => falsePositiveRate,
  };
  const { linkageThresholdsCsv, linkageThresholdsParquet } = runKeys(runId).confidential;
  await writeColumns(store, linkageThresholdsCsv, linkageThresholdsParquet, thresholds.length, (from, to) => {
    const part = thresholds.slice(from, to);
    return Object.entries(THRESHOLD_COLUMNS).map(
      ([name, type]) =>
        ({ name, type, values: part.map(fields[name as keyof typeof THRESHOLD_COLUMNS]) }) as ParquetColumn,
    );
  });
}
