import { ABSENT, type Cut, LEFT, mirrored, RIGHT, sideOf, type TreePredictor } from '../../model/cart/cut.ts';
import type { GrownNode } from './grown-node.ts';
import type { CountedRows, ReleasedValues } from './tree-variables.ts';

/**
 * What a node takes beside its lists, in numbers of 4 bytes: itself, its counts as objects, what it was grown to, and its share of the
 * division above, as heap snapshots of Node 20 show it; and a typed array beside its elements, with what is allocated for it.
 */
const NODE_SIZE = 290;
const ARRAY_SIZE = 75;

const NO_PLACES = new Uint32Array(0);
const NO_ORDERS: ReadonlyMap<number, Uint32Array> = new Map();

/** True if a node keeps counts of its records by predictor, category and class: where they are more than there are such cells. */
export const keepsTables = ({ units, source }: TreeNode, cells: number): boolean => units.length * source.predictors.length > cells;

/** The two nodes below a division, and what was released where it leads no further. */
export interface Children {
  readonly left: TreeNode;
  readonly right: TreeNode;
  /** Released values of rows whose category the division puts on no side; null without any. */
  readonly resting: ReleasedValues | null;
  readonly restingRows: Uint32Array;
}

/** What all nodes of a tree have in common. */
export interface NodeSource {
  readonly predictors: readonly TreePredictor[];
  readonly classes: number;
  readonly records: CountedRows;
  readonly released: CountedRows;
  /** Divisions of nodes, by {@link TreeNode.key}, that are taken where none gains more. */
  readonly preferred?: ReadonlyMap<string, Cut>;
}

/**
 * Confidential records that a tree may come to hold at some depth, with the released rows that reach it, of the table as
 * it is. It remembers how it was divided, by any division that changes brought, so that nothing is grown twice.
 */
export class TreeNode {
  /** Released values of the rows that reach the node. */
  readonly released: ReleasedValues;
  readonly counts: Float64Array;
  /** The best division of the node as it is; undefined until it is looked for. */
  cut: Cut | null | undefined = undefined;
  /** The node as it is grown and pruned, by what a leaf costs (see `TreeGrowth`). */
  readonly grown: [GrownNode | undefined, GrownNode | undefined, GrownNode | undefined] = [undefined, undefined, undefined];
  /** Counts of records by predictor, category and class (see `CutFinder`); null where they are counted when needed. */
  tables: Uint32Array | null | undefined = undefined;
  /** The division that is taken unless another gains more. */
  readonly preferred: Cut | undefined;
  /** Null before the first division: most nodes have none. */
  #children: Map<string, Children> | null = null;
  #isClosed = false;
  #units: Uint32Array;
  #rows: Uint32Array;
  #orders: ReadonlyMap<number, Uint32Array>;

  /**
   * @param units distinct records, by number
   * @param rows distinct released rows, by number
   * @param orders the units in ascending order of each continuous predictor, by place of the predictor
   */
  constructor(
    readonly source: NodeSource,
    readonly depth: number,
    units: Uint32Array,
    rows: Uint32Array,
    orders: ReadonlyMap<number, Uint32Array>,
  ) {
    this.#units = units;
    this.#rows = rows;
    this.#orders = orders;
    this.counts = countClasses(source.records, units, source.classes);
    this.released = releasedValues(source, rows);
    this.preferred = source.preferred?.get(this.key);
  }

  /** Distinct records, by number; none once {@link TreeNode.close} was called. */
  get units(): Uint32Array {
    return this.#units;
  }

  /** Distinct released rows, by number; none once {@link TreeNode.close} was called. */
  get rows(): Uint32Array {
    return this.#rows;
  }

  /** The units in ascending order of each continuous predictor, by place of the predictor. */
  get orders(): ReadonlyMap<number, Uint32Array> {
    return this.#orders;
  }

  /** Lets go of the records and rows of a node that no change can divide; how many there are of each class stays. */
  close(): void {
    this.#isClosed = true;
    this.#units = NO_PLACES;
    this.#rows = NO_PLACES;
    this.#orders = NO_ORDERS;
  }

