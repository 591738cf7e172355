import { type ErrorsOf, halfWidth, withErrors } from '../../contracts/figure-errors.ts';
import { studentHalfWidth } from '../../numeric/student-t.ts';
import { recordsOf } from './attribute-summary.ts';
import { errorsOf, releaseVariance, simulationVariance, uncertaintyResolved } from './release-error.ts';
import { type RiskiestRows, riskiestByClaim, riskiestGain } from './riskiest-gain.ts';
import { HALF_LENGTH, WITHOUT_DATASETS } from './value-figures.ts';
import { isGivenAway, type VALUE_COLUMNS, VALUE_SUMS, type ValuePart, type ValueSums, valueAt } from './value-risk.ts';

/** Figures with an error over releases. */
type Released = 'gainBitsMean' | 'uncertaintyResolved' | 'firstGuessRightAfter' | 'probabilityTrueAfter' | 'valuesGivenAway';

/** Figures of some value sets over a file; means and shares are over what `records` says, errors over releases are null for m = 1. */
export interface ValueSummary extends ErrorsOf<Released> {
  readonly gainBitsMean: number;
  readonly gainBitsClaimed: number;
  /** The gain that paired chains of half their length find. */
  readonly gainBitsHalfLength: number;
  /** What the intruder lacked before: mean over records of -log2 of the prior probability of the true values. */
  readonly lackedBitsMean: number;
  readonly lackedBitsMeanSe: number;
  /** The gain by what the intruder lacked before; null where that is nothing. */
  readonly uncertaintyResolved: number | null;
  /** Shares of guesses that are right; of values that share the first place each counts its part. */
  readonly firstGuessRightBefore: number;
  readonly firstGuessRightBeforeSe: number;
  readonly firstGuessRightAfter: number;
  /** Mean probability of the true value. */
  readonly probabilityTrueBefore: number;
  /** Of simulation alone, as for the guesses. */
  readonly probabilityTrueBeforeSe: number;
  readonly probabilityTrueAfter: number;
  /** Guesses that were not the first before the release, are it after, and are then more likely right than not. */
  readonly valuesGivenAway: number;
}

/** Figures of a whole file on the records that are really there. */
export interface FileValues extends ValueSummary, ErrorsOf<'gainBitsRiskiest'> {
  /** Mean gain of the hundredth of the records of which the estimate claims most. */
  readonly gainBitsRiskiest: number;
  /** Claimed less gained, with an error that knows of the records too. */
  readonly gainBitsExcess: number;
  readonly gainBitsExcessSe: number | null;
  /** Half of the width of its 95 % interval. */
  readonly gainBitsExcessHalfWidth: number | null;
  /** Share of true values whose gain is no more than -{@link RULED_OUT_BITS}. */
  readonly ruledOutShare: number;
  /** By value set; null where no record has anything to guess. */
  readonly bySet: readonly (ValueSummary | null)[];
}

type Sum = (typeof VALUE_SUMS)[number];

/**
 * Loss from which a value counts as ruled out, bits. Where the probabilities after the release are right, a true value has one
 * of no more than 2^-b times that before with a probability of no more than 2^-b, whatever is believed before
 * (docs/explanation/estimators.md, records that are really there).
 */
const RULED_OUT_BITS = 20;

/** How many value sets a row has; those whose gains add up to that of a record; those of one variable, of which the shares are. */
export interface SetNumbers {
  readonly count: number;
  readonly counted: readonly number[];
  readonly single: readonly number[];
}

/** What figures of a file need of every row, from parts of its rows that need not be in memory together. */
export class ValueTotals {
  readonly sets: SetNumbers;
  /** Records of every row. */
  readonly counts: ArrayLike<number>;
  /** By value set: records that have something to guess, and records whose value is newly disclosed. */
  readonly guesses: Float64Array;
  readonly givenAway: Float64Array;
  /** By value set: records whose value is ruled out. */
  readonly ruledOut: Float64Array;
  /** Of every row what the estimate claims to be gained in the sets that are counted. */
  readonly claimed: Float64Array;
  /** Of every row and value set: 1 where there is something to guess. */
  readonly #asked: Uint8Array;

  constructor(counts: ArrayLike<number>, sets: SetNumbers) {
    this.counts = counts;
    this.sets = sets;
    this.guesses = new Float64Array(sets.count);
    this.givenAway = new Float64Array(sets.count);
    this.ruledOut = new Float64Array(sets.count);
    this.claimed = new Float64Array(counts.length);
    this.#asked = new Uint8Array(counts.length * sets.count);
  }

  /** Takes some rows in. */
  add(part: ValuePart): void {
    const { count: width, counted } = this.sets;
    for (let row = part.from; row < part.to; row++) {
      const place = (row - part.from) * width;
      for (let s = 0; s < width; s++) {
        const at = (name: (typeof VALUE_COLUMNS)[number]) => valueAt(part, place + s, name);
        if (at('values') === 0) continue;
        this.#asked[row * width + s] = 1;
        this.guesses[s]! += this.counts[row]!;
        if (at('gainBits') <= -RULED_OUT_BITS) this.ruledOut[s]! += this.counts[row]!;
        if (isGivenAway(at('rankBefore'), at('rankAfter'), at('probabilityAfter'))) this.givenAway[s]! += this.counts[row]!;
      }
      this.claimed[row] = counted.reduce((sum, s) => sum + valueAt(part, place + s, 'claimedBits'), 0);
    }
  }

