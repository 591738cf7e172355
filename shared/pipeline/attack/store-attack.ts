import { encodeJson } from '../../artifacts/stored-json.ts';
import { listed, rowsOf, writeTable } from '../../artifacts/write-table.ts';
import { double, type FigureRow, figureColumns, int32, maybeDouble, type ResultTable, text } from '../../contracts/column.ts';
import { runKeys } from '../../contracts/keys.ts';
import { VERSION } from '../../contracts/version.ts';
import { renderAttack } from '../../report/render-attack.ts';
import { attackRows } from '../../risk/attack/attack-rows.ts';
import type { AttackRecords, MeasuredAttacks } from '../../risk/attack/measure-attacks.ts';
import type { Store } from '../../storage/store.ts';

/** `attack.csv`. */
export const ATTACK: ResultTable<FigureRow> = {
  file: 'attack',
  row: 'a figure of `attack`',
  columns: figureColumns('Whose measure: as in `attack.json`.', 'What it is of.'),
};

const defined = (value: number) => (Number.isNaN(value) ? null : value);
/** The targets of a record are together. */
const recordOf = ({ targets }: AttackRecords, row: number) => Math.floor(row / targets.length);
const targetOf = ({ targets }: AttackRecords, row: number) => targets[row % targets.length]!;
/** A figure of the record, and one of its target. */
const ofKeys = (name: 'counts' | 'risks' | 'sudaScores' | 'disSudaScores') => (of: AttackRecords, row: number) =>
  of.keys[name][recordOf(of, row)]!;
const ofTarget = (name: 'replicated' | 'cap' | 'disclosed' | 'pid' | 'inferred' | 'learned') => (of: AttackRecords, row: number) =>
  targetOf(of, row)[name][recordOf(of, row)]!;

/** `attack-records.csv`. */
export const ATTACK_RECORDS: ResultTable<AttackRecords> = {
  file: 'attack-records',
  row: 'a record and target',
  columns: {
    record: int32('Number from 1.', (of, row) => recordOf(of, row) + 1),
    target: text('What is sought.', (of, row) => targetOf(of, row).target),
    key_count: int32('Records that share its keys.', ofKeys('counts')),
    individual_risk: double('Its individual risk.', ofKeys('risks')),
    suda_score: double('SUDA score of its keys.', ofKeys('sudaScores')),
    dis_suda_score: double('The same scaled by DIS.', ofKeys('disSudaScores')),
    replicated_unique: double('Share of datasets in which its unique keys are unique too.', ofTarget('replicated')),
    cap: double('Share of its target among rows with its keys.', ofTarget('cap')),
    disclosed: double('Share of datasets where all rows with its keys have its target.', ofTarget('disclosed')),
    inferred: maybeDouble('Share of datasets where the nearest row by keys has its target.', (of, row) =>
      defined(ofTarget('inferred')(of, row)),
    ),
    rapid_score: maybeDouble('RAPID: normalized gain of its category, or symmetric relative error of its number.', (of, row) =>
      defined(ofTarget('learned')(of, row)),
    ),
    distance_to_closest: maybeDouble('Distance to the closest row.', (of, row) => defined(of.distanceToClosest[recordOf(of, row)]!)),
    membership_prob: double(
      'Delta-presence: rows with its keys over records with them, at most 1.',
      (of, row) => of.membershipProb[recordOf(of, row)]!,
    ),
    linkage_risk: maybeDouble('Chance that a row nearest by the keys is its own.', (of, row) =>
      defined(of.linkageRisk[recordOf(of, row)]!),
    ),
    pid: double('Positive information disclosure: largest relative gain of a value’s share among rows with its keys.', ofTarget('pid')),
  },
};

/** Stands in keys for the id of a run: what `attack` stores is of none. */
export const ATTACK_ID = 'attack';

/** Stores what `attack` found: a table with a row a figure, one with a row a record and target, the document, and its page. */
export async function storeAttack(store: Store, { summary, records }: MeasuredAttacks): Promise<void> {
  const { confidential } = runKeys(ATTACK_ID);
  const page = await renderAttack(summary, { version: VERSION });
  await writeTable(store, ATTACK_ID, ATTACK, listed([...attackRows(summary)]));
  await writeTable(store, ATTACK_ID, ATTACK_RECORDS, rowsOf(summary.records * records.targets.length, records));
  await store.put(confidential.attack, encodeJson(summary));
  await store.put(confidential.attackReport, new TextEncoder().encode(page));
}
