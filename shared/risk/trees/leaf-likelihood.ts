import { bandwidthOf, decimalsOf, MAX_DECIMALS } from '../../model/cart/smoothing.ts';
import { logSumExp } from '../../numeric/log-sum-exp.ts';
import { logNormalMass } from '../../numeric/normal-mass.ts';
import { log } from '../../numeric/portable-math.ts';
import { type LeafDonors, type LeafLikelihood, NOTHING_RELEASED, type ReleasedLikelihood } from './grown-node.ts';
import type { CountedRows, ReleasedValues, TreePlace } from './tree-variables.ts';

/** Counts by class with one record less and one more; the counts themselves where neither is given. */
export function changedCounts(counts: Float64Array, removed: TreePlace | null, added: TreePlace | null): Float64Array {
  if (removed === null && added === null) return counts;
  const changed = counts.slice();
  if (removed !== null) changed[removed.response]!--;
  if (added !== null) changed[added.response]!++;
  return changed;
}

/** The probability of values that were drawn from the donors of a node: their shares by class. */
export class DonorShares implements LeafLikelihood {
  readonly #logs: Float64Array;

  /** @param records most that a node can have */
  constructor(records: number) {
    this.#logs = Float64Array.from({ length: records + 1 }, (_, count) => (count === 0 ? 0 : log(count)));
  }

  changeTable(): boolean {
    return true;
  }

  of({ counts, records, resting }: LeafDonors, removed: TreePlace | null, added: TreePlace | null): ReleasedLikelihood {
    const changed = records - (removed === null ? 0 : 1) + (added === null ? 0 : 1);
    return this.#changed(resting, counts, changed, { less: removed?.response ?? NO_CLASS, more: added?.response ?? NO_CLASS });
  }

  /**
   * Σ_v s_v (log n_v - log n) of s_v released values from n_v donors of n by class.
   *
   * @param released null for none
   */
  likelihood(released: ReleasedValues | null, counts: Float64Array, records: number): ReleasedLikelihood {
    return this.#changed(released, counts, records, { less: NO_CLASS, more: NO_CLASS });
  }

  #changed(released: ReleasedValues | null, counts: Float64Array, records: number, change: ClassChange): ReleasedLikelihood {
    if (released === null) return NOTHING_RELEASED;
    const part = (from: number) => this.#part(released, from, counts, records, change);
    const all = part(0);
    const width = released.present.length;
    const datasets = width === 0 ? 0 : released.counts.length / width - 1;
    if (datasets === 0) return { ...all, separate: null };
    const separate = new Array<number>(2 * datasets).fill(0);
    for (let l = 0; l < datasets; l++) {
      const dataset = part((1 + l) * width);
      separate[l] = dataset.logLikelihood;
      separate[datasets + l] = dataset.impossible;
    }
    return { ...all, separate };
  }

  /** Those of all datasets, or of one, which begin at a place. */
  #part({ counts: released, present }: ReleasedValues, from: number, counts: Float64Array, records: number, { less, more }: ClassChange) {
    let logLikelihood = 0;
    let impossible = 0;
    let given = 0;
    for (let place = 0; place < present.length; place++) {
      const one = present[place]!;
      const values = released[from + place]!;
      if (values === 0) continue;
      const count = counts[one]! - (one === less ? 1 : 0) + (one === more ? 1 : 0);
      if (count === 0) impossible += values;
      else {
        logLikelihood += values * this.#logs[count]!;
        given += values;
      }
    }
    return { logLikelihood: logLikelihood - given * this.#logs[records]!, impossible };
  }
}

/** The classes that lose a record and gain one, or {@link NO_CLASS}. */
type ClassChange = { readonly less: number; readonly more: number };

const NO_CLASS = -1;

/** Standard deviations beyond which what is reflected adds nothing. */
const REACH = 40;

/** The observed range of the values of each sign, and the most decimals of any. */
interface ObservedValues {
  readonly positive: readonly [low: number, high: number];
  readonly negative: readonly [low: number, high: number];
  readonly decimals: number;
}

/**
 * The probability of values that `LeafSmoothing` has released: of a value z that is not zero, the mean over a node's
 * donors of the probability that the kernel about the donor, reflected at the ends of the observed range of its sign, is
 * rounded to z; of zero the share of zeros. Bandwidth, range and decimals are those of the donors as changed.
 */
export class KernelLikelihood implements LeafLikelihood {
  readonly #records: CountedRows;
  readonly #released: CountedRows;
  readonly #decimals: Uint8Array;
  readonly #unchanged: ObservedValues;
  #observed: ObservedValues;

  /**
   * @param records the distinct records of the table, with their values
   * @param released the distinct rows of the datasets
   */
  constructor(records: CountedRows, released: CountedRows) {
    this.#records = records;
    this.#released = released;
    this.#decimals = Uint8Array.from(records.values!, (value) => Math.min(decimalsOf(value), 255));
    this.#unchanged = this.#observe(null, null);
    this.#observed = this.#unchanged;
  }

