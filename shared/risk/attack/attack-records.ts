import type { Disclosure } from './disclosure.ts';
import type { CountedKeys } from './key-counts.ts';

/** What each of the measures says of the records of a table; means over datasets. Arrays have an element a record. */
export interface AttackRecords {
  readonly keys: CountedKeys;
  /** To the closest row, over all variables, by their number; NaN is not drawn, as there are too many. */
  readonly distanceToClosest: Float64Array;
  /** One element a target. */
  readonly targets: readonly TargetRecords[];
}

/** What is said of one target of each record. */
export interface TargetRecords {
  readonly target: string;
  readonly replicated: Float64Array;
  readonly cap: Float64Array;
  readonly disclosed: Float64Array;
  /** Whether the nearest row tells the value; NaN for a record that was not drawn. */
  readonly inferred: Float64Array;
}

/** Sums up what datasets say of each record. */
export class RecordMeans {
  readonly distanceToClosest: Float64Array;
  readonly targets: readonly TargetRecords[];

  constructor(targets: readonly string[], records: number) {
    const zeros = () => new Float64Array(records);
    this.distanceToClosest = zeros().fill(Number.NaN);
    this.targets = targets.map((target) => ({
      target,
      replicated: zeros(),
      cap: zeros(),
      disclosed: zeros(),
      inferred: zeros().fill(Number.NaN),
    }));
  }

  /** Adds what one of `datasets` datasets says of a target. */
  addDisclosure(target: number, { replicated, cap, disclosed }: Disclosure, datasets: number): void {
    const sums = this.targets[target]!;
    for (let record = 0; record < cap.length; record++) {
      sums.replicated[record]! += replicated[record]! / datasets;
      sums.cap[record]! += cap[record]! / datasets;
      sums.disclosed[record]! += disclosed[record]! / datasets;
    }
  }

  /** Adds what one of `datasets` datasets says of the records at some places. */
  addAt(sums: Float64Array, places: Uint32Array, values: ArrayLike<number>, datasets: number): void {
    for (const [i, record] of places.entries()) {
      const before = sums[record]!;
      sums[record] = (Number.isNaN(before) ? 0 : before) + values[i]! / datasets;
    }
  }
}
