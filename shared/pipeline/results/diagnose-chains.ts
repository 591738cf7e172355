import { readDraws } from '../../artifacts/stored-draws.ts';
import type { Config } from '../../contracts/config/config.ts';
import type { ChainDiagnostics, QuantityDiagnostics } from '../../contracts/results/chain-diagnostics.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { ChainDraws } from '../../model/chains/chain-draws.ts';
import { convergence } from '../../model/chains/convergence.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import type { Store } from '../../storage/store.ts';
import type { ChainFacts } from '../synthesizers/chain-model.ts';

/** Chains have converged when R-hat is below this (Vehtari et al. 2021, section 4). */
const R_HAT_LIMIT = 1.01;

/** Share of the classes which, when occupied, says that the truncation may bind. */
const OCCUPIED_LIMIT = 0.9;

/** A chain whose mean alpha is this many times the median over chains has not mixed its labels. */
const ALPHA_OUTLIER = 3;

const QUANTITIES = {
  alpha: (draws: ChainDraws) => draws.concentration,
  occupiedClasses: (draws: ChainDraws) => draws.occupiedClasses,
  logLikelihood: (draws: ChainDraws) => draws.logLikelihood,
};

/** R-hat, effective sizes and warnings of the base chains, for `diagnostics/chains.json`. */
export async function diagnoseChains(store: Store, plan: Plan, model: ChainFacts, chains: number): Promise<ChainDiagnostics> {
  const { mcmc } = plan.config;
  const traces = { alpha: [], occupiedClasses: [], logLikelihood: [] } as Record<keyof typeof QUANTITIES, number[][]>;
  for (let chain = 1; chain <= chains; chain++) {
    const draws = await readDraws(store, plan.runId, `base/${chain}`);
    for (const quantity of Object.keys(QUANTITIES) as (keyof typeof QUANTITIES)[]) {
      traces[quantity].push([...QUANTITIES[quantity](draws)]);
    }
  }
  const quantities = (Object.keys(QUANTITIES) as (keyof typeof QUANTITIES)[]).map((quantity) =>
    diagnoseQuantity(quantity, traces[quantity]),
  );
  const occupiedClassesMax = traces.occupiedClasses.map((chain) => Math.max(...chain));
  return {
    chains,
    drawsPerChain: mcmc.draws,
    burnIn: mcmc.burnIn,
    thin: mcmc.thin,
    quantities,
    occupiedClassesMax,
    warnings: convergenceWarnings(quantities, Math.max(...occupiedClassesMax), plan.config, model),
  };
}

function diagnoseQuantity(quantity: QuantityDiagnostics['quantity'], chains: readonly number[][]): QuantityDiagnostics {
  const values = Float64Array.from(chains.flat());
  const meanOf = (list: ArrayLike<number>) => Array.from(list).reduce((sum, x) => sum + x, 0) / list.length;
  const mean = meanOf(values);
  const { rHat, bulkEffectiveSize, tailEffectiveSize } = convergence(values, chains.length, chains[0]!.length);
  return {
    quantity,
    mean,
    standardDeviation: standardDeviation(values),
    rHat: rHat === Infinity ? null : rHat,
    ...(rHat === null ? { rHatReason: 'the draws do not vary' } : {}),
    ...(rHat === Infinity ? { rHatReason: 'each chain stands still at a value of its own' } : {}),
    bulkEffectiveSize,
    tailEffectiveSize,
    chainMeans: chains.map(meanOf),
  };
}

function convergenceWarnings(
  quantities: readonly QuantityDiagnostics[],
  occupied: number,
  config: Config,
  { truncation, words }: ChainFacts,
): Warning[] {
  const limit = truncation(config);
  const warnings: Warning[] = [];
  const high = quantities.filter(({ rHat, rHatReason }) => (rHat === null ? rHatReason?.startsWith('each chain') : rHat > R_HAT_LIMIT));
  if (high.length > 0) {
    const named = high.map(({ quantity, rHat }) => `${quantity} ${rHat === null ? 'undefined' : rHat.toFixed(3)}`);
    warnings.push({
      code: 'chains-differ',
      message: `The chains have not converged to one distribution (R-hat above ${R_HAT_LIMIT}: ${named.join(', ')}). ${words.modes}; what it means for the risk is in the reproducibility and in the error of each estimate, which more chains improve.`,
    });
  }
  const alphas = quantities.find(({ quantity }) => quantity === 'alpha')!.chainMeans;
  const median = alphas.toSorted((a, b) => a - b)[Math.floor(alphas.length / 2)]!;
  const outliers = alphas.flatMap((alpha, c) => (alpha > ALPHA_OUTLIER * median ? [c + 1] : []));
  if (outliers.length > 0) {
    warnings.push({
      code: 'labels-not-mixed',
      message: `The concentration alpha of chain ${outliers.join(', ')} is more than ${ALPHA_OUTLIER} times the median over chains: its labels may not have mixed. ${words.unmixed}`,
    });
  }
  if (occupied >= OCCUPIED_LIMIT * limit) {
    warnings.push({
      code: 'classes-near-limit',
      message: `Up to ${occupied} of ${limit} ${words.classes} are occupied: the truncation may bind. Raise model.${words.classes}.`,
    });
  }
  return warnings;
}
