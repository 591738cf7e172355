import type { Plan, Task } from '../contracts/plan.ts';

/** A side of the paired chains: on the table stacked with the dataset, or on the table alone. */
export type Side = 'stacked' | 'alone';

/** Chains that a run needs beside those that synthesize. */
export interface ChainsNeeded {
  /** Base chains. */
  readonly base: number;
  /** Pairs of chains, over all datasets. */
  readonly pairs: number;
  readonly sides: readonly Side[];
}

/** What the estimator needs: the upper bound has no stacked side, the published estimator no pairs. */
export function chainsNeeded(plan: Plan): ChainsNeeded {
  const { mcmc, attributeRisk } = plan.config;
  if (plan.purpose === 'synthesize') return { base: 0, pairs: 0, sides: [] };
  const sides: Record<typeof attributeRisk.estimator, Side[]> = {
    augmented: ['stacked', 'alone'],
    parameters: ['alone'],
    importance: [],
  };
  const needed = sides[attributeRisk.estimator];
  return {
    base: mcmc.chains,
    pairs: needed.length > 0 ? plan.datasets.count * mcmc.pairedChains : 0,
    sides: needed,
  };
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** The tasks of a run, phase after phase: a phase needs all before it, and its tasks are independent. */
export function runTasks(plan: Plan): { fit: Task[]; synthesize: Task[]; augment: Task[]; assess: Task[] } {
  const { runId } = plan;
  const { base, pairs } = chainsNeeded(plan);
  const { synthesis, mcmc, attributeRisk } = plan.config;
  const synthesisChains =
    plan.datasets.origin !== 'synthesized' ? 0 : synthesis.chains === 'own' ? plan.datasets.count : 1;
  const paired = range(pairs).map((pair): Task => {
    const dataset = Math.ceil(pair / mcmc.pairedChains);
    return { step: 'pair', runId, dataset, chain: pair - (dataset - 1) * mcmc.pairedChains };
  });
  const weighed = attributeRisk.estimator === 'importance' ? range(base) : [];
  return {
    fit: range(base).map((chain) => ({ step: 'fit', runId, chain })),
    synthesize: range(synthesisChains).map((chain) => ({ step: 'synthesize', runId, chain })),
    augment: [...paired, ...weighed.map((chain): Task => ({ step: 'weigh', runId, chain }))],
    assess:
      plan.purpose === 'synthesize'
        ? []
        : plan.batches.map(({ batch }) => ({ step: 'assess', runId, batch })),
  };
}
