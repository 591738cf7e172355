import type { CountedRows } from './counted-rows.ts';
import type { TreePlace } from './tree-variables.ts';

/**
 * The records of a node in ascending order of a continuous predictor, with a change of one: those of the k-th of
 * `distinct` values are at `starts[k]` to before `starts[k + 1]`, a class and a weight each. The weight of the record
 * that is left out is -1.
 */
export class OrderedCells {
  readonly values: Float64Array;
  /** Records of each value, at least 1. */
  readonly sizes: Float64Array;
  readonly starts: Uint32Array;
  readonly classes: Uint32Array;
  readonly weights: Float64Array;
  distinct = 0;
  records = 0;
  readonly #units: CountedRows;
  #filled = 0;

  constructor(units: CountedRows) {
    // A change brings two more.
    const most = units.count + 2;
    this.#units = units;
    this.values = new Float64Array(most);
    this.sizes = new Float64Array(most);
    this.starts = new Uint32Array(most + 1);
    this.classes = new Uint32Array(most);
    this.weights = new Float64Array(most);
  }

  /** Takes up the units of a node, in the order of the predictor at a place. */
  open(order: Uint32Array, predictor: number, removed: TreePlace | null, added: TreePlace | null): void {
    const values = this.#units.predictors[predictor]!;
    const changes = [
      ...(removed === null ? [] : [{ value: removed.predictors[predictor]!, one: removed.response, weight: -1 }]),
      ...(added === null ? [] : [{ value: added.predictors[predictor]!, one: added.response, weight: 1 }]),
    ].sort((a, b) => a.value - b.value);
    this.distinct = 0;
    this.records = 0;
    this.#filled = 0;
    let next = 0;
    for (const unit of order) {
      const value = values[unit]!;
      for (; next < changes.length && changes[next]!.value < value; next++) this.#addChange(changes[next]!);
      this.#add(value, this.#units.responses[unit]!, this.#units.weights[unit]!);
    }
    for (; next < changes.length; next++) this.#addChange(changes[next]!);
    this.#dropEmpty();
  }

  #addChange({ value, one, weight }: { value: number; one: number; weight: number }): void {
    this.#add(value, one, weight);
  }

  #add(value: number, one: number, weight: number): void {
    const last = this.distinct - 1;
    if (last < 0 || this.values[last] !== value) this.#startValue(value);
    this.classes[this.#filled] = one;
    this.weights[this.#filled] = weight;
    this.sizes[this.distinct - 1]! += weight;
    this.records += weight;
    this.starts[this.distinct] = ++this.#filled;
  }

  #startValue(value: number): void {
    this.#dropEmpty();
    this.values[this.distinct] = value;
    this.sizes[this.distinct] = 0;
    this.starts[this.distinct] = this.#filled;
    this.distinct++;
  }

  /** Forgets the last value if the record that had it is left out. */
  #dropEmpty(): void {
    if (this.distinct === 0 || this.sizes[this.distinct - 1] !== 0) return;
    this.distinct--;
    this.#filled = this.starts[this.distinct]!;
  }
}
