import { ClassDivision } from '../../model/cart/class-division.ts';
import { exceedsGain } from '../../model/cart/criterion.ts';
import { ABSENT, type Cut, equalCuts, LEFT, mirrored, RIGHT, sideOf } from '../../model/cart/cut.ts';
import { type GrowthSettings, halfway, isPruned } from '../../model/cart/growth.ts';
import { type Look, plantTree } from './tree-growth.ts';
import type { NodeSource, TreeNode } from './tree-node.ts';
import type { ReleasedValues } from './tree-variables.ts';

/** Most nodes that are grown to resolve the ties of one tree. */
const MOST_NODES = 20_000;

/** Most categories whose groupings are all tried; `ClassDivision` tries fewer. */
const MOST_GROUPED = 14;

/** Divisions by which nodes were divided in place of the first that gains most, by {@link TreeNode.key}. */
export type ResolvedTies = ReadonlyMap<string, Cut>;

/** How the tree of the table is divided: a node as it is, and its best division. */
export type Growth = { look(node: TreeNode): Look };

interface Grown {
  readonly risk: number;
  readonly splits: number;
  readonly impossible: number;
  /** Nodes that are divided otherwise than the program does. */
  readonly ties: readonly (readonly [key: string, cut: Cut])[];
}

/**
 * The divisions of a tree's nodes that make all released values possible; null where none do. Where gains are equal to within
 * rounding, the division that is taken depends on the order in which a program finds them, and on how it rounds: rpart adds up
 * shares of the classes in the whole table, record by record, so that any record of it may decide. A grouping of many categories
 * may also gain more than those that are tried here.
 */
export function resolveTies(source: NodeSource, growth: Growth, settings: GrowthSettings): ResolvedTies | null {
  const { impossible, ties } = new TieSearch(source, growth, settings).grow();
  return impossible === 0 ? new Map(ties) : null;
}

/** Divides a node from which impossible values were released in every way that gains most, and so those below it. */
class TieSearch {
  readonly #source: NodeSource;
  readonly #growth: Growth;
  readonly #settings: GrowthSettings;
  readonly #gains: Gains;
  #leafCost = 0;
  readonly #known = new Map<TreeNode, Grown>();
  readonly #leastWorth = new Map<TreeNode, Grown>();

  constructor(source: NodeSource, growth: Growth, settings: GrowthSettings) {
    this.#source = source;
    this.#growth = growth;
    this.#settings = settings;
    this.#gains = source.records.values === null ? new ClassGains(source) : new SquareGains(source);
  }

  grow(): Grown {
    const root = plantTree(this.#source);
    this.#leafCost = this.#settings.complexity * this.#growth.look(root).risk;
    return this.#resolve(root);
  }

  /** A node and those below it as the program divides them. */
  #standard(node: TreeNode): Grown {
    let grown = this.#known.get(node);
    if (grown === undefined) {
      const { risk, cut } = this.#growth.look(node);
      const leaf: Grown = { risk, splits: 0, impossible: impossibleIn(node, node.released), ties: [] };
      grown = risk <= this.#leafCost || cut === null ? leaf : this.#divide(node, cut, (child) => this.#standard(child));
      this.#known.set(node, grown);
    }
    return grown;
  }

  #resolve(node: TreeNode): Grown {
    let best = this.#standard(node);
    const { cut } = this.#growth.look(node);
    if (best.impossible === 0 || best.splits === 0 || cut === null) return best;
    const cuts = this.#cutsOf(node, cut);
    for (const grow of [(child: TreeNode) => this.#resolve(child), (child: TreeNode) => this.#growLeastWorth(child)]) {
      for (const other of cuts) {
        if (best.impossible === 0 || this.#known.size > MOST_NODES) return best;
        const found = this.#divideAs(node, cut, other, grow);
        if (found.impossible < best.impossible) best = found;
      }
    }
    return best;
  }

  /** A node divided so that what is below is worth least, by which a node above is pruned if by any. */
  #growLeastWorth(node: TreeNode): Grown {
    let least = this.#leastWorth.get(node) ?? this.#standard(node);
    const { cut } = this.#growth.look(node);
    if (this.#leastWorth.has(node) || least.splits === 0 || cut === null) return least;
    const worth = ({ risk, splits }: Grown) => risk + this.#leafCost * splits;
    for (const other of this.#cutsOf(node, cut)) {
      if (this.#known.size > MOST_NODES) break;
      const found = this.#divideAs(node, cut, other, (child) => this.#growLeastWorth(child));
      if (worth(found) > worth(least)) least = found;
    }
    this.#leastWorth.set(node, least);
    return least;
  }

  #divideAs(node: TreeNode, taken: Cut, cut: Cut, grow: (child: TreeNode) => Grown): Grown {
    const found = this.#divide(node, cut, grow);
    return cut === taken ? found : { ...found, ties: [[node.key, cut], ...found.ties] };
  }

  #divide(node: TreeNode, cut: Cut, grow: (child: TreeNode) => Grown): Grown {
    const { left, right, resting } = node.divideBy(cut, () => {});
    const [below, above] = [grow(left), grow(right)];
    const { risk } = this.#growth.look(node);
    const leaves = below.risk + above.risk;
    const splits = below.splits + above.splits + 1;
    const ties = [...below.ties, ...above.ties];
    if (isPruned(risk - leaves, splits, this.#leafCost)) return { risk, splits: 0, impossible: impossibleIn(node, node.released), ties };
    const impossible = below.impossible + above.impossible + (resting === null ? 0 : impossibleIn(node, resting));
    return { risk: leaves, splits, impossible, ties };
  }

  /** The division that is taken, and all others that gain most. */
  #cutsOf(node: TreeNode, taken: Cut): readonly Cut[] {
    const { minimumLeaf } = this.#settings;
    const { records: rows, predictors } = this.#source;
    const records = node.counts.reduce((sum, count) => sum + count, 0);
    const gains = this.#gains;
    gains.enter(node);
    const at = predictors.findIndex(({ variable }) => variable === taken.variable);
    let onLeft = 0;
    for (const unit of node.units) {
      if (sideOf(taken, rows.predictors[at]![unit]!) !== LEFT) continue;
      gains.move(unit, 1);
      onLeft += rows.weights[unit]!;
    }
    let most = gains.gain(onLeft, records - onLeft);
    let cuts: Cut[] = [];
    const weigh = (left: number, cutHere: () => Cut) => {
      if (left < minimumLeaf || records - left < minimumLeaf) return;
      const gain = gains.gain(left, records - left);
      if (exceedsGain(most, gain)) return;
      if (exceedsGain(gain, most)) {
        most = gain;
        cuts = [];
      }
      const cut = cutHere();
      const mirror = mirrored(cut);
      if (!equalCuts(cut, taken) && (mirror === null || !equalCuts(mirror, taken))) cuts.push(cut);
    };
    for (const [p, { categories }] of predictors.entries()) {
      gains.enter(node);
      if (categories === 0) this.#weighThresholds(node, p, weigh);
      else this.#weighGroups(node, p, weigh);
    }
    return [taken, ...cuts];
  }

  #weighThresholds(node: TreeNode, p: number, weigh: (left: number, cutHere: () => Cut) => void): void {
    const { weights, predictors } = this.#source.records;
    const { variable } = this.#source.predictors[p]!;
    const values = predictors[p]!;
    const order = node.orders.get(p)!;
    let left = 0;
    for (let i = 0; i < order.length - 1; i++) {
      this.#gains.move(order[i]!, 1);
      left += weights[order[i]!]!;
      const [low, high] = [values[order[i]!]!, values[order[i + 1]!]!];
      if (low < high) weigh(left, () => ({ type: 'threshold', variable, threshold: halfway(low, high) }));
    }
  }

