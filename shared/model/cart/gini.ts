import type { CategoryDivision, CategoryGroups } from './category-groups.ts';
import { type ClassCells, countClassCells } from './class-cells.ts';
import { exceedsGain, type NodeMeasure, type SplitCriterion } from './criterion.ts';
import { divideOrdered } from './ordered-division.ts';
import { principalOrder } from './principal-order.ts';

/** Up to so many categories all divisions into two sets are tried: 511 of them for ten categories. */
const MAX_ENUMERATED = 10;

/**
 * The criterion of classification trees (Breiman et al. 1984, chapter 4): Gini's index of diversity times the
 * records, n - Σ_j n_j² / n. A node's risk is the number of records that are not of its commonest class.
 * Counts are whole numbers below 2^53, so that their squares are exact up to 9 x 10^7 records.
 */
export class Gini implements SplitCriterion {
  readonly #totals: Float64Array;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  /** Sums of the squared counts of classes, of the node and on either side. */
  #totalSquares = 0;
  #leftSquares = 0;
  #rightSquares = 0;
  #records = 0;
  #classes = 0;
  readonly #codes: Uint8Array | Uint16Array;
  readonly #size: number;

  /**
   * @param codes the class of each record
   * @param size number of classes
   */
  constructor(codes: Uint8Array | Uint16Array, size: number) {
    this.#codes = codes;
    this.#size = size;
    this.#totals = new Float64Array(size);
    this.#left = new Float64Array(size);
    this.#right = new Float64Array(size);
  }

  enter(order: Uint32Array, from: number, to: number): NodeMeasure {
    this.#totals.fill(0);
    for (let i = from; i < to; i++) this.#totals[this.#codes[order[i]!]!]!++;
    this.#records = to - from;
    this.#totalSquares = 0;
    this.#classes = 0;
    let commonest = 0;
    for (const count of this.#totals) {
      this.#totalSquares += count * count;
      if (count > 0) this.#classes++;
      if (count > commonest) commonest = count;
    }
    return {
      impurity: this.#classes === 1 ? 0 : this.#records - this.#totalSquares / this.#records,
      risk: this.#records - commonest,
    };
  }

  restart(): void {
    this.#left.fill(0);
    this.#right.set(this.#totals);
    this.#leftSquares = 0;
    this.#rightSquares = this.#totalSquares;
  }

  moveLeft(record: number): void {
    const one = this.#codes[record]!;
    // (c + 1)² - c² = 2 c + 1, and c² - (c - 1)² = 2 c - 1.
    this.#leftSquares += 2 * this.#left[one]!++ + 1;
    this.#rightSquares -= 2 * this.#right[one]!-- - 1;
  }

  gain(left: number, right: number): number {
    return this.#leftSquares / left + this.#rightSquares / right - this.#totalSquares / this.#records;
  }

  /**
   * With two classes in the node, the best division is one into a beginning and an end in the order of the share of
   * either (Breiman et al. 1984, chapter 4). With more, few categories are divided in every way there is, and many in
   * the order of {@link principalOrder}, which need not hold the best division.
   */
  divideGroups(groups: CategoryGroups, minimumLeaf: number, least: number): CategoryDivision | null {
    const cells = countClassCells(groups, this.#codes);
    if (this.#classes > 2 && groups.present.length <= MAX_ENUMERATED) {
      return this.#divideInEveryWay(groups, cells, minimumLeaf, least);
    }
    const order = this.#classes > 2 ? principalOrder(cells, this.#size) : this.#shareOrder(groups, cells);
    return divideOrdered(
      this,
      groups,
      order.map((k) => groups.present[k]!),
      minimumLeaf,
      least,
    );
  }

  /** Places of the categories in the order of the share of the node's first class. */
  #shareOrder(groups: CategoryGroups, { starts, classes, counts }: ClassCells): number[] {
    const first = this.#totals.findIndex((total) => total > 0);
    const shares = Float64Array.from(groups.present, (category, k) => {
      return classes[starts[k]!] === first ? counts[starts[k]!]! / groups.count(category) : 0;
    });
    return Array.from(shares.keys()).sort((a, b) => shares[a]! - shares[b]! || a - b);
  }

  /** Changes the side of one category at a time (Gray's code), which takes as long as it has classes. */
  #divideInEveryWay(
    groups: CategoryGroups,
    cells: ClassCells,
    minimumLeaf: number,
    least: number,
  ): CategoryDivision | null {
    const { present } = groups;
    // The last category stays on the right: every division has a mirror image.
    const divisions = 1 << (present.length - 1);
    let onLeft = 0;
    let left = 0;
    let gain = least;
    let best = 0;
    this.restart();
    for (let number = 1; number < divisions; number++) {
      const moved = 31 - Math.clz32(number & -number);
      onLeft ^= 1 << moved;
      const toLeft = (onLeft >> moved) & 1;
      this.#moveCells(cells, moved, toLeft === 1 ? 1 : -1);
      left += (toLeft === 1 ? 1 : -1) * groups.count(present[moved]!);
      if (left < minimumLeaf || this.#records - left < minimumLeaf) continue;
      const found = this.gain(left, this.#records - left);
      if (exceedsGain(found, gain)) {
        gain = found;
        best = onLeft;
      }
    }
    if (best === 0) return null;
    const isLeft = (_: number, k: number) => ((best >> k) & 1) === 1;
    return {
      gain,
      left: present.filter(isLeft),
      right: present.filter((category, k) => !isLeft(category, k)),
    };
  }

  /** Moves the records of the k-th present category to the left (sign 1) or back (-1). */
  #moveCells({ starts, classes, counts }: ClassCells, k: number, sign: 1 | -1): void {
    for (let i = starts[k]!; i < starts[k + 1]!; i++) {
      const one = classes[i]!;
      const moved = sign * counts[i]!;
      this.#leftSquares += moved * (2 * this.#left[one]! + moved);
      this.#rightSquares -= moved * (2 * this.#right[one]! - moved);
      this.#left[one]! += moved;
      this.#right[one]! -= moved;
    }
  }
}
