import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { ArtifactError } from '../contracts/errors.ts';
import { runKeys } from '../contracts/keys.ts';
import type { CartNode, CartTree } from '../model/cart/tree.ts';
import type { Store } from '../storage/store.ts';
import type { Column } from '../table/table.ts';

/**
 * Columns of the array of nodes, which come in the order of a walk that goes to the left first, so that the left child
 * of a node is the next: the range of its donors, the variable that divides it (-1 in a leaf), the threshold or where
 * the sides of its categories begin, how many these are (0 for a threshold), and the index of the right child.
 */
const NODE_COLUMNS = 6;

/** Divides no node. */
const NONE = -1;

function encodeNodes(root: CartNode): { nodes: Float64Array; sides: Uint8Array } {
  const rows: number[][] = [];
  const sides: number[] = [];
  const add = ({ from, to, split }: CartNode): number => {
    const row = [from, to, NONE, 0, 0, 0];
    const index = rows.push(row) - 1;
    if (split !== null) {
      const { cut, left, right } = split;
      row[2] = cut.variable;
      row[3] = cut.type === 'threshold' ? cut.threshold : sides.length;
      row[4] = cut.type === 'threshold' ? 0 : cut.sides.length;
      if (cut.type === 'categories') sides.push(...cut.sides);
      add(left);
      row[5] = add(right);
    }
    return index;
  };
  add(root);
  return { nodes: Float64Array.from(rows.flat()), sides: Uint8Array.from(sides) };
}

function decodeNodes(nodes: Float64Array, sides: Uint8Array): CartNode {
  const nodeAt = (index: number): CartNode => {
    const [from, to, variable, place, categories, right] = nodes.subarray(index * NODE_COLUMNS, (index + 1) * NODE_COLUMNS) as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    if (variable === NONE) return { from, to, split: null };
    const cut =
      categories === 0
        ? ({ type: 'threshold', variable, threshold: place } as const)
        : ({ type: 'categories', variable, sides: sides.slice(place, place + categories) } as const);
    return { from, to, split: { cut, left: nodeAt(index + 1), right: nodeAt(right) } };
  };
  return nodeAt(0);
}

/** Stores the tree of the variable that is synthesized at a place (from 1). */
export async function writeTree(store: Store, runId: string, place: number, tree: CartTree): Promise<void> {
  const keys = runKeys(runId).tree(place);
  const { nodes, sides } = encodeNodes(tree.root);
  const donors = tree.donors.type === 'categorical' ? tree.donors.codes : tree.donors.values;
  const once = { ifAbsent: true };
  await store.put(keys.donors, encodeCheckedNpy(donors, [donors.length]), once);
  await store.put(keys.sides, encodeCheckedNpy(sides, [sides.length]), once);
  await store.put(keys.nodes, encodeCheckedNpy(nodes, [nodes.length / NODE_COLUMNS, NODE_COLUMNS]), once);
}

/** Reads what {@link writeTree} wrote. Throws ArtifactError when it is missing or malformed. */
export async function readTree(store: Store, runId: string, place: number): Promise<CartTree> {
  const keys = runKeys(runId).tree(place);
  const read = async (key: string) => decodeCheckedNpy(await store.get(key), key).data;
  const nodes = await read(keys.nodes);
  const sides = await read(keys.sides);
  const found = await read(keys.donors);
  if (!(nodes instanceof Float64Array && sides instanceof Uint8Array)) {
    throw new ArtifactError('malformed-artifact', `${keys.nodes} does not hold the nodes of a tree`);
  }
  let donors: Column;
  if (found instanceof Float64Array) donors = { type: 'continuous', values: found };
  else if (found instanceof Uint8Array || found instanceof Uint16Array) {
    donors = { type: 'categorical', codes: found };
  } else throw new ArtifactError('malformed-artifact', `${keys.donors} does not hold a column`);
  return { root: decodeNodes(nodes, sides), donors };
}
