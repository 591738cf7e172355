import { calibrationSettings } from '../../contracts/config/config.ts';
import { replicateRunId } from '../../contracts/keys.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { RoundChains } from '../../contracts/run/round.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { hasAttributeRisk, numbered, type PhaseTasks } from '../rounds/chains-needed.ts';
import { synthesizerOf } from './synthesizers.ts';

/**
 * The tasks of a round, phase after phase: what the synthesizer adds to the round before, and all batches.
 *
 * @param before chains of the round before; none in the first
 */
export function roundTasks(
  plan: Plan,
  { round, ...numbers }: RoundChains,
  before: ChainNumbers = { chains: 0, pairedChains: 0 },
): PhaseTasks {
  const { runId, config, purpose, batches } = plan;
  if (purpose === 'calibrate') {
    // The tasks of its replicates, which add no chains in rounds.
    const each = numbered(calibrationSettings(config).replicates).map((replicate) =>
      roundTasks({ ...plan, purpose: 'replicate', runId: replicateRunId(runId, replicate) }, { round, ...numbers }),
    );
    return {
      fit: each.flatMap(({ fit }) => fit),
      synthesize: each.flatMap(({ synthesize }) => synthesize),
      augment: each.flatMap(({ augment }) => augment),
      assess: each.flatMap(({ assess }) => assess),
    };
  }
  const assessed = hasAttributeRisk(plan) ? batches : [];
  return {
    ...synthesizerOf(config).tasks(plan, { round, numbers }, before),
    assess: assessed.map(({ batch }) =>
      purpose === 'replicate' ? { step: 'score', runId, batch } : { step: 'assess', runId, round, batch },
    ),
  };
}
