import { exp } from '../../numeric/portable-math.ts';
import {
  type AttributeRisk,
  emptyRisk,
  type ListedRisk,
  setPrior,
  setResolved,
  setTruth,
  setWithout,
} from '../attribute/attribute-risk.ts';
import { EVALUATIONS, RESAMPLES } from '../attribute/chain-evaluations.ts';
import { emptyLikeliest, setLikeliest } from '../attribute/likeliest-candidates.ts';
import { posterior, type TruthFigures, truthOf } from '../attribute/posterior.ts';
import { VALUE_FIGURES, WITHOUT_DATASETS, weighSet } from '../attribute/value-figures.ts';
import { emptyValueRisk, setValues, type ValueRisk } from '../attribute/value-risk.ts';
import type { RowValueSets, ValueSet } from '../intruder/value-sets.ts';
import { exactRisk, exactValues } from './exact-risk.ts';

/** Stands for the logarithm of 0: far enough below for its exponential to be 0, and finite, so that 0 times it is 0. */
const IMPOSSIBLE = 2000;

/** The candidates of a row, the truth first, whose likelihood is known without error. */
export interface KnownCandidates {
  /** log L_x - log L_t, in nats; -Infinity for a candidate that could not have led to the release. */
  readonly logRatios: Float64Array;
  /** The same without each of several datasets; null or absent where these are not known, or there is one. */
  readonly logRatiosWithout?: readonly Float64Array[] | null;
  /** Logarithms of what the model says of them before the release, up to a constant. */
  readonly logPriors: Float64Array;
}

/** What the intruder believes of candidates beforehand: all alike, or as the model says. */
export type KnownPrior = 'uniform' | 'model';

/** A value set as it is known: see `VALUE_FIGURES`. */
export type KnownFigures = Readonly<Record<(typeof VALUE_FIGURES)[number], number>> & {
  /** Whether no other value could have led to the release. */
  readonly proven: boolean;
};

/**
 * Attribute risk of rows whose likelihoods are known without error, each row by itself. Privacy loss is Infinity where a
 * candidate could not have led to the release, and the Bayes factor where no other candidate could.
 *
 * @param counts records of each row
 * @param of candidates of a row, asked for once each in order
 * @returns values with what they are without each dataset, of which all rows have as many
 */
export function knownRisk(
  counts: ArrayLike<number>,
  of: (row: number) => KnownCandidates,
  sets: RowValueSets,
  prior: KnownPrior,
): ListedRisk {
  const rows = counts.length;
  let risk: ReturnType<typeof emptyKnown> | null = null;
  let values: ValueRisk | null = null;
  const privacyLoss = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const { logRatios, logPriors, logRatiosWithout } = of(row);
    const without = logRatiosWithout ?? [];
    risk ??= emptyKnown(rows, without.length);
    values ??= emptyValueRisk(rows, sets.count, without.length);
    const estimates = bounded(logRatios);
    const logPrior = prior === 'model' ? logPriors : null;
    setKnownTruth(risk, row, counts[row]!, estimates, logPrior);
    const isAlone = logRatios.every((ratio, x) => x === 0 || ratio === -Infinity || logPrior?.[x] === -Infinity);
    // Where no other candidate has a prior probability either, it stays undefined.
    if (isAlone && !Number.isNaN(risk.bayesFactor[row])) risk.bayesFactor[row] = Infinity;
    privacyLoss[row] = logRatios.reduce((most, ratio) => Math.max(most, Math.abs(ratio)), 0);
    const valueSets = sets.of(row);
    const weighed = valueSets.map((set) => weighSet(set, logPriors, estimates));
    // No evaluation differs from another, but those without a dataset.
    const figures = weighed.flatMap((set) => set.figures);
    const every = new Float64Array((WITHOUT_DATASETS + without.length) * figures.length);
    for (let e = 0; e < WITHOUT_DATASETS; e++) every.set(figures, e * figures.length);
    const leftOut: TruthFigures[] = [];
    for (const [l, ratios] of without.entries()) {
      const left = bounded(ratios);
      leftOut.push(truthOf(left, logPrior));
      const ofSets = valueSets.flatMap((set) => weighSet(set, logPriors, left).figures);
      every.set(ofSets, (WITHOUT_DATASETS + l) * figures.length);
    }
    setWithout(risk, row, leftOut);
    const guesses = Uint32Array.from(weighed.flatMap((set) => set.guesses));
    const weighing = { figures: every, guesses };
    setResolved(risk, row, setValues(values, row, counts[row]!, weighing, { sets: valueSets, counted: sets.counted }));
  }
  return { ...exactRisk(risk ?? emptyKnown(rows, 0), privacyLoss), values: exactValues(values ?? emptyValueRisk(rows, sets.count, 0)) };
}

const emptyKnown = (rows: number, datasets: number) => ({ ...emptyRisk(rows, RESAMPLES, datasets), likeliest: emptyLikeliest(rows) });

/** The probability of the truth among candidates. */
export function knownProbability({ logRatios, logPriors }: KnownCandidates, prior: KnownPrior): number {
  const estimates = bounded(logRatios);
  return truthOf(estimates, prior === 'model' ? logPriors : null).probability;
}

/** The figures of a value set among candidates. */
export function knownFigures({ logRatios, logPriors }: KnownCandidates, set: ValueSet): KnownFigures {
  const { figures } = weighSet(set, logPriors, bounded(logRatios));
  const named = Object.fromEntries(VALUE_FIGURES.map((name, f) => [name, figures[f]!]));
  return {
    ...(named as Record<(typeof VALUE_FIGURES)[number], number>),
    proven: [...set.candidates].every((x, i) => set.values[i] === 0 || logRatios[x] === -Infinity),
  };
}

function bounded(logRatios: Float64Array): Float64Array {
  const least = logRatios.reduce((low, ratio) => (ratio === -Infinity ? low : Math.min(low, ratio)), 0);
  return logRatios.map((ratio) => (ratio === -Infinity ? least - IMPOSSIBLE : ratio));
}

function setKnownTruth(
  risk: AttributeRisk & Pick<ListedRisk, 'likeliest'>,
  row: number,
  count: number,
  estimates: Float64Array,
  logPrior: Float64Array | null,
): void {
  const truth = truthOf(estimates, logPrior);
  const every = (value: number) => new Float64Array(EVALUATIONS).fill(value);
  setPrior(risk, row, logPrior, estimates.length);
  setTruth(risk, row, count, {
    ranks: every(truth.rank),
    probabilities: every(truth.probability),
    informationBits: every(truth.informationBits),
    logBayesFactors: every(truth.logBayesFactor),
    losses: every(truth.loss),
  });
  const scores = logPrior === null ? estimates : estimates.map((value, x) => value + logPrior[x]!);
  const distribution = posterior(scores, 0, scores.length);
  let first = 0;
  for (let x = 1; x < scores.length; x++) if (distribution[x]! > distribution[first]!) first = x;
  risk.effectiveDraws[row] = Infinity;
  risk.firstGuess[row] = first;
  risk.firstGuessProbability[row] = distribution[first]!;
  setLikeliest(risk.likeliest, row, distribution, logPrior);
  risk.priorOddsToFirst[row] = Math.min(exp(estimates[first]! - estimates[0]!), Number.MAX_VALUE);
}