  /** The records of the node, in a text. */
  get key(): string {
    return this.units.join();
  }

  /** What it takes to remember the node, about, in numbers of 4 bytes; counts and likelihoods have 8. */
  get size(): number {
    const { predictors, classes, released } = this.source;
    const { present, counts } = this.released;
    const doubles = classes + present.length + counts.length + 2 * released.weightsOf.length;
    if (this.#isClosed) return NODE_SIZE + 2 * doubles;
    const units = this.units.length;
    const cells = predictors.reduce((sum, { categories }) => sum + categories, 0) * classes;
    const tables = keepsTables(this, cells) ? ARRAY_SIZE + cells : 0;
    const lists = (1 + this.orders.size) * (ARRAY_SIZE + units) + ARRAY_SIZE + this.rows.length;
    return NODE_SIZE + 2 * doubles + lists + tables;
  }

  /** The nodes below a division, the same ones for its mirror image; `onNew` is told of those that are new. */
  divideBy(cut: Cut, onNew: (node: TreeNode) => void): Children {
    const mirror = isMirrored(cut) ? mirrored(cut) : null;
    if (mirror !== null) {
      const { left, right, ...resting } = this.divideBy(mirror, onNew);
      return { left: right, right: left, ...resting };
    }
    const key = cut.type === 'threshold' ? `${cut.variable}<${cut.threshold}` : `${cut.variable}:${cut.sides}`;
    this.#children ??= new Map();
    let children = this.#children.get(key);
    if (children === undefined) {
      children = this.#divide(cut);
      this.#children.set(key, children);
      onNew(children.left);
      onNew(children.right);
    }
    return children;
  }

  #divide(cut: Cut): Children {
    const { source } = this;
    const at = source.predictors.findIndex(({ variable }) => variable === cut.variable);
    const recordSides = source.records.predictors[at]!;
    const rowSides = source.released.predictors[at]!;
    const child = (side: number) => {
      const onSide = (unit: number) => sideOf(cut, recordSides[unit]!) === side;
      return new TreeNode(
        source,
        this.depth + 1,
        this.units.filter(onSide),
        this.rows.filter((row) => sideOf(cut, rowSides[row]!) === side),
        this.orders.size === 0 ? NO_ORDERS : new Map(Array.from(this.orders, ([p, order]) => [p, order.filter(onSide)])),
      );
    };
    const restingRows = this.rows.filter((row) => sideOf(cut, rowSides[row]!) === ABSENT);
    return {
      left: child(LEFT),
      right: child(RIGHT),
      resting: restingRows.length === 0 ? null : releasedValues(source, restingRows),
      restingRows,
    };
  }
}

function isMirrored(cut: Cut): boolean {
  return cut.type === 'categories' && cut.sides.find((side) => side !== ABSENT) === RIGHT;
}

function releasedValues({ released, classes }: NodeSource, rows: Uint32Array): ReleasedValues {
  const all = new Uint32Array(classes);
  for (const row of rows) all[released.responses[row]!]! += released.weights[row]!;
  const found: number[] = [];
  for (let one = 0; one < classes; one++) if (all[one]! > 0) found.push(one);
  // Without the room that a list keeps for more.
  const present = found.slice();
  const width = present.length;
  const counts = new Array<number>(width * (1 + released.weightsOf.length)).fill(0);
  const placeOf = new Uint32Array(classes);
  for (const [place, one] of present.entries()) {
    placeOf[one] = place;
    counts[place] = all[one]!;
  }
  for (const [table, weights] of released.weightsOf.entries()) {
    for (const row of rows) counts[(1 + table) * width + placeOf[released.responses[row]!]!]! += weights[row]!;
  }
  return { counts, present };
}

/** Records by class. */
function countClasses({ responses, weights }: CountedRows, units: Uint32Array, classes: number): Float64Array {
  const counts = new Float64Array(classes);
  for (const unit of units) counts[responses[unit]!]! += weights[unit]!;
  return counts;
}
