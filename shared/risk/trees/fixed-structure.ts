import { childAt, type GrownNode } from './grown-node.ts';
import type { LeafLikelihood } from './leaf-likelihood.ts';
import { NOTHING_RELEASED, type ReleasedLikelihood, sumOfLikelihoods } from './released-likelihood.ts';
import type { TreePlace } from './tree-variables.ts';

/** The values of a place by the variable of the table. */
export type ElementOf = (place: TreePlace, variable: number) => number;

/**
 * By how much the log-probability of what was released changes when one record of the table takes other values and the
 * divisions stay as they are: only the nodes where the record rests, and those above at which something was released,
 * have other donors. A node that is left without donors could give nothing.
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
    const own = changeHere(node, less, more, likelihood);
    if (node.split === null) return own;
    const { left, right } = node.split;
    const on = (side: 'left' | 'right', place: TreePlace | null) =>
      place !== null && childAt(node, (variable) => elementOf(place, variable)) === side ? place : null;
    const below = [change(left, on('left', less), on('left', more)), change(right, on('right', less), on('right', more))] as const;
    return sumOfLikelihoods([own, ...below]);
  };
  return change(root, removed, added);
}

function changeHere(node: GrownNode, less: TreePlace | null, more: TreePlace | null, likelihood: LeafLikelihood): ReleasedLikelihood {
  if (node.resting === null) return NOTHING_RELEASED;
  return sumOfLikelihoods([likelihood.of(node, less, more)], likelihood.of(node, null, null));
}
