import { type CategoryDivision, type CategoryGroups, type ClassCells, countClassCells } from './category-groups.ts';
import { divideOrdered, exceedsGain, type NodeMeasure, type SplitCriterion } from './criterion.ts';

/** Enough for an order of categories: further steps exchange neighbours, if any, that hardly differ. */
const STEPS = 24;

/**
 * The places of categories in the order of the first principal component of their class probabilities (Coppersmith et al.
 * 1999): with p_k the probabilities in category k, n_k its records and q those in the node, the first eigenvector of Σ_k
 * n_k (p_k - q)(p_k - q)', by power iteration from the p_k - q that adds most to the trace. Categories of one score keep
 * their order.
 */
export function principalOrder(cells: ClassCells, classes: number): number[] {
  const { categories, sizes, starts, classes: classOf, counts } = cells;
  const { shares, direction, next, scores } = roomFor(classes, categories);
  sharesOf(shares, cells);
  farthestDeviation(direction, shares, cells);
  for (let step = 0; step <= STEPS; step++) {
    let centre = 0;
    for (let j = 0; j < classes; j++) centre += shares[j]! * direction[j]!;
    for (let k = 0; k < categories; k++) {
      const to = starts[k + 1]!;
      let score = 0;
      for (let i = starts[k]!; i < to; i++) score += counts[i]! * direction[classOf[i]!]!;
      scores[k] = score / sizes[k]! - centre;
    }
    if (step === STEPS) break;
    // The matrix times the direction is Σ_k n_k p_k s_k, because the scores s_k, weighted by n_k, add up to nothing.
    for (let j = 0; j < classes; j++) next[j] = 0;
    for (let k = 0; k < categories; k++) {
      const to = starts[k + 1]!;
      const score = scores[k]!;
      for (let i = starts[k]!; i < to; i++) next[classOf[i]!]! += counts[i]! * score;
    }
    let length = 0;
    for (let j = 0; j < classes; j++) length += next[j]! * next[j]!;
    if (length === 0) break;
    length = Math.sqrt(length);
    for (let j = 0; j < classes; j++) direction[j] = next[j]! / length;
  }
  return Array.from({ length: categories }, (_, k) => k).sort((a, b) => scores[a]! - scores[b]! || a - b);
}

/** Numbers of classes and categories that {@link principalOrder} works on, kept from call to call: most of its time was to ask for them. */
let room = { shares: new Float64Array(0), direction: new Float64Array(0), next: new Float64Array(0), scores: new Float64Array(0) };

function roomFor(classes: number, categories: number): typeof room {
  if (room.shares.length < classes || room.scores.length < categories) {
    const [ofClasses, ofCategories] = [Math.max(classes, room.shares.length), Math.max(categories, room.scores.length)];
    room = {
      shares: new Float64Array(ofClasses),
      direction: new Float64Array(ofClasses),
      next: new Float64Array(ofClasses),
      scores: new Float64Array(ofCategories),
    };
  }
  room.shares.fill(0);
  return room;
}

/** Adds the share that each class has of a node's records to what `shares` hold. */
function sharesOf(shares: Float64Array, { categories, starts, classes: classOf, counts }: ClassCells): void {
  const filled = starts[categories]!;
  let records = 0;
  for (let i = 0; i < filled; i++) {
    shares[classOf[i]!]! += counts[i]!;
    records += counts[i]!;
  }
  for (let j = 0; j < shares.length; j++) shares[j]! /= records;
}

/** The p_k - q of the greatest n_k |p_k - q|². */
function farthestDeviation(deviation: Float64Array, shares: Float64Array, cells: ClassCells): void {
  const { categories, sizes, starts, classes: classOf, counts } = cells;
  let squares = 0;
  for (const share of shares) squares += share * share;
  let greatest = -Infinity;
  let farthest = 0;
  for (let k = 0; k < categories; k++) {
    let length = sizes[k]! * squares;
    for (let i = starts[k]!; i < starts[k + 1]!; i++) {
      length += counts[i]! * (counts[i]! / sizes[k]! - 2 * shares[classOf[i]!]!);
    }
    if (length > greatest) {
      greatest = length;
      farthest = k;
    }
  }
  for (let j = 0; j < shares.length; j++) deviation[j] = -shares[j]!;
  for (let i = starts[farthest]!; i < starts[farthest + 1]!; i++) {
    deviation[classOf[i]!]! += counts[i]! / sizes[farthest]!;
  }
}

/** What rounding can add to a gain, of each record. */
const ROUNDING = 1e-12;

/** Up to so many categories all divisions into two sets are tried: 511 of them for ten categories. */
const MAX_ENUMERATED = 10;

/**
 * A node of a classification tree as counts by class, divided in two, with what that gains (Breiman et al. 1984, chapter
 * 4). Gini's index of diversity times the records is n - Σ_j n_j² / n; a node's risk is the records that are not of its
 * commonest class. Sums of squared counts are exact up to 9 x 10^7 records, so that a gain depends on nothing but the
 * counts.
 */
export class ClassDivision {
  readonly #totals: Float64Array;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  /** Sums of the squared counts of classes, of the node and on either side. */
  #totalSquares = 0;
  #leftSquares = 0;
  #rightSquares = 0;
  #records = 0;
  #classes = 0;

  constructor(size: number) {
    this.#totals = new Float64Array(size);
    this.#left = new Float64Array(size);
    this.#right = new Float64Array(size);
  }

