import { ABSENT, type Cut, LEFT, mirrored, RIGHT, sideOf, type TreePredictor } from '../../model/cart/cut.ts';
import type { GrownNode } from './grown-node.ts';
import type { CountedRows, ReleasedValues } from './tree-variables.ts';

/** What a node takes beside its records and rows. */
const NODE_SIZE = 256;

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
  readonly grown: (GrownNode | undefined)[] = [];
  /** Counts of records by predictor, category and class (see `CutFinder`); null where they are counted when needed. */
  tables: Uint32Array | null | undefined = undefined;
  /** The division that is taken unless another gains more. */
  readonly preferred: Cut | undefined;
  readonly #children = new Map<string, Children>();

  /**
   * @param units distinct records, by number
   * @param rows distinct released rows, by number
   * @param orders the units in ascending order of each continuous predictor, by place of the predictor
   */
  constructor(
    readonly source: NodeSource,
    readonly depth: number,
    readonly units: Uint32Array,
    readonly rows: Uint32Array,
    readonly orders: ReadonlyMap<number, Uint32Array>,
  ) {
    this.counts = countClasses(source.records, units, source.classes);
    this.released = releasedValues(source, rows);
    this.preferred = source.preferred?.get(this.key);
  }

  /** The records of the node, in a text. */
  get key(): string {
    return this.units.join();
  }

  /** What it takes to remember the node, about, in numbers of 4 bytes. */
  get size(): number {
    const tables = this.source.predictors.length * this.units.length;
    const lists = this.units.length * (1 + this.orders.size) + this.rows.length;
    return NODE_SIZE + lists + tables + 2 * this.released.counts.length;
  }

  /** The nodes below a division, the same ones for its mirror image; `onNew` is told of those that are new. */
  divideBy(cut: Cut, onNew: (node: TreeNode) => void): Children {
    const mirror = isMirrored(cut) ? mirrored(cut) : null;
    if (mirror !== null) {
      const { left, right, ...resting } = this.divideBy(mirror, onNew);
      return { left: right, right: left, ...resting };
    }
    const key = cut.type === 'threshold' ? `${cut.variable}<${cut.threshold}` : `${cut.variable}:${cut.sides}`;
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
        new Map(Array.from(this.orders, ([p, order]) => [p, order.filter(onSide)])),
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
  const counts = countClasses(released, rows, classes);
  const present: number[] = [];
  for (let one = 0; one < classes; one++) if (counts[one]! > 0) present.push(one);
  return { counts, present };
}

/** Rows by class; of several tables in all, and then by table. */
function countClasses({ responses, weights, weightsOf }: CountedRows, rows: Uint32Array, classes: number): Float64Array {
  const counts = new Float64Array(classes * (1 + weightsOf.length));
  for (const row of rows) {
    const one = responses[row]!;
    counts[one]! += weights[row]!;
    for (let table = 0; table < weightsOf.length; table++) {
      counts[(1 + table) * classes + one]! += weightsOf[table]![row]!;
    }
  }
  return counts;
}
