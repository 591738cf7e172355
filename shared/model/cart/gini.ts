import type { CategoryDivision, CategoryGroups } from './category-groups.ts';
import { countClassCells } from './class-cells.ts';
import { ClassDivision } from './class-division.ts';
import type { NodeMeasure, SplitCriterion } from './criterion.ts';

/** The criterion of classification trees, {@link ClassDivision}, for records. */
export class Gini implements SplitCriterion {
  readonly #division: ClassDivision;
  readonly #totals: Float64Array;
  readonly #codes: Uint8Array | Uint16Array;

  /**
   * @param codes the class of each record
   * @param size number of classes
   */
  constructor(codes: Uint8Array | Uint16Array, size: number) {
    this.#codes = codes;
    this.#totals = new Float64Array(size);
    this.#division = new ClassDivision(size);
  }

  enter(order: Uint32Array, from: number, to: number): NodeMeasure {
    this.#totals.fill(0);
    for (let i = from; i < to; i++) this.#totals[this.#codes[order[i]!]!]!++;
    return this.#division.enter(this.#totals);
  }

  restart(): void {
    this.#division.restart();
  }

  moveLeft(record: number): void {
    this.#division.move(this.#codes[record]!, 1);
  }

  gain(left: number, right: number): number {
    return this.#division.gain(left, right);
  }

  divideGroups(groups: CategoryGroups, minimumLeaf: number, least: number): CategoryDivision | null {
    return this.#division.divide(countClassCells(groups, this.#codes), minimumLeaf, least);
  }
}
