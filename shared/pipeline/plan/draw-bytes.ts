import type { Plan } from '../../contracts/run/plan.ts';
import { keepsAllocations } from '../../model/chain-model.ts';

/**
 * Bytes of a draw as it is stored, without what only DP-areal has: pi and phi, and, where phi is integrated out, the counts of
 * its allocation and the class of every combination of the table.
 */
export function drawBytes({ config, classes }: Plan, categories: number, combinations: number): number {
  const parameters = classes * (1 + categories) * Float64Array.BYTES_PER_ELEMENT;
  if (!keepsAllocations(config)) return parameters;
  const counts = classes * categories * Uint32Array.BYTES_PER_ELEMENT;
  return parameters + counts + combinations * Uint16Array.BYTES_PER_ELEMENT;
}