  /** The riskiest rows, once all have been taken in. */
  riskiest(): RiskiestRows {
    return riskiestByClaim(this.claimed, this.counts);
  }

  /** Whether a row has something to guess in a value set. */
  isAsked(row: number, set: number): boolean {
    return this.#asked[row * this.sets.count + set] === 1;
  }
}

/**
 * Figures of a whole file.
 *
 * @param totals of all its rows
 * @param riskiest what `totals` finds to be the riskiest rows, with their gains as `ValueRisk` has them
 * @param isSimulated where nothing is, what was known before the release has no error
 * @returns null when there is nothing to guess
 */
export function summarizeValues(
  totals: ValueTotals,
  { sums, squares }: ValueSums,
  riskiest: { readonly rows: RiskiestRows; readonly gains: Float64Array },
  isSimulated: boolean,
): FileValues | null {
  const { guesses, givenAway, ruledOut, counts } = totals;
  const { count: width, counted, single } = totals.sets;
  const evaluations = sums.length / (width * VALUE_SUMS.length);
  const records = recordsOf(counts);
  if (guesses.every((records) => records === 0)) return null;
  /** A figure's sum over some sets, in every evaluation. */
  const total = (over: readonly number[], name: Sum) =>
    Float64Array.from({ length: evaluations }, (_, e) =>
      over.reduce((sum, s) => sum + sums[(e * width + s) * VALUE_SUMS.length + VALUE_SUMS.indexOf(name)]!, 0),
    );
  const add = (list: Float64Array, over: readonly number[]) => over.reduce((sum, s) => sum + list[s]!, 0);
  const errorOf = (evaluated: Float64Array) => (isSimulated ? Math.sqrt(simulationVariance(evaluated)) : 0);
  /** Figures of some sets: bits by record over `gained`, shares by guess over `asked`. */
  const figuresOf = (gained: readonly number[], asked: readonly number[], bitsOver: number): ValueSummary => {
    const pairs = add(guesses, asked);
    const gain = total(gained, 'gainBits');
    const lacked = total(gained, 'lackedBits');
    const resolved = uncertaintyResolved(gain, lacked);
    const before = total(asked, 'rightBefore');
    const after = total(asked, 'rightAfter');
    const prior = total(asked, 'probabilityBefore');
    const probability = total(asked, 'probabilityAfter');
    return {
      ...withErrors('gainBitsMean', gain[0]! / bitsOver, errorsOf(gain, bitsOver)),
      gainBitsClaimed: total(gained, 'claimedBits')[0]! / bitsOver,
      gainBitsHalfLength: gain[HALF_LENGTH]! / bitsOver,
      lackedBitsMean: lacked[0]! / bitsOver,
      lackedBitsMeanSe: errorOf(lacked) / bitsOver,
      ...withErrors('uncertaintyResolved', resolved.share, resolved),
      firstGuessRightBefore: before[0]! / pairs,
      firstGuessRightBeforeSe: errorOf(before) / pairs,
      ...withErrors('firstGuessRightAfter', after[0]! / pairs, errorsOf(after, pairs)),
      probabilityTrueBefore: prior[0]! / pairs,
      probabilityTrueBeforeSe: errorOf(prior) / pairs,
      ...withErrors('probabilityTrueAfter', probability[0]! / pairs, errorsOf(probability, pairs)),
      ...withErrors('valuesGivenAway', add(givenAway, asked), errorsOf(total(asked, 'givenAway'), 1)),
    };
  };
  const gain = total(counted, 'gainBits');
  const excess = total(counted, 'claimedBits').map((claimed, e) => claimed - gain[e]!);
  return {
    ...figuresOf(counted, single, records),
    gainBitsExcess: excess[0]! / records,
    ...excessError(excess, squares, records),
    ruledOutShare: add(ruledOut, counted) / Math.max(1, add(guesses, counted)),
    ...riskiestGain(riskiest.rows, riskiest.gains),
    bySet: Array.from({ length: width }, (_, s) => (guesses[s] === 0 ? null : figuresOf([s], [s], records))),
  };
}

/**
 * Standard error of claimed less gained: of simulation, records and release together. Records and datasets are crossed,
 * so that what a dataset makes of one record by itself is in both variances, and is taken away once (Cameron et al.
 * 2011).
 *
 * Half of the width of its 95 % interval takes what is crossed from the variance of the records, which is known well, and leaves
 * that of the release whole, by Student's t: so it is not too narrow where a few datasets happen to differ little.
 */
export function excessError(
  excess: Float64Array,
  squares: Float64Array,
  records: number,
): Pick<FileValues, 'gainBitsExcessSe' | 'gainBitsExcessHalfWidth'> {
  const release = releaseVariance(excess);
  if (release === null || records < 2) return { gainBitsExcessSe: null, gainBitsExcessHalfWidth: null };
  const datasets = excess.length - WITHOUT_DATASETS;
  const mean = excess[0]! / records;
  const byRecords = (records / (records - 1)) * Math.max(0, squares[0]! - records * mean * mean);
  const simulation = simulationVariance(excess);
  const known = Math.sqrt(simulation + Math.max(0, byRecords - squares[1]!));
  return {
    gainBitsExcessSe: Math.sqrt(simulation + byRecords + Math.max(0, release - squares[1]!)) / records,
    gainBitsExcessHalfWidth: halfWidth(known / records, Math.sqrt(release) / records, studentHalfWidth(datasets - 1)),
  };
}
