import { emptyFigures, type RiskFigures } from '../../contracts/results/tables/attribute-risk-table.ts';
import { grained } from '../../numeric/grained.ts';
import { exp, log } from '../../numeric/portable-math.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import { standing } from '../../numeric/ties.ts';
import { CONTINUOUS_FIGURES } from '../continuous/continuous-figures.ts';
import { UNIFORM } from '../prior/row-priors.ts';
import { HALF_SPLITS, halfEvaluation, RESAMPLES } from './chain-evaluations.ts';
import { createEvaluator, type EvaluationRequest, type Evaluations } from './evaluator.ts';
import { datasetsOf, effectiveDraws, largestParetoK, priorTerm } from './expectation.ts';
import { emptyLikeliest, setLikeliest } from './likeliest-candidates.ts';
import { posterior, type TruthFigures } from './posterior.ts';
import type { UncertaintyResolved } from './release-error.ts';
import { emptyValueRisk, setDistributions, setValues, type ValueRisk } from './value-risk.ts';

/** Figures of a whole file that are summed over records: one column each in `recordSums`. */
export const RECORD_SUMS = ['truthRankedFirst', 'probability', 'informationBits'] as const;

/** Figures of the truth that are found with each dataset left out, in this order. */
export const WITHOUT_FIGURES = ['rank', 'probability', 'informationBits', 'loss'] as const satisfies readonly (keyof TruthFigures)[];

/** Attribute risk of a batch of combinations: of figures one entry a combination. */
export interface AttributeRisk extends RiskFigures {
  /**
   * combinations x (2 HALF_SPLITS): rank of the truth from each half of each split of the chains. Of numbers alone this and the next
   * hold the probability near the true value.
   */
  readonly halfRanks: Float64Array;
  /** combinations x (2 HALF_SPLITS): probability of the truth from each half. */
  readonly halfProbabilities: Float64Array;
  /** combinations x (2 HALF_SPLITS): information in bits from each half. */
  readonly halfInformationBits: Float64Array;
  /** combinations x (2 HALF_SPLITS): privacy loss from each half, its bias in it. */
  readonly halfLosses: Float64Array;
  /** combinations x datasets x WITHOUT_FIGURES: the truth with each dataset left out; empty where that is not known. */
  readonly withoutDatasets: Float64Array;
  /** (1 + resamples) x RECORD_SUMS: sums over records in the estimate itself and in each resample. */
  readonly recordSums: Float64Array;
}

/**
 * Fills in the truth of a row with each dataset left out; in their order.
 *
 * @param truths one a dataset, of which all rows have as many
 */
export function setWithout(
  { withoutDatasets }: Pick<AttributeRisk, 'withoutDatasets'>,
  row: number,
  truths: readonly TruthFigures[],
): void {
  for (const [l, truth] of truths.entries()) {
    for (const [f, name] of WITHOUT_FIGURES.entries()) {
      withoutDatasets[(row * truths.length + l) * WITHOUT_FIGURES.length + f] = truth[name];
    }
  }
}

/** Quantile of sorted values by the nearest rank, never interpolated: ranks stay ranks. */
function nearestRank(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]!;
}

/** Figures that not every method finds of every row. */
const OFTEN_UNKNOWN = [
  'halfLengthRank',
  'halfLengthProbability',
  'halfLengthInformationBits',
  'uncertaintyResolved',
  'uncertaintyResolvedSe',
  'membershipBits',
  'membershipBitsSe',
  'membershipProbability',
  'paretoK',
] as readonly (keyof RiskFigures)[];

/**
 * An {@link AttributeRisk} to be filled, whose record sums have room for a number of resamples.
 *
 * @param datasets that are left out in turn
 */
