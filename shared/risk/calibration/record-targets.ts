import type { RandomSource } from '../../random/random-source.ts';
import type { Column, Table } from '../../table/table.ts';
import { candidateChanges, ranksCandidates } from '../intruder/candidate-space.ts';
import { type AskedOfRecords, spaceOfView } from '../mixed/record-candidates.ts';
import { type CalibrationTargets, chooseRecords } from './calibration-targets.ts';

/** What the records of a calibration's targets are scored at: a number's masses and cells, or candidates that are listed. */
export const calibratedCandidates = (asked: AskedOfRecords): number =>
  ranksCandidates(asked.listed) ? asked.listed.perCombination : spaceOfView(asked).perRecord - asked.listed.perCombination;

/**
 * Chooses distinct records at random, and replaces what an intruder lacks of each by a candidate drawn uniformly: of a number by a mass or
 * by a cell, and in the cell by a value drawn uniformly on the variable's scale, which is not rounded so that no cell is the likelier
 * (docs/explanation/calibration.md). What is unknown has the same candidates whatever a record was: a listed truth is
 * candidate 0.
 *
 * @param asked of unknown variables
 * @returns the targets, and the table with what took their places
 * @throws RangeError when the table has fewer records than targets, or candidates depend on the truth
 */
export function drawRecordTargets(
  table: Table,
  asked: AskedOfRecords,
  targets: number,
  random: RandomSource,
): Pick<CalibrationTargets, 'truths' | 'records'> & { readonly table: Table } {
  const { view, variables, listed, guessed } = asked;
  if (listed.kind !== 'unknown') throw new RangeError('candidates that depend on the truth are not replaced');
  const columns = table.columns.map(
    (column): Column =>
      column.type === 'categorical' ? { ...column, codes: column.codes.slice() } : { ...column, values: column.values.slice() },
  );
  const truths = new Uint32Array(targets);
  const chosen = new Uint32Array(targets);
  const [number] = guessed;
  let t = 0;
  for (const record of chooseRecords(table.records, targets, random)) {
    chosen[t] = record;
    if (number === undefined) {
      const own = variables.map((v) => codesOf(columns[v]!));
      const held = own.map((codes) => codes[record]!);
      for (const { variable, code } of candidateChanges(listed, held, random.below(listed.perCombination))) own[variable]![record] = code;
    } else {
      const { variable, scale, declared } = view.continuous[number]!;
      const place = random.below(calibratedCandidates(asked));
      const cell = place - declared.masses.length;
      const column = columns[variable]!;
      if (column.type !== 'continuous') throw new RangeError('a continuous variable has numbers');
      column.values[record] = cell < 0 ? declared.masses[place]! : scale.fromUnit((cell + random.uniform()) / declared.cells);
      truths[t] = place;
    }
    t++;
  }
  return { table: { ...table, columns }, truths, records: chosen };
}

function codesOf(column: Column) {
  if (column.type !== 'categorical') throw new RangeError('a categorical variable has codes');
  return column.codes;
}
