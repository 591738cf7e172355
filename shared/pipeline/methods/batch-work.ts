import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import { EVALUATIONS } from '../../risk/attribute/chain-evaluations.ts';

/** About how many microseconds a candidate takes under a draw in a class, and in an evaluation, where each chain counts beside. */
const DENSITY_MICROSECONDS = 0.003;
const EVALUATION_MICROSECONDS = 0.2;
const EVALUATED_CHAIN_MICROSECONDS = 0.0014;

/** Units of work of a block of cells, and of a chain that is read for them, whatever the plan. */
export const CELLS_UNIT = 20_000;

/** Units of work of a record judged by trees, whatever the plan. */
export const TREES_UNIT = 5_000;

/** Units of work of a chain that is scored for so many rows. */
export function chainWork({ config: { mcmc }, classes }: Plan, { candidatesPerCombination }: Scenario, rows: number): number {
  const draws = Math.max(mcmc.draws, mcmc.pairedDraws);
  return Math.ceil(rows * candidatesPerCombination * draws * classes * DENSITY_MICROSECONDS);
}

/** Units of work of a row whose figures are found from so many chains. */
export function evaluationWork({ candidatesPerCombination }: Scenario, chains: number): number {
  return Math.ceil(candidatesPerCombination * EVALUATIONS * (EVALUATION_MICROSECONDS + chains * EVALUATED_CHAIN_MICROSECONDS));
}
