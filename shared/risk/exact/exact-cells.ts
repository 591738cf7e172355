import { exp } from '../../numeric/portable-math.ts';
import { CELL_EVALUATIONS, type CellSums, GUESSES } from '../cells/cell-sums.ts';
import { type CellOrder, cellOf } from '../intruder/cell-order.ts';
import { type CountedRelease, cellGain, drawnInAll } from './exact-terms.ts';

/** Stands for the log-likelihood of no cell at all. */
const NONE = -1e300;

/** Numbers of the first cells that are empty in the table and in every dataset, as many as can be guesses. */
function firstEmpty({ cells }: CellOrder, occupied: readonly number[]): number[] {
  const taken = new Set(occupied);
  const empty: number[] = [];
  for (let cell = 0; cell < cells && empty.length < GUESSES; cell++) if (!taken.has(cell)) empty.push(cell);
  return empty;
}

/** Keeps the most probable cells of a row in order; of equal ones the earlier goes first. */
function keepGuesses({ guessValues, guessCells }: CellSums, row: number, values: Float64Array, cells: readonly number[]): void {
  const ownValues = guessValues.subarray(row * GUESSES, (row + 1) * GUESSES);
  const ownCells = guessCells.subarray(row * GUESSES, (row + 1) * GUESSES);
  const goesBefore = (at: number, guess: number) =>
    values[at]! > ownValues[guess]! || (values[at] === ownValues[guess] && cells[at]! < ownCells[guess]!);
  for (let at = 0; at < values.length; at++) {
    if (!goesBefore(at, GUESSES - 1)) continue;
    let place = GUESSES - 1;
    for (; place > 0 && goesBefore(at, place - 1); place--) {
      ownValues[place] = ownValues[place - 1]!;
      ownCells[place] = ownCells[place - 1]!;
    }
    ownValues[place] = values[at]!;
    ownCells[place] = cells[at]!;
  }
}

/**
 * The sums over all cells for rows (codes: rows x variables) of a release by a model of counts, the same in every
 * evaluation, and of each row the largest |log L_x - log L_t|, in nats. Cells that are empty everywhere have one
 * likelihood and are counted without being walked: time is rows times occupied cells.
 */
export function exactCells(release: CountedRelease, order: CellOrder, codes: Uint16Array): { sums: CellSums; privacyLoss: Float64Array } {
  const { sizes, cells, find } = release;
  const width = sizes.length;
  const rows = codes.length / width;
  const all = drawnInAll(release);
  const codesOf = (place: number) => cells.codes.subarray(place * width, (place + 1) * width);
  const places = Array.from({ length: cells.count }, (_, place) => place);
  const numbers = places.map((place) => cellOf(order, codesOf(place)));
  const gains = Float64Array.from(places, (place) => cellGain(release, all, place, 0));
  /** Of each occupied cell, its categories among those of all variables. */
  const categories = places.map((place) => order.variables.map((variable, digit) => order.offsets[digit]! + codesOf(place)[variable]!));
  const empty = order.cells - cells.count;
  const emptyWith = new Float64Array(order.categories);
  for (const [digit, size] of order.sizes.entries()) {
    emptyWith.fill(order.cells / size, order.offsets[digit]!, order.offsets[digit]! + size);
  }
  for (const cellCategories of categories) for (const category of cellCategories) emptyWith[category]!--;
  const candidates = [...numbers, ...firstEmpty(order, numbers)];
  const table = () => new Float64Array(rows * CELL_EVALUATIONS);
  const sums: CellSums = {
    largest: table(),
    sums: table(),
    others: table(),
    logSums: table(),
    priorLogSums: table(),
    above: table(),
    equal: table(),
    guessValues: new Float64Array(rows * GUESSES).fill(NONE),
    guessCells: new Float64Array(rows * GUESSES),
    firstPriorLogs: new Float64Array(rows),
    marginals: new Float64Array(rows * order.categories),
  };
  const privacyLoss = new Float64Array(rows);
  const values = new Float64Array(candidates.length);
  for (let row = 0; row < rows; row++) {
    const truth = find(codes, row * width);
    const truthGain = cellGain(release, all, truth, 1);
    // Log-likelihoods against that of the truth; those of empty cells come last, and are all the same.
    for (const [place, gain] of gains.entries()) values[place] = gain - truthGain;
    values[truth] = 0;
    values.fill(-truthGain, cells.count);
    const largest = values.reduce((most, value) => Math.max(most, value), 0);
    const marginals = sums.marginals.subarray(row * order.categories, (row + 1) * order.categories);
    const emptyWeight = exp(-truthGain - largest);
    let weights = empty * emptyWeight;
    let others = truthGain === 0 ? 0 : weights;
    let logWeights = weights * -truthGain;
    let above = 0;
    let equal = truthGain === 0 ? empty : 0;
    for (const [c, cellsWith] of emptyWith.entries()) marginals[c] = cellsWith * emptyWeight;
    for (const place of places) {
      const value = values[place]!;
      const weight = exp(value - largest);
      weights += weight;
      logWeights += weight * value;
      if (value > 0) above++;
      if (value === 0) equal++;
      else others += weight;
      for (const category of categories[place]!) marginals[category]! += weight;
      privacyLoss[row] = Math.max(privacyLoss[row]!, Math.abs(value));
    }
    if (empty > 0) privacyLoss[row] = Math.max(privacyLoss[row]!, truthGain);
    const evaluations: readonly [Float64Array, number][] = [
      [sums.largest, largest],
      [sums.sums, weights],
      [sums.others, others],
      [sums.logSums, logWeights],
      [sums.above, above],
      [sums.equal, equal],
    ];
    for (const [column, value] of evaluations) {
      column.fill(value, row * CELL_EVALUATIONS, (row + 1) * CELL_EVALUATIONS);
    }
    keepGuesses(sums, row, values, candidates);
  }
  return { sums, privacyLoss };
}