  enter(totals: ArrayLike<number>): NodeMeasure {
    this.#totals.set(totals);
    this.#records = 0;
    this.#totalSquares = 0;
    this.#classes = 0;
    let commonest = 0;
    for (const count of this.#totals) {
      this.#records += count;
      this.#totalSquares += count * count;
      if (count > 0) this.#classes++;
      if (count > commonest) commonest = count;
    }
    return { impurity: this.#classes === 1 ? 0 : this.#records - this.#totalSquares / this.#records, risk: this.#records - commonest };
  }

  /** Moves all records of the node to the right. */
  restart(): void {
    this.#left.fill(0);
    this.#right.set(this.#totals);
    this.#leftSquares = 0;
    this.#rightSquares = this.#totalSquares;
  }

  /** Moves so many records of a class from the right to the left, or back if there are fewer than none. */
  move(one: number, records: number): void {
    // (c + m)² - c² = m (2 c + m), and (c - m)² - c² = -m (2 c - m).
    this.#leftSquares += records * (2 * this.#left[one]! + records);
    this.#rightSquares -= records * (2 * this.#right[one]! - records);
    this.#left[one]! += records;
    this.#right[one]! -= records;
  }

  /** By how much the division as it stands reduces the impurity, with so many records on either side. */
  gain(left: number, right: number): number {
    return this.#leftSquares / left + this.#rightSquares / right - this.#totalSquares / this.#records;
  }

  /**
   * The best division of the node by the categories of a predictor, as `SplitCriterion.divideGroups` has it. With two
   * classes it is one into a beginning and an end in the order of the share of either (Breiman et al. 1984, chapter 4).
   * With more, few categories are divided in every way there is, and many in the order of {@link principalOrder}, which
   * need not hold the best division.
   */
  divide(cells: ClassCells, minimumLeaf: number, least: number): CategoryDivision | null {
    if (this.#mostGain(cells) + ROUNDING * this.#records < least) return null;
    if (this.#classes > 2 && cells.categories <= MAX_ENUMERATED) {
      return this.#divideInEveryWay(cells, minimumLeaf, least);
    }
    const order = this.#classes > 2 ? principalOrder(cells, this.#totals.length) : this.#shareOrder(cells);
    this.restart();
    const size = (k: number) => cells.sizes[k]!;
    const moveLeft = (k: number) => this.#moveCells(cells, k, 1);
    const gain = (left: number, right: number) => this.gain(left, right);
    const division = divideOrdered({ size, moveLeft, gain }, order, minimumLeaf, least);
    if (division === null) return null;
    const categoryAt = (k: number) => cells.present[k]!;
    return { gain: division.gain, left: division.left.map(categoryAt), right: division.right.map(categoryAt) };
  }

  /** What it would gain to put every category by itself, which no division into two exceeds. */
  #mostGain({ categories, sizes, starts, counts }: ClassCells): number {
    let sum = 0;
    for (let k = 0; k < categories; k++) {
      const to = starts[k + 1]!;
      let squares = 0;
      for (let i = starts[k]!; i < to; i++) squares += counts[i]! * counts[i]!;
      sum += squares / sizes[k]!;
    }
    return sum - this.#totalSquares / this.#records;
  }

  /** Places of the categories in the order of the share of the node's first class. */
  #shareOrder({ categories, sizes, starts, classes, counts }: ClassCells): number[] {
    const first = this.#totals.findIndex((total) => total > 0);
    const shares = Array.from({ length: categories }, (_, k) => (classes[starts[k]!]! === first ? counts[starts[k]!]! / sizes[k]! : 0));
    return [...shares.keys()].sort((a, b) => shares[a]! - shares[b]! || a - b);
  }

  /** Changes the side of one category at a time (Gray's code), which takes as long as it has classes. */
  #divideInEveryWay(cells: ClassCells, minimumLeaf: number, least: number): CategoryDivision | null {
    const { categories, present, sizes } = cells;
    // The last category stays on the right: every division has a mirror image.
    const divisions = 1 << (categories - 1);
    let onLeft = 0;
    let left = 0;
    let gain = least;
    let best = 0;
    this.restart();
    for (let number = 1; number < divisions; number++) {
      const moved = 31 - Math.clz32(number & -number);
      onLeft ^= 1 << moved;
      const sign = ((onLeft >> moved) & 1) === 1 ? 1 : -1;
      this.#moveCells(cells, moved, sign);
      left += sign * sizes[moved]!;
      if (left < minimumLeaf || this.#records - left < minimumLeaf) continue;
      const cutGain = this.gain(left, this.#records - left);
      if (exceedsGain(cutGain, gain)) {
        gain = cutGain;
        best = onLeft;
      }
    }
    if (best === 0) return null;
    const sides: [right: number[], left: number[]] = [[], []];
    for (let k = 0; k < categories; k++) sides[(best >> k) & 1]!.push(present[k]!);
    return { gain, left: sides[1], right: sides[0] };
  }

  /** Moves the records of the k-th present category to the left (sign 1) or back (-1). */
  #moveCells({ starts, classes, counts }: ClassCells, k: number, sign: 1 | -1): void {
    for (let i = starts[k]!; i < starts[k + 1]!; i++) this.move(classes[i]!, sign * counts[i]!);
  }
}

/** The criterion of classification trees, {@link ClassDivision}, for records of which each has a class. */
export class Gini implements SplitCriterion {
  readonly #division: ClassDivision;
  readonly #totals: Float64Array;
  readonly #codes: Uint8Array | Uint16Array;

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
