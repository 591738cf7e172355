import { grained, grainedSquare } from '../../numeric/grained.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import { beforeAndAfter, INTERVALS, intervalsOf } from '../continuous/continuous-figures.ts';
import type { ValueSet } from '../intruder/value-sets.ts';
import { RESAMPLES } from './chain-evaluations.ts';
import type { Evaluations } from './evaluator.ts';
import { KEPT_HALF, keptEvaluations } from './kept-evaluations.ts';
import { betweenDatasets, type UncertaintyResolved, uncertaintyResolved } from './release-error.ts';
import { HALF_LENGTH, VALUE_FIGURES, type ValueFigure, WITHOUT_DATASETS } from './value-figures.ts';

/** What is kept of each value set of a row, in this order; see {@link VALUE_FIGURES}. */
export const VALUE_COLUMNS = [
  /** Values of the set; 0 where there is nothing to guess, and all else is 0. */
  'values',
  'probabilityBefore',
  'probabilityAfter',
  /** Standard error of the probability after the release, of simulation and of the length of paired chains. */
  'probabilitySe',
  'rankBefore',
  'rankAfter',
  'gainBits',
  'claimedBits',
  /** The likeliest value, as in the `codes` of its set. */
  'guessBefore',
  'guessAfter',
  /** -log2 of the probability before. */
  'lackedBits',
  /** Standard error of gainBits by lackedBits, of simulation and release; NaN for one dataset, or nothing to know. */
  'resolvedSe',
] as const;

const COLUMN_PLACES = Object.fromEntries(VALUE_COLUMNS.map((name, place) => [name, place])) as Record<
  (typeof VALUE_COLUMNS)[number],
  number
>;

/** Figures of value sets that are summed over records, in this order. */
export const VALUE_SUMS = [
  'gainBits',
  'claimedBits',
  'rightBefore',
  'rightAfter',
  'probabilityBefore',
  'probabilityAfter',
  'lackedBits',
  /** Of continuous variables, the CRPS. */
  'rankBefore',
  'rankAfter',
  /** Values that the release newly discloses, which is no figure of its own: see {@link isGivenAway}. */
  'givenAway',
] as const;

/** Where a figure stands among those of a set. */
const PLACES = Object.fromEntries(VALUE_FIGURES.map((name, place) => [name, place])) as Record<ValueFigure, number>;
const SUMMED = VALUE_SUMS.flatMap((name) => (name === 'givenAway' ? [] : [PLACES[name]]));

/** True for a value that the release newly discloses: not the first guess before it, the first after it, and then likelier than not. */
export function isGivenAway(rankBefore: number, rankAfter: number, probabilityAfter: number): boolean {
  return rankBefore > 1 && rankAfter === 1 && probabilityAfter > 0.5;
}

/** Sums over records of what is known of values. */
export interface ValueSums {
  /** (WITHOUT_DATASETS + datasets) x value sets x VALUE_SUMS: over records, in the evaluations of `Evaluations.figures`. */
  readonly sums: Float64Array;
  /**
   * 2: sums of squares over records, of the excess (claimed less gained), and of what single datasets make of it in a
   * record by itself.
   */
  readonly squares: Float64Array;
  /** That are left out in turn. */
  readonly datasets: number;
}

/** What is known of the values of a batch before and after the release. */
export interface ValueRisk extends ValueSums {
  /** rows x value sets x VALUE_COLUMNS. */
  readonly columns: Float64Array;
  /** rows x `keptEvaluations`: the gain of each row in the sets whose gains add up. */
  readonly gains: Float64Array;
  /** rows x continuous variables x INTERVALS; NaN where there is nothing to guess. */
  readonly intervals: Float64Array;
}

/** The columns of rows `from` (from 0) up to but without `to`, as `ValueRisk` has them. */
export interface ValuePart extends Pick<ValueRisk, 'columns'> {
  readonly from: number;
  readonly to: number;
}

/**
 * A {@link ValueRisk} to be filled.
 *
 * @param datasets that are left out in turn
 * @param continuous how many of the sets, the last ones, are of continuous variables
 */
export function emptyValueRisk(rows: number, sets: number, datasets: number, continuous = 0): ValueRisk {
  return {
    columns: new Float64Array(rows * sets * VALUE_COLUMNS.length),
    sums: new Float64Array((WITHOUT_DATASETS + datasets) * sets * VALUE_SUMS.length),
    squares: new Float64Array(2),
    gains: new Float64Array(rows * keptEvaluations(datasets)),
    intervals: new Float64Array(rows * continuous * INTERVALS.length).fill(NaN),
    datasets,
  };
}

/** Adds figures of some of a row's value sets, in every evaluation, to the sums over records. */
function addFigures(sums: Float64Array, figures: Float64Array, count: number, sets: number, filled: readonly number[]): void {
  const places = figures.length / VALUE_FIGURES.length;
  for (let first = 0; first < places; first += sets) {
    for (const s of filled) {
      const own = (first + s) * VALUE_FIGURES.length;
      const sum = (first + s) * VALUE_SUMS.length;
      for (let i = 0; i < SUMMED.length; i++) sums[sum + i]! += grained(count * figures[own + SUMMED[i]!]!);
      const of = (place: number) => figures[own + place]!;
      if (isGivenAway(of(PLACES.rankBefore), of(PLACES.rankAfter), of(PLACES.probabilityAfter))) sums[sum + SUMMED.length]! += count;
    }
  }
}

