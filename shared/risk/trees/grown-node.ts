import { type Cut, sideOf } from '../../model/cart/cut.ts';
import type { ReleasedLikelihood } from './released-likelihood.ts';

/** A node of a tree that was grown on some table and pruned, with what was released from it. */
export interface GrownNode {
  /** Records by class of the response, and in all. */
  readonly counts: Float64Array;
  readonly records: number;
  /** Released values by class, in all and then by dataset, of the rows that come to rest here; null without any. */
  readonly resting: Float64Array | null;
  readonly split: { readonly cut: Cut; readonly left: GrownNode; readonly right: GrownNode } | null;
  /**
   * Records of the leaves below that are not of their leaf's commonest class, or the sum of their squares about the means of
   * their leaves; and how many divisions there are.
   */
  readonly risk: number;
  readonly splits: number;
  /** Of a tree of a continuous response, the units whose values are its donors, and the released rows that rest here. */
  readonly donors?: { readonly units: Uint32Array; readonly rows: Uint32Array };
  /** Log-probability of what was released from the node and those below it, but for what is impossible. */
  readonly logLikelihood: number;
  /** Released values that no donor has where they were released. */
  readonly impossible: number;
  /** Both by dataset, as {@link ReleasedLikelihood.separate}. */
  readonly separate?: Float64Array | null | undefined;
}

/** Which child of a node a value of its division's variable leads to; null where it leads no further. */
export function childAt({ split }: GrownNode, elementOf: (variable: number) => number): 'left' | 'right' | null {
  if (split === null) return null;
  return CHILDREN[sideOf(split.cut, elementOf(split.cut.variable))]!;
}

/** By side of a cut. */
const CHILDREN = ['left', 'right', null] as const;
