import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { arealParameters } from '../../../shared/model/dp-areal/cells.ts';
import { createDpAreal } from '../../../shared/model/dp-areal/dp-areal.ts';
import { categoricalFromSums } from '../../../shared/random/distributions.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { type ArealModel, columnsBeside, combinationsOf, drawPriors, patternsOf, poisson, stateOfPrior } from './areal-prior.ts';

/** Four patterns of two variables, so that every kind of parameter occurs more than once. */
const model: ArealModel = { known: [2, 2], categories: 3, clusters: 3, concentration: { shape: 1, rate: 1 } };
const patterns = patternsOf(model).length;
const sizes = [...model.known, model.categories];
/** Sizes of its parameters. */
export const shape = { patterns, categories: model.categories, regressors: 4, clusters: model.clusters };

/**
 * The prior has heavy tails: only data without larger counts are looked at, which is a condition on the data alone and
 * so leaves the posterior what it is.
 */
const LARGEST_COUNT = { ofTable: 100_000, ofRelease: 100 };

/** Counts of every category, of the table and of a synthetic dataset: patterns x categories. */
interface Data {
  readonly counts: number[][];
  readonly synthetic: number[][];
}

type Functional = (state: ChainState, data: Data) => number;

const squash = (x: number) => Math.atan(x);
const positive = (x: number) => x / (1 + x);
const parameter =
  (read: (p: ReturnType<typeof arealParameters>) => number): Functional =>
  (state) =>
    read(arealParameters(state.latent!, shape));
const total = (rows: number[][]) => rows.flat().reduce((sum, n) => sum + n, 0);

const functionals = {
  alpha: ({ concentration }) => positive(concentration),
  rhoFirst: parameter((p) => Math.exp(p.logWeights[0]!)),
  rhoLast: parameter((p) => Math.exp(p.logWeights[2]!)),
  rhoSquares: parameter((p) => p.logWeights.reduce((sum, w) => sum + Math.exp(2 * w), 0)),
  mu: parameter((p) => squash(p.intercept[0]!)),
  muSquared: parameter((p) => squash(p.intercept[0]!) ** 2),
  tauRates: parameter((p) => positive(p.precisions[0]!)),
  tauTheta: parameter((p) => positive(p.precisions[1]!)),
  tauMu: parameter((p) => positive(p.precisions[2]!)),
  thetaFirst: parameter((p) => squash(p.coefficients[0]!)),
  thetaFirstSquared: parameter((p) => squash(p.coefficients[0]!) ** 2),
  thetaLastSquared: parameter((p) => squash(p.coefficients[10]!) ** 2),
  phi: parameter((p) => squash(p.coefficients[1]!)),
  phiSquared: parameter((p) => squash(p.coefficients[1]!) ** 2),
  phiLastSquared: parameter((p) => squash(p.coefficients[14]!) ** 2),
  phiAcrossRegressors: parameter((p) => squash(p.coefficients[2]!) * squash(p.coefficients[3]!)),
  phiAcrossClusters: parameter((p) => squash(p.coefficients[2]!) * squash(p.coefficients[7]!)),
  muTimesTheta: parameter((p) => squash(p.intercept[0]!) * squash(p.coefficients[0]!)),
  sigmaFirst: parameter((p) => positive(p.scales[0]!)),
  sigmaLast: parameter((p) => positive(p.scales[3]!)),
  omegaFirst: parameter((p) => p.correlations[1]!),
  omegaSquared: parameter((p) => p.correlations[4]! ** 2),
  omegaLastSquared: parameter((p) => p.correlations[11]! ** 2),
  omegaProduct: parameter((p) => p.correlations[1]! * p.correlations[2]! * p.correlations[6]!),
  omegaTimesPhi: parameter((p) => p.correlations[1]! * squash(p.coefficients[1]!) * squash(p.coefficients[2]!)),
  sigmaTimesPhi: parameter((p) => positive(p.scales[0]!) * squash(p.coefficients[1]!) ** 2),
  logRate: parameter((p) => squash(p.logRates[0]! / 3)),
  logRateSquared: parameter((p) => squash(p.logRates[4]! / 3) ** 2),
  logRatesOfPattern: parameter((p) => squash(p.logRates[0]! - p.logRates[1]!) ** 2),
  logRatesAcross: parameter((p) => squash(p.logRates[0]! - p.logRates[9]!) ** 2),
  residual: parameter((p) => squash(p.logRates[0]! - p.intercept[0]! - p.coefficients[0]! - p.coefficients[1]! - p.coefficients[3]!) ** 2),
  logRateTimesCount: (state, { counts }) => squash(state.latent![0]! / 3) * squash(counts[0]![0]!),
  /** How well the shares of the first pattern agree with its synthetic records. */
  shareTimesSynthetic: (state, { synthetic }) =>
    squash(state.latent![0]! - state.latent![1]!) * squash(synthetic[0]![0]! - synthetic[0]![1]!),
  muTimesCounts: (state, data) => squash(arealParameters(state.latent!, shape).intercept[0]!) * squash(total(data.counts) / 20),
  tauTimesCounts: (state, data) => positive(arealParameters(state.latent!, shape).precisions[0]!) * squash(total(data.counts) / 20),
} satisfies Record<string, Functional>;

