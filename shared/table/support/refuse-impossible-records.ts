import { InvalidTableError } from '../../contracts/errors.ts';
import type { CombinationsOfRecords } from '../combinations.ts';
import { holds, type Support } from './support.ts';

/** Row numbers that a message names at most. */
const NAMED_ROWS = 10;

/**
 * Refuses a table with records that structural zeros forbid: the model gives them probability zero. A record with
 * missing values is one of them when no values in their place would do.
 *
 * @throws InvalidTableError `impossible-records`, with the number of records and the first rows
 */
export function refuseImpossibleRecords(
  { combinations, combinationOfRecord }: CombinationsOfRecords,
  sizes: readonly number[],
  { possible }: Support,
): void {
  const { count, variables, codes } = combinations;
  const isPossible = Array.from({ length: count }, (_, row) => possible.some((box) => holds(box, codes, row * variables, sizes)));
  const rows: number[] = [];
  let records = 0;
  for (const [record, combination] of combinationOfRecord.entries()) {
    if (isPossible[combination]) continue;
    if (records++ < NAMED_ROWS) rows.push(record + 1);
  }
  if (records === 0) return;
  const more = records > rows.length ? ', and so on' : '';
  throw new InvalidTableError(
    'impossible-records',
    `records that are impossible by the structural zeros: ${records}, in rows ${rows.join(', ')}${more}; expected none: correct them, or the file of structural zeros`,
    { row: rows[0]! },
  );
}
