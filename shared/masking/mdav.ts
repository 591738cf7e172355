import type { Stepwise } from '../contracts/stepwise.ts';

/**
 * Groups of at least k records that are near each other: MDAV, the maximum distance to the average vector, by squared
 * Euclidean distance (Domingo-Ferrer and Torra 2005, algorithm 5.1, after Domingo-Ferrer and Mateo-Sanz 2002). While 3k
 * records or more are left, the one farthest from their mean, with the k - 1 nearest to it, and the one farthest from
 * that, with the k - 1 nearest to it, become groups; of 2k to 3k - 1 the first of these alone; fewer stay together.
 *
 * Of equally far or near records the first one in the table is taken. Time grows with the square of the records, over k.
 *
 * @param points records x variables, in units that are comparable
 * @param k at least 2; of fewer than 2k records all are one group
 * @returns for each record the number of its group, from 0; steps are records that have one
 */
export function* mdavGroups(points: Float64Array, variables: number, k: number): Stepwise<Uint32Array> {
  const records = points.length / variables;
  const groups = new Uint32Array(records);
  const remaining = new Remaining(points, variables);
  let group = 0;
  const form = (members: Uint32Array) => {
    for (const record of members) groups[record] = group;
    remaining.remove(members);
    group++;
  };
  while (remaining.count >= 3 * k) {
    const first = remaining.farthestFrom(remaining.mean());
    const second = remaining.farthestFrom(remaining.point(first));
    form(remaining.nearestTo(first, k));
    // Ties alone can put both into one group.
    const start = remaining.holds(second) ? second : remaining.farthestFrom(remaining.point(first));
    form(remaining.nearestTo(start, k));
    yield records - remaining.count;
  }
  if (remaining.count >= 2 * k) form(remaining.nearestTo(remaining.farthestFrom(remaining.mean()), k));
  form(remaining.all());
  return groups;
}

/** Records that have no group yet, in the order of the table. */
class Remaining {
  count: number;
  readonly #points: Float64Array;
  readonly #variables: number;
  readonly #records: Uint32Array;
  readonly #isTaken: Uint8Array;

  constructor(points: Float64Array, variables: number) {
    this.#points = points;
    this.#variables = variables;
    this.count = points.length / variables;
    this.#records = Uint32Array.from({ length: this.count }, (_, record) => record);
    this.#isTaken = new Uint8Array(this.count);
  }

  all(): Uint32Array {
    return this.#records.slice(0, this.count);
  }

  holds(record: number): boolean {
    return this.#isTaken[record] === 0;
  }

  point(record: number): Float64Array {
    return this.#points.subarray(record * this.#variables, (record + 1) * this.#variables);
  }

  mean(): Float64Array {
    const mean = new Float64Array(this.#variables);
    for (let place = 0; place < this.count; place++) {
      const at = this.#records[place]! * this.#variables;
      for (let v = 0; v < mean.length; v++) mean[v]! += this.#points[at + v]!;
    }
    for (let v = 0; v < mean.length; v++) mean[v]! /= this.count;
    return mean;
  }

  farthestFrom(centre: Float64Array): number {
    let farthest = 0;
    let most = -1;
    for (let place = 0; place < this.count; place++) {
      const record = this.#records[place]!;
      const distance = squaredDistance(this.#points, record * this.#variables, centre);
      if (distance > most) {
        most = distance;
        farthest = record;
      }
    }
    return farthest;
  }

  /** A record and the k - 1 that are nearest to it. */
  nearestTo(record: number, k: number): Uint32Array {
    const centre = this.point(record);
    const nearest = new Uint32Array(k);
    const distances = new Float64Array(k).fill(Infinity);
    for (let place = 0; place < this.count; place++) {
      const candidate = this.#records[place]!;
      // The record itself comes first, whatever lies at the same point.
      const distance = candidate === record ? -1 : squaredDistance(this.#points, candidate * this.#variables, centre);
      if (!(distance < distances[k - 1]!)) continue;
      let at = k - 1;
      for (; at > 0 && distances[at - 1]! > distance; at--) {
        distances[at] = distances[at - 1]!;
        nearest[at] = nearest[at - 1]!;
      }
      distances[at] = distance;
      nearest[at] = candidate;
    }
    return nearest;
  }

  remove(members: Uint32Array): void {
    for (const record of members) this.#isTaken[record] = 1;
    let kept = 0;
    for (let place = 0; place < this.count; place++) {
      const record = this.#records[place]!;
      if (this.#isTaken[record] === 0) this.#records[kept++] = record;
    }
    this.count = kept;
  }
}

function squaredDistance(points: Float64Array, at: number, centre: Float64Array): number {
  let sum = 0;
  for (let v = 0; v < centre.length; v++) {
    const difference = points[at + v]! - centre[v]!;
    sum += difference * difference;
  }
  return sum;
}
