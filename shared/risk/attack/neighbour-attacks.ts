import { drawDistinct } from '../../random/draw-distinct.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { chosenRecords, type Table } from '../../table/table.ts';
import type { Tries } from './attack-outcome.ts';
import { nearestRecords, valueRanges } from './nearest/nearest-records.ts';
import { numbersOf } from './singling-out.ts';

/** How far a guess of a continuous value may be from the truth, as a share of it (Anonymeter). */
const TOLERANCE = 0.05;

/** The order in which rows of a dataset come that are equally near: by chance. */
export function tieOrder(records: number, random: RandomSource): Uint32Array {
  const priority = new Uint32Array(records);
  for (const [place, row] of drawDistinct(random, records, records).entries()) priority[row] = place;
  return priority;
}

/**
 * Linkability (Giomi et al. 2023, section 4.2): targets whose two halves of variables have the same nearest row in a
 * dataset. Ranges are those of both, as in Anonymeter with one neighbour.
 *
 * @param priority of the rows of the dataset among equally near ones
 */
export function linkedTargets(
  dataset: Table,
  targets: Table,
  halves: readonly [readonly number[], readonly number[]],
  priority: Uint32Array,
): number {
  const [first, second] = halves.map((variables) => {
    const ranges = valueRanges([dataset, targets], variables);
    return nearestRecords(dataset, targets, { variables, ranges, priority }).nearest;
  });
  let links = 0;
  for (let target = 0; target < targets.records; target++) if (first![target] === second![target]) links++;
  return links;
}

/** Links by chance: two rows of a dataset drawn for each attempt. */
export function linkedByChance(rows: number, attempts: number, random: RandomSource): Tries {
  const draw = () => random.below(rows);
  let successes = 0;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const [first, second] = [draw(), draw()];
    if (first === second) successes++;
  }
  return { attempts, successes };
}

/** Whether a guess at a value is right: the same category, or a number within 5 %. */
function isRight(continuous: boolean, guess: number, truth: number): boolean {
  if (!continuous) return guess === truth;
  return Math.abs(guess - truth) <= TOLERANCE * (Math.abs(guess) + 1e-12);
}

/**
 * Inference (Giomi et al. 2023, section 4.3): for each record whether the nearest row of a dataset by its keys has its
 * value of the target, or one within 5 % of it (of the guess, as in Anonymeter, but for its sign).
 *
 * @param priority of the rows of the dataset among equally near ones
 */
export function inferTarget(dataset: Table, records: Table, keys: readonly number[], target: number, priority: Uint32Array): Uint8Array {
  const ranges = valueRanges([dataset, records], keys);
  const { nearest } = nearestRecords(dataset, records, { variables: keys, ranges, priority });
  return rightGuesses(dataset, nearest, records, target);
}

/** Guesses by chance: for each attempt another row of the dataset, held against a record that is attacked. */
export function inferByChance(dataset: Table, targets: Table, target: number, random: RandomSource): Tries {
  const attempts = Math.min(targets.records, dataset.records);
  const rows = drawDistinct(random, dataset.records, attempts);
  const some = chosenRecords(
    targets,
    Uint32Array.from({ length: attempts }, (_, i) => i),
  );
  return { attempts, successes: total(rightGuesses(dataset, rows, some, target)) };
}

function rightGuesses(dataset: Table, rows: Uint32Array, records: Table, target: number): Uint8Array {
  const [guesses, truths] = [numbersOf(dataset, target), numbersOf(records, target)];
  const continuous = records.columns[target]!.type === 'continuous';
  return Uint8Array.from(rows, (row, record) => Number(isRight(continuous, guesses[row]!, truths[record]!)));
}

/** How many of some flags are set. */
export const total = (flags: Uint8Array): number => flags.reduce((sum, flag) => sum + flag, 0);