/** Parameters from the prior, and data given them, of which no count is above the limit; a dataset where one is released. */
function drawJoint(random: RandomStream, released: boolean): { state: ChainState; data: Data } {
  for (;;) {
    const draw = drawPriors(model, random, 1)[0]!;
    // So far beyond the limit no count is below it.
    if (draw.logRates.flat().some((l) => l > 20)) continue;
    const counts = draw.logRates.map((own) => own.map((l) => poisson(random, Math.exp(l))));
    const largest = released ? LARGEST_COUNT.ofRelease : LARGEST_COUNT.ofTable;
    if (counts.flat().some((n) => n > largest)) continue;
    const synthetic = draw.logRates.map((own, b) => {
      const sums = Float64Array.from(own, (l) => Math.exp(l));
      for (let i = 1; i < sums.length; i++) sums[i]! += sums[i - 1]!;
      const cells = own.map(() => 0);
      for (let h = 0; released && h < total([counts[b]!]); h++) cells[categoricalFromSums(random, sums, 0, sums.length)]!++;
      return cells;
    });
    return { state: stateOfPrior(model, draw), data: { counts, synthetic } };
  }
}

/** How a replicate differs from a right one, to see that the test would notice. */
interface Fault {
  readonly state?: (state: ChainState) => ChainState;
  readonly withoutSynthetic?: boolean;
}

/**
 * Parameters and data drawn from prior and likelihood, then moved by some iterations given the data: if these leave the
 * posterior invariant, parameters and data together have the same distribution before and after (Geweke 2004; with
 * independent replicates, Gandy & Scott 2020).
 *
 * @returns for each functional, the mean difference of after and before in standard errors
 */
export function compareJoint(
  seed: number,
  replicates: number,
  iterations: number,
  released: boolean,
  fault: Fault = {},
): Record<keyof typeof functionals, number> {
  const random = new RandomStream(seed, 'joint');
  const names = Object.keys(functionals) as (keyof typeof functionals)[];
  const sums = names.map(() => 0);
  const squares = names.map(() => 0);
  for (let i = 0; i < replicates; i++) {
    const { state, data } = drawJoint(random, released);
    const beside = released && !fault.withoutSynthetic;
    const areal = createDpAreal(
      combinationsOf(model, data.counts, beside ? data.synthetic : undefined),
      sizes,
      [2],
      model,
      beside ? columnsBeside(model) : undefined,
    );
    const stepped = areal.step(state, random, iterations);
    const moved = fault.state ? fault.state(stepped) : stepped;
    for (const [f, name] of names.entries()) {
      const difference = functionals[name](moved, data) - functionals[name](state, data);
      sums[f]! += difference;
      squares[f]! += difference * difference;
    }
  }
  return Object.fromEntries(
    names.map((name, f) => {
      const mean = sums[f]! / replicates;
      const variance = squares[f]! / replicates - mean * mean;
      return [name, variance === 0 ? 0 : mean / Math.sqrt(variance / replicates)];
    }),
  ) as Record<keyof typeof functionals, number>;
}
