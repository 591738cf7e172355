import { type Cut, sideOf } from '../../model/cart/cut.ts';
import type { ReleasedValues, TreePlace } from './tree-variables.ts';

/** A node of a tree that was grown on some table and pruned, with what was released from it. */
export interface GrownNode {
  /** Records by class of the response, and in all. */
  readonly counts: Float64Array;
  readonly records: number;
  /** Released values of the rows that come to rest here; null without any. */
  readonly resting: ReleasedValues | null;
  readonly split: { readonly cut: Cut; readonly left: GrownNode; readonly right: GrownNode } | null;
  /** Records of the leaves below that are not of their leaf's commonest class, or the sum of their squares about its mean. */
  readonly risk: number;
  readonly splits: number;
  /** Of a tree of a continuous response, the units whose values are its donors, and the released rows that rest here. */
  readonly donors?: { readonly units: Uint32Array; readonly rows: Uint32Array };
  /** Log-probability of what was released from the node and those below it, but for what is impossible. */
  readonly logLikelihood: number;
  /** Released values that no donor has where they were released. */
  readonly impossible: number;
  /** Both by dataset, as {@link ReleasedLikelihood.separate}. */
  readonly separate?: readonly number[] | null | undefined;
}

/** Which child of a node a value of its division's variable leads to; null where it leads no further. */
function childAt({ split }: GrownNode, elementOf: (variable: number) => number): 'left' | 'right' | null {
  if (split === null) return null;
  return CHILDREN[sideOf(split.cut, elementOf(split.cut.variable))]!;
}

const CHILDREN = ['left', 'right', null] as const;

/** The values of a place by the variable of the table. */
export type ElementOf = (place: TreePlace, variable: number) => number;

/**
 * By how much the log-probability of what was released changes when one record takes other values and the divisions stay:
 * only the nodes where the record rests, and those above at which something was released, have other donors. A node
 * without donors gives nothing.
 */
export function fixedChange(
  root: GrownNode,
  removed: TreePlace,
  added: TreePlace,
  likelihood: LeafLikelihood,
  elementOf: ElementOf,
): ReleasedLikelihood {
  const change = (node: GrownNode, less: TreePlace | null, more: TreePlace | null): ReleasedLikelihood => {
    if (less === null && more === null) return NOTHING_RELEASED;
    const here = changeHere(node, less, more, likelihood);
    if (node.split === null) return here;
    const { left, right } = node.split;
    const on = (side: 'left' | 'right', place: TreePlace | null) =>
      place !== null && childAt(node, (variable) => elementOf(place, variable)) === side ? place : null;
    const below = [change(left, on('left', less), on('left', more)), change(right, on('right', less), on('right', more))] as const;
    return sumOfLikelihoods([here, ...below]);
  };
  return change(root, removed, added);
}

function changeHere(node: GrownNode, less: TreePlace | null, more: TreePlace | null, likelihood: LeafLikelihood): ReleasedLikelihood {
  if (node.resting === null) return NOTHING_RELEASED;
  // A leaf has the probability of what was released from it, and nothing is below.
  const unchanged = node.split === null ? node : likelihood.of(node, null, null);
  return sumOfLikelihoods([likelihood.of(node, less, more)], unchanged);
}

/** The donors of the node where a record would come to rest: those that have its value, and all. */
export type RestingDonors = { readonly alike: number; readonly all: number };

/**
 * The donors that a record with these values would meet: those of the node where it comes to rest, or of the one above
 * where none are left.
 *
 * @param without values of a record of the tree's table that is not counted; null to count all
 */
export function restingDonors(root: GrownNode, place: TreePlace, without: TreePlace | null, elementOf: ElementOf): RestingDonors {
  let resting: RestingDonors | null = null;
  let leftOut = without;
  for (let node: GrownNode | null = root; node !== null; ) {
    const less = leftOut === null ? 0 : 1;
    if (node.records > less) {
      const alike = node.counts[place.response]! - (leftOut?.response === place.response ? 1 : 0);
      resting = { alike, all: node.records - less };
    }
    const side = childAt(node, (variable) => elementOf(place, variable));
    if (side === null) break;
    if (leftOut !== null && childAt(node, (variable) => elementOf(leftOut!, variable)) !== side) leftOut = null;
    node = node.split![side];
  }
  if (resting === null) throw new RangeError('a tree without records has no donors');
  return resting;
}

/** Log-probability of released values, and how many of them no donor could give, for which it does not account. */
export interface ReleasedLikelihood {
  readonly logLikelihood: number;
  readonly impossible: number;
  /**
   * Of several datasets each by itself: the log-probabilities, then how many values are impossible. Null where nothing
   * was released, or by a single dataset; undefined where it is not known. Nodes are remembered with it, of which a list takes
   * a third of what a typed array does.
   */
  readonly separate?: readonly number[] | null | undefined;
}

/** The probability of no values. */
export const NOTHING_RELEASED: ReleasedLikelihood = { logLikelihood: 0, impossible: 0, separate: null };

/** The probability of all of some values, `less` those of others. */
export function sumOfLikelihoods(parts: readonly ReleasedLikelihood[], less: ReleasedLikelihood = NOTHING_RELEASED): ReleasedLikelihood {
  let [logLikelihood, impossible] = [0, 0];
  for (const part of parts) {
    logLikelihood += part.logLikelihood;
    impossible += part.impossible;
  }
  return {
    logLikelihood: logLikelihood - less.logLikelihood,
    impossible: impossible - less.impossible,
    separate: sumOfSeparate(parts, less),
  };
}

function sumOfSeparate(parts: readonly ReleasedLikelihood[], { separate: less }: ReleasedLikelihood): readonly number[] | null | undefined {
  if (less === undefined) return undefined;
  let sum = less?.map((one) => -one) ?? null;
  for (const { separate } of parts) {
    if (separate === undefined) return undefined;
    if (separate === null) continue;
    if (sum === null) sum = separate.slice();
    else for (let i = 0; i < sum.length; i++) sum[i]! += separate[i]!;
  }
  return sum;
}

/**
 * Log-likelihood ratios without each of two datasets or more, in nats; -Infinity where what is left is impossible. Null
 * where they are not known.
 */
export function ratiosWithout({ separate }: ReleasedLikelihood, datasets: number): readonly number[] | null {
  if (separate === undefined) return null;
  const ratios = new Array<number>(datasets).fill(0);
  if (separate === null) return ratios;
  for (let without = 0; without < datasets; without++) {
    let impossible = 0;
    for (let l = 0; l < datasets; l++) {
      if (l === without) continue;
      ratios[without]! += separate[l]!;
      impossible += separate[datasets + l]!;
    }
    if (impossible > 0) ratios[without] = -Infinity;
  }
  return ratios;
}

/** Donors of a node as the table has them, and what was released from it. */
export type LeafDonors = Pick<GrownNode, 'counts' | 'records' | 'resting' | 'donors'>;

/** The probability of what was released from the donors of a node. */
export interface LeafLikelihood {
  /**
   * Takes up the table without one record and with another; null for none. False if this changes what nodes release that do
   * not hold the record.
   */
  changeTable(removed: TreePlace | null, added: TreePlace | null): boolean;
  /** That of a node, without one of its donors and with another. */
  of(leaf: LeafDonors, removed: TreePlace | null, added: TreePlace | null): ReleasedLikelihood;
}
