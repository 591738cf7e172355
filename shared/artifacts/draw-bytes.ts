import { integratesPhi } from '../contracts/config/config.ts';
import type { Plan } from '../contracts/run/plan.ts';
import { classBytes } from './stored-draws.ts';

/**
 * Bytes of a draw as it is stored, without what only DP-areal has: pi and phi, and, where phi is integrated out, the counts of
 * its allocation and the class of every combination of the table.
 */
export function drawBytes({ config, classes }: Pick<Plan, 'config' | 'classes'>, categories: number, combinations: number): number {
  const parameters = classes * (1 + categories) * Float64Array.BYTES_PER_ELEMENT;
  if (!integratesPhi(config)) return parameters;
  const counts = classes * categories * Uint32Array.BYTES_PER_ELEMENT;
  return parameters + counts + allocationBytes({ config, classes }, combinations);
}

/** The part of them that is of combinations, of which a batch reads its own. */
export function allocationBytes({ config, classes }: Pick<Plan, 'config' | 'classes'>, combinations: number): number {
  return integratesPhi(config) ? combinations * classBytes(classes) : 0;
}