  /** Few categories in every way, by Gray's code; of many, each alone. */
  #weighGroups(node: TreeNode, p: number, weigh: (left: number, cutHere: () => Cut) => void): void {
    const { weights, predictors } = this.#source.records;
    const { categories, variable } = this.#source.predictors[p]!;
    const units: number[][] = Array.from({ length: categories }, () => []);
    for (const unit of node.units) units[predictors[p]![unit]!]!.push(unit);
    const present = Array.from(units.keys()).filter((category) => units[category]!.length > 0);
    const onLeft = new Set<number>();
    let left = 0;
    const move = (category: number) => {
      const sign = onLeft.delete(category) ? -1 : 1;
      if (sign > 0) onLeft.add(category);
      for (const unit of units[category]!) {
        this.#gains.move(unit, sign);
        left += sign * weights[unit]!;
      }
    };
    const sideOfCategory = (_: unknown, category: number) => {
      if (units[category]!.length === 0) return ABSENT;
      return onLeft.has(category) ? LEFT : RIGHT;
    };
    const cutHere = (): Cut => ({ type: 'categories', variable, sides: Uint8Array.from({ length: categories }, sideOfCategory) });
    if (present.length > MOST_GROUPED) {
      for (const category of present) {
        move(category);
        weigh(left, cutHere);
        move(category);
      }
      return;
    }
    for (let number = 1; number < 1 << (present.length - 1); number++) {
      move(present[31 - Math.clz32(number & -number)]!);
      weigh(left, cutHere);
    }
  }
}

/** Released values of a node that none of its records has. */
function impossibleIn({ counts }: TreeNode, { present, counts: released }: ReleasedValues): number {
  return present.reduce((impossible, one, place) => impossible + (counts[one] === 0 ? released[place]! : 0), 0);
}

/** What divisions of a node gain. */
interface Gains {
  /** Takes up a node with all records on the right. */
  enter(node: TreeNode): void;
  /** Moves a unit to the left, or back (-1). */
  move(unit: number, sign: number): void;
  /** With so many records on either side. */
  gain(left: number, right: number): number;
}

class ClassGains implements Gains {
  readonly #division: ClassDivision;
  readonly #records: NodeSource['records'];

  constructor({ classes, records }: NodeSource) {
    this.#division = new ClassDivision(classes);
    this.#records = records;
  }

  enter({ counts }: TreeNode): void {
    this.#division.enter(counts);
    this.#division.restart();
  }

  move(unit: number, sign: number): void {
    this.#division.move(this.#records.responses[unit]!, sign * this.#records.weights[unit]!);
  }

  gain(left: number, right: number): number {
    return this.#division.gain(left, right);
  }
}

class SquareGains implements Gains {
  readonly #values: Float64Array;
  readonly #weights: Uint32Array;
  #mean = 0;
  #left = 0;

  constructor({ records }: NodeSource) {
    this.#values = records.values!;
    this.#weights = records.weights;
  }

  enter({ units }: TreeNode): void {
    let [sum, records] = [0, 0];
    const first = this.#values[units[0]!]!;
    for (const unit of units) {
      sum += this.#weights[unit]! * (this.#values[unit]! - first);
      records += this.#weights[unit]!;
    }
    this.#mean = first + sum / records;
    this.#left = 0;
  }

  move(unit: number, sign: number): void {
    this.#left += sign * this.#weights[unit]! * (this.#values[unit]! - this.#mean);
  }

  gain(left: number, right: number): number {
    return ((this.#left * this.#left) / left / right) * (left + right);
  }
}