export function emptyRisk(rows: number, resamples: number, datasets = 0): AttributeRisk {
  const figures = emptyFigures(rows);
  for (const name of OFTEN_UNKNOWN) figures[name].fill(NaN);
  return {
    ...figures,
    halfRanks: new Float64Array(rows * 2 * HALF_SPLITS),
    halfProbabilities: new Float64Array(rows * 2 * HALF_SPLITS),
    halfInformationBits: new Float64Array(rows * 2 * HALF_SPLITS),
    halfLosses: new Float64Array(rows * 2 * HALF_SPLITS),
    withoutDatasets: new Float64Array(rows * datasets * WITHOUT_FIGURES.length),
    recordSums: new Float64Array((1 + resamples) * RECORD_SUMS.length),
  };
}

/** Fills in what of a row's uncertainty is resolved. */
export function setResolved(
  risk: Pick<AttributeRisk, 'uncertaintyResolved' | 'uncertaintyResolvedSe'>,
  row: number,
  { share, se }: UncertaintyResolved,
): void {
  risk.uncertaintyResolved[row] = share ?? NaN;
  risk.uncertaintyResolvedSe[row] = se ?? NaN;
}

/**
 * Fills in what follows from the truth's evaluations: the estimate with its errors, its halves, and the
 * combination's part of the record sums.
 *
 * @param count records of the combination
 * @param resamples evaluations after the first that are resamples
 * @param halfOf evaluation that holds a half of a split
 */
export function setTruth(
  risk: AttributeRisk,
  row: number,
  count: number,
  { ranks, probabilities, informationBits, logBayesFactors, losses }: TruthEvaluations,
  { resamples, halfOf } = { resamples: RESAMPLES, halfOf: halfEvaluation },
): void {
  risk.rank[row] = ranks[0]!;
  risk.probability[row] = probabilities[0]!;
  risk.informationBits[row] = informationBits[0]!;
  for (let b = 0; b <= resamples; b++) {
    const sums = b * RECORD_SUMS.length;
    risk.recordSums[sums]! += ranks[b] === 1 ? count : 0;
    risk.recordSums[sums + 1]! += grained(count * probabilities[b]!);
    risk.recordSums[sums + 2]! += grained(count * informationBits[b]!);
  }
  risk.probabilitySe[row] = standardDeviation(probabilities.subarray(1, 1 + resamples));
  setBayesFactor(risk, row, logBayesFactors.subarray(0, 1 + resamples));
  setPrivacyLoss(risk, row, losses.subarray(0, 1 + resamples));
  const resampledRanks = ranks.slice(1, 1 + resamples).sort();
  // The interval always holds the estimate itself: a reader would not trust one that does not.
  risk.rankLow[row] = Math.min(ranks[0]!, nearestRank(resampledRanks, 0.05));
  risk.rankHigh[row] = Math.max(ranks[0]!, nearestRank(resampledRanks, 0.95));
  for (let split = 0; split < HALF_SPLITS; split++) {
    for (const half of [0, 1] as const) {
      const at = row * 2 * HALF_SPLITS + 2 * split + half;
      risk.halfRanks[at] = ranks[halfOf(split, half)]!;
      risk.halfProbabilities[at] = probabilities[halfOf(split, half)]!;
      risk.halfInformationBits[at] = informationBits[halfOf(split, half)]!;
      risk.halfLosses[at] = losses[halfOf(split, half)]!;
    }
  }
}

/** A Bayes factor from its logarithm: at most the largest double, whose logarithm is just above this. */
const MOST_LOG = 709;
const bayesFactorOf = (logBayesFactor: number) => exp(Math.min(MOST_LOG, logBayesFactor));

/** The error is that of the logarithm times the factor: a factor's own resamples have long tails. */
function setBayesFactor(risk: AttributeRisk, row: number, logs: Float64Array): void {
  const bounded = logs.map((value) => Math.min(MOST_LOG, value));
  risk.bayesFactor[row] = bayesFactorOf(bounded[0]!);
  risk.bayesFactorSe[row] = Math.min(Number.MAX_VALUE, risk.bayesFactor[row]! * standardDeviation(bounded.subarray(1)));
}

