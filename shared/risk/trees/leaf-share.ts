import type { ElementOf } from './fixed-structure.ts';
import { childAt, type GrownNode } from './grown-node.ts';
import type { TreePlace } from './tree-variables.ts';

/** The donors of the node where a record would come to rest, without one of them. */
export interface RestingDonors {
  /** Those that have the record's value. */
  readonly alike: number;
  readonly all: number;
}

/**
 * The donors that a record with these values would meet: those of the node where it comes to rest, or of the one above
 * where none are left.
 *
 * @param without values of a record of the tree's table that is not counted; null to count all
 */
export function restingDonors(root: GrownNode, place: TreePlace, without: TreePlace | null, elementOf: ElementOf): RestingDonors {
  let found: RestingDonors | null = null;
  let own = without;
  for (let node: GrownNode | null = root; node !== null; ) {
    const less = own === null ? 0 : 1;
    if (node.records > less) {
      const alike = node.counts[place.response]! - (own?.response === place.response ? 1 : 0);
      found = { alike, all: node.records - less };
    }
    const side = childAt(node, (variable) => elementOf(place, variable));
    if (side === null) break;
    if (own !== null && childAt(node, (variable) => elementOf(own!, variable)) !== side) own = null;
    node = node.split![side];
  }
  if (found === null) throw new RangeError('a tree without records has no donors');
  return found;
}