/**
 * Fills in a row.
 *
 * @param count records of the row
 * @param sets its value sets; `counted` are those whose gains add up
 * @returns what of the row's uncertainty is resolved, in all of these together
 */
export function setValues(
  { columns, sums, squares, gains }: ValueRisk,
  row: number,
  count: number,
  { figures, guesses }: Pick<Evaluations, 'figures' | 'guesses'>,
  { sets, counted }: { readonly sets: readonly ValueSet[]; readonly counted: readonly number[] },
): UncertaintyResolved {
  const width = sets.length * VALUE_FIGURES.length;
  const evaluations = figures.length / width;
  const figure = (evaluation: number, set: number, place: number) => figures[evaluation * width + set * VALUE_FIGURES.length + place]!;
  const guessed = counted.filter((s) => sets[s]!.codes.length > 0);
  const [gained, lacked, resampled] = [new Float64Array(evaluations), new Float64Array(evaluations), new Float64Array(RESAMPLES)];
  /** A figure of some sets together in every evaluation. */
  const addUp = (place: number, over: readonly number[], into: Float64Array) => {
    for (let e = 0; e < evaluations; e++) {
      let sum = 0;
      for (const s of over) sum += figure(e, s, place);
      into[e] = sum;
    }
    return into;
  };
  const resolved = (over: readonly number[]) =>
    uncertaintyResolved(addUp(PLACES.gainBits, over, gained), addUp(PLACES.lackedBits, over, lacked));
  for (const [s, { codes }] of sets.entries()) {
    if (codes.length === 0) continue;
    const estimate = (name: ValueFigure) => figure(0, s, PLACES[name]);
    for (let b = 0; b < RESAMPLES; b++) resampled[b] = figure(1 + b, s, PLACES.probabilityAfter);
    const values: Record<(typeof VALUE_COLUMNS)[number], number> = {
      values: codes.length,
      probabilityBefore: estimate('probabilityBefore'),
      probabilityAfter: estimate('probabilityAfter'),
      probabilitySe: Math.max(
        standardDeviation(resampled),
        Math.abs(estimate('probabilityAfter') - figure(HALF_LENGTH, s, PLACES.probabilityAfter)),
      ),
      rankBefore: estimate('rankBefore'),
      rankAfter: estimate('rankAfter'),
      gainBits: estimate('gainBits'),
      claimedBits: estimate('claimedBits'),
      guessBefore: codes[guesses[2 * s]!]!,
      guessAfter: codes[guesses[2 * s + 1]!]!,
      lackedBits: estimate('lackedBits'),
      resolvedSe: resolved([s]).se ?? NaN,
    };
    const from = (row * sets.length + s) * VALUE_COLUMNS.length;
    for (const [c, name] of VALUE_COLUMNS.entries()) columns[from + c] = values[name];
  }
  const filled = [...sets.keys()].filter((s) => sets[s]!.codes.length > 0);
  addFigures(sums, figures, count, sets.length, filled);
  const excess = (evaluation: number) =>
    guessed.reduce((sum, s) => sum + figure(evaluation, s, PLACES.claimedBits) - figure(evaluation, s, PLACES.gainBits), 0);
  const whole = excess(0);
  squares[0]! += grainedSquare(count * whole * whole);
  const without = Array.from({ length: evaluations - WITHOUT_DATASETS }, (_, l) => excess(WITHOUT_DATASETS + l));
  if (without.length > 0) squares[1]! += grainedSquare(count * betweenDatasets(whole, without));
  const ofRow = resolved(guessed);
  const kept = row * keptEvaluations(evaluations - WITHOUT_DATASETS);
  gains.set(gained.subarray(0, KEPT_HALF), kept);
  gains.set(gained.subarray(HALF_LENGTH), kept + KEPT_HALF);
  return ofRow;
}

/**
 * Fills in the intervals of a row's continuous variables and their distributions; arguments as `weighCells` has them.
 *
 * @param own 2 x candidates of continuous variables, which are the last of all: receives the probabilities of masses and cells
 * before the release, and then after it
 */
export function setDistributions(
  { intervals, row, own }: Pick<ValueRisk, 'intervals'> & { readonly row: number; readonly own: Float32Array },
  sets: readonly ValueSet[],
  prior: Float64Array,
  estimates: Float64Array,
): void {
  const width = sets.length * INTERVALS.length;
  for (const [j, set] of sets.entries()) {
    if (set.scale === undefined) continue;
    const distributions = beforeAndAfter(set, prior, estimates);
    intervals.set(intervalsOf(set, distributions), row * width + j * INTERVALS.length);
    for (const [when, { weights, total }] of distributions.entries()) {
      const first = ((when + 1) * own.length) / 2 - prior.length;
      for (const [v, x] of set.candidates.entries()) own[first + x] = weights[v]! / total;
    }
  }
}

/** What is known of a value set of a row, by its place: row x value sets + set. */
export function valueAt({ columns }: Pick<ValueRisk, 'columns'>, place: number, name: (typeof VALUE_COLUMNS)[number]): number {
  return columns[place * VALUE_COLUMNS.length + COLUMN_PLACES[name]]!;
}