/**
 * The largest of noisy distances is too large. Resamples scatter around the estimate as it scatters around the truth, so
 * that what they are too large by on average is taken off it (docs/explanation/estimators.md, privacy loss of a release).
 */
function setPrivacyLoss(risk: AttributeRisk, row: number, losses: Float64Array): void {
  const resampled = losses.subarray(1);
  const mean = resampled.reduce((sum, loss) => sum + loss, 0) / resampled.length;
  risk.privacyLoss[row] = Math.max(0, 2 * losses[0]! - mean);
  risk.privacyLossSe[row] = standardDeviation(resampled);
}

/** The truth of a combination in every evaluation. */
type TruthEvaluations = Pick<Evaluations, 'ranks' | 'probabilities' | 'informationBits' | 'logBayesFactors' | 'losses'>;

/**
 * Fills in what the prior alone says of the truth, candidate 0.
 *
 * @param logPrior of the candidates, up to a constant; null where it is uniform
 */
export function setPrior(risk: AttributeRisk, row: number, logPrior: Float64Array | null, candidates: number): void {
  if (logPrior === null) {
    risk.priorProbability[row] = 1 / candidates;
    risk.priorFirst[row] = 1 / candidates;
    return;
  }
  risk.priorProbability[row] = posterior(logPrior, 0, candidates)[0]!;
  risk.priorFirst[row] = standing(logPrior, 0, candidates, 0).first;
}

/**
 * Fills in what paired chains of half their length say of the truth. An error is at least as large as what the other half
 * changed, so that their length is in it.
 *
 * @param loss privacy loss from all of their length, its bias in it as in that of the half
 */
function setHalfLength(risk: AttributeRisk, row: number, half: TruthFigures, loss: number): void {
  risk.halfLengthRank[row] = half.rank;
  risk.halfLengthProbability[row] = half.probability;
  risk.halfLengthInformationBits[row] = half.informationBits;
  const change = Math.abs(risk.probability[row]! - half.probability);
  risk.probabilitySe[row] = Math.max(risk.probabilitySe[row]!, change);
  const factor = risk.bayesFactor[row]!;
  // A factor below the least double is zero, and so is its error; its logarithm is no number.
  const factorChange = factor === 0 ? 0 : factor * Math.abs(log(factor) - Math.min(MOST_LOG, half.logBayesFactor));
  risk.bayesFactorSe[row] = Math.max(risk.bayesFactorSe[row]!, factorChange);
  risk.privacyLossSe[row] = Math.max(risk.privacyLossSe[row]!, Math.abs(loss - half.loss));
  risk.rankLow[row] = Math.min(risk.rankLow[row]!, half.rank);
  risk.rankHigh[row] = Math.max(risk.rankHigh[row]!, half.rank);
}

const NEAR = CONTINUOUS_FIGURES.indexOf('withinAfter');

/**
 * Fills in what halves of the chains say of a row of which numbers alone are guessed at: the mean over its continuous variables of the
 * probability near the true value stands for the truth's rank and probability.
 *
 * @param halfFigures see `Evaluations`; a value that is missing has 0 throughout
 */
function setNearHalves(risk: Pick<AttributeRisk, 'halfRanks' | 'halfProbabilities'>, row: number, halfFigures: Float64Array): void {
  const halves = 2 * HALF_SPLITS;
  const sets = halfFigures.length / halves / CONTINUOUS_FIGURES.length;
  for (let half = 0; half < halves; half++) {
    let sum = 0;
    for (let s = 0; s < sets; s++) sum += halfFigures[(half * sets + s) * CONTINUOUS_FIGURES.length + NEAR]!;
    const at = row * halves + half;
    risk.halfRanks[at] = sum / sets;
    risk.halfProbabilities[at] = sum / sets;
  }
}