  changeTable(removed: TreePlace | null, added: TreePlace | null): boolean {
    this.#observed = this.#observe(removed, added);
    const { positive, negative, decimals } = this.#observed;
    const unchanged = this.#unchanged;
    return (
      decimals === unchanged.decimals &&
      [0, 1].every((end) => positive[end] === unchanged.positive[end] && negative[end] === unchanged.negative[end])
    );
  }

  of({ donors }: LeafDonors, removed: TreePlace | null, added: TreePlace | null): ReleasedLikelihood {
    const { units, rows } = donors!;
    if (rows.length === 0) return NOTHING_RELEASED;
    const values = this.#donorValues(units, removed, added);
    const sides = { positive: values.filter((value) => value > 0), negative: values.filter((value) => value < 0) };
    const bandwidths = { positive: bandwidthOf(sides.positive), negative: bandwidthOf(sides.negative) };
    const zeros = values.length - sides.positive.length - sides.negative.length;
    const { weights, weightsOf } = this.#released;
    const datasets = weightsOf.length;
    const separate = datasets === 0 ? null : new Array<number>(2 * datasets).fill(0);
    let logLikelihood = 0;
    let impossible = 0;
    for (const row of rows) {
      const value = this.#released.values![row]!;
      const sign = value > 0 ? 'positive' : 'negative';
      const sum = value === 0 ? log(zeros) : this.#logSum(value, sides[sign], bandwidths[sign], this.#observed[sign]);
      const canBe = sum !== -Infinity && !Number.isNaN(sum);
      const logDensity = canBe ? sum - log(values.length) : 0;
      if (canBe) logLikelihood += weights[row]! * logDensity;
      else impossible += weights[row]!;
      for (let l = 0; l < datasets; l++) {
        if (canBe) separate![l]! += weightsOf[l]![row]! * logDensity;
        else separate![datasets + l]! += weightsOf[l]![row]!;
      }
    }
    return { logLikelihood, impossible, separate };
  }

  /** Logarithm of the sum over donors of one sign of the probability that they give a value; -Infinity for none. */
  #logSum(value: number, donors: Float64Array, bandwidth: number, [low, high]: readonly [number, number]): number {
    if (donors.length === 0 || value < low || value > high) return -Infinity;
    // Donors that agree give their value as it is.
    if (bandwidth === 0) return donors[0] === value ? log(donors.length) : -Infinity;
    const { decimals } = this.#observed;
    if (decimals <= MAX_DECIMALS && decimalsOf(value) > decimals) return -Infinity;
    const half = Number(`1e-${Math.min(decimals, MAX_DECIMALS)}`) / 2;
    const from = Math.max(low, value - half);
    const to = Math.min(high, value + half);
    const period = 2 * (high - low);
    if (period === 0) return log(donors.length);
    const logs: number[] = [];
    const reflections = Math.ceil((REACH * bandwidth) / period) + 1;
    for (const donor of donors) {
      const add = (a: number, b: number, isFirst: boolean) => {
        const [start, end] = [(a - donor) / bandwidth, (b - donor) / bandwidth];
        if (isFirst || (start < REACH && end > -REACH)) logs.push(logNormalMass(start, end));
      };
      for (let k = -reflections; k <= reflections; k++) {
        add(from + k * period, to + k * period, k === 0);
        add(2 * low - to + k * period, 2 * low - from + k * period, false);
      }
    }
    return logSumExp(Float64Array.from(logs));
  }

  #donorValues(units: Uint32Array, removed: TreePlace | null, added: TreePlace | null): Float64Array {
    const { values, weights } = this.#records;
    const donors: number[] = [];
    for (const unit of units) {
      const weight = weights[unit]! - (removed !== null && removed.unit === unit ? 1 : 0);
      for (let w = 0; w < weight; w++) donors.push(values![unit]!);
    }
    if (added !== null) donors.push(added.value!);
    return Float64Array.from(donors).sort();
  }

  #observe(removed: TreePlace | null, added: TreePlace | null): ObservedValues {
    const { values, weights } = this.#records;
    const positive: [number, number] = [Infinity, -Infinity];
    const negative: [number, number] = [Infinity, -Infinity];
    let decimals = 0;
    const take = (value: number, digits: number) => {
      decimals = Math.max(decimals, digits);
      if (value === 0) return;
      const side = value > 0 ? positive : negative;
      if (value < side[0]) side[0] = value;
      if (value > side[1]) side[1] = value;
    };
    for (let unit = 0; unit < values!.length; unit++) {
      if (removed !== null && removed.unit === unit && weights[unit] === 1) continue;
      take(values![unit]!, this.#decimals[unit]!);
    }
    if (added !== null) take(added.value!, decimalsOf(added.value!));
    return { positive, negative, decimals };
  }
}
