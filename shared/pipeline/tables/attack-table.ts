import { writeColumns } from '../../artifacts/write-columns.ts';
import { runKeys } from '../../contracts/keys.ts';
import { ATTACK_COLUMNS, ATTACK_RECORD_COLUMNS } from '../../contracts/results/attack.ts';
import type { AttackRecords } from '../../risk/attack/attack-records.ts';
import { attackRows } from '../../risk/attack/attack-rows.ts';
import type { MeasuredAttacks } from '../../risk/attack/measure-attacks.ts';
import type { Store } from '../../storage/store.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

/** Stores `attack.csv` and `.parquet`, a row a figure, and `attack-records.csv` and `.parquet`, a row a record and target. */
export async function writeAttackTables(
  store: Store,
  runId: string,
  { summary, records }: MeasuredAttacks,
): Promise<void> {
  const { attackCsv, attackParquet, attackRecordsCsv, attackRecordsParquet } = runKeys(runId).confidential;
  const rows = [...attackRows(summary)];
  await writeColumns(store, attackCsv, attackParquet, rows.length, (from, to) =>
    Object.entries(ATTACK_COLUMNS).map(
      ([name, type]) =>
        ({
          name,
          type,
          values: rows.slice(from, to).map((row) => row[name as keyof typeof row]),
        }) as ParquetColumn,
    ),
  );
  const ofRecords = summary.records * records.targets.length;
  await writeColumns(store, attackRecordsCsv, attackRecordsParquet, ofRecords, (from, to) =>
    recordColumns(records, from, to),
  );
}

/** Rows `from` up to but without `to` of `attack-records.csv`: the targets of a record together. */
function recordColumns(
  { keys, distanceToClosest, targets }: AttackRecords,
  from: number,
  to: number,
): ParquetColumn[] {
  const value = (number: number) => (Number.isNaN(number) ? null : number);
  const ofRow = (row: number) => {
    const record = Math.floor(row / targets.length);
    const { target, replicated, cap, disclosed, inferred } = targets[row % targets.length]!;
    return {
      record: record + 1,
      target,
      key_count: keys.counts[record]!,
      individual_risk: keys.risks[record]!,
      suda_score: keys.sudaScores[record]!,
      dis_suda_score: keys.disSudaScores[record]!,
      replicated_unique: replicated[record]!,
      cap: cap[record]!,
      disclosed: disclosed[record]!,
      inferred: value(inferred[record]!),
      distance_to_closest: value(distanceToClosest[record]!),
    } satisfies Record<keyof typeof ATTACK_RECORD_COLUMNS, string | number | null>;
  };
  const rows = Array.from({ length: to - from }, (_, i) => ofRow(from + i));
  return Object.entries(ATTACK_RECORD_COLUMNS).map(
    ([name, type]) =>
      ({ name, type, values: rows.map((row) => row[name as keyof typeof row]) }) as ParquetColumn,
  );
}