/** What the attribute risk of a batch of combinations is found from. */
export interface AttributeRiskRequest extends EvaluationRequest {
  /** Records of each combination. */
  readonly counts: ArrayLike<number>;
  /** Effective draws that hold for every combination, as importance weights have; each has its own if left out. */
  readonly effectiveDraws?: number | undefined;
  /** The same of the Pareto k. */
  readonly paretoK?: number | undefined;
  /** Hears that the figures of a row are found. */
  readonly onRow?: () => void;
}

/** Attribute risk of candidates that are listed one by one, and what is known of the values of single variables. */
export interface ListedRisk extends AttributeRisk {
  readonly values: ValueRisk;
  /** The likeliest candidates of each row (`likeliest-candidates.ts`). */
  readonly likeliest: Float64Array;
  /**
   * rows x 2 x candidates of continuous variables, in the order of their space: probabilities of masses and cells before the release,
   * then after it; NaN of a value that is missing. Left out where no variable has a density.
   */
  readonly densities?: Float32Array;
}

/**
 * Posterior of every candidate, its rank and its Monte Carlo error for a batch of combinations
 * (Hu et al. 2014, section 3.1).
 *
 * @throws RangeError naming the combination (from 0 within the batch) when an estimate is not a number
 */
export function attributeRisk(request: AttributeRiskRequest): ListedRisk {
  const { terms, counts, candidates, considered, sets, priors = UNIFORM } = request;
  const rows = counts.length;
  const datasets = datasetsOf(terms).length;
  const { sets: continuous, entries } = sets?.continuous ?? { sets: 0, entries: 0 };
  const values = emptyValueRisk(rows, sets?.count ?? 0, datasets, continuous);
  const densities = new Float32Array(rows * 2 * entries).fill(NaN);
  const result = {
    ...emptyRisk(rows, RESAMPLES, sets ? datasets : 0),
    values,
    likeliest: emptyLikeliest(rows),
    ...(entries > 0 && { densities }),
  };
  const evaluate = createEvaluator(request);
  // Under the model's prior the base chains count as well.
  const prior = priors.source === 'model' ? priorTerm(terms) : null;
  const counted = terms.map((term) => (term === prior ? { ...term, coefficient: 1 } : term));
  for (let row = 0; row < rows; row++) {
    const { estimates, logPrior, allEstimates, allPriors, ...truth } = evaluate(row);
    setPrior(result, row, logPrior, estimates.length);
    setTruth(result, row, counts[row]!, truth);
    if (truth.halfLength) setHalfLength(result, row, truth.halfLength, truth.losses[0]!);
    if (sets) {
      setWithout(result, row, truth.withoutDatasets);
      const weighed = { sets: sets.of(row), counted: sets.counted };
      if (continuous > 0) {
        const own = densities.subarray(row * 2 * entries, (row + 1) * 2 * entries);
        if (truth.halfFigures.length > 0) setNearHalves(result, row, truth.halfFigures);
        setDistributions({ ...values, row, own }, weighed.sets.slice(-continuous), allPriors, allEstimates);
      }
      setResolved(result, row, setValues(values, row, counts[row]!, truth, weighed));
    }
    const numbers = considered?.[row];
    const scores = logPrior === null ? estimates : estimates.map((value, x) => value + logPrior[x]!);
    const distribution = posterior(scores, 0, scores.length);
    let first = 0;
    for (let x = 1; x < estimates.length; x++) if (distribution[x]! > distribution[first]!) first = x;
    result.effectiveDraws[row] = request.effectiveDraws ?? effectiveDraws(counted, row, distribution, candidates, numbers);
    result.paretoK[row] = request.paretoK ?? largestParetoK(terms, row);
    result.firstGuess[row] = numbers?.[first] ?? first;
    result.firstGuessProbability[row] = distribution[first]!;
    setLikeliest(result.likeliest, row, distribution, logPrior, numbers);
    // From log-likelihoods, since the truth's own probability may round to zero; at most the largest double.
    result.priorOddsToFirst[row] = Math.min(exp(estimates[first]! - estimates[0]!), Number.MAX_VALUE);
    request.onRow?.();
  }
  return result;
}
