import type { RiskFigures } from '../../contracts/results/tables/attribute-risk-table.ts';
import { rankCorrelation } from '../../numeric/rank-correlation.ts';
import { sortedOrder } from '../../numeric/sorted-order.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import { type AttributeRisk, RECORD_SUMS } from './attribute-risk.ts';
import { HALF_SPLITS, WHOLE_SPLITS } from './chain-evaluations.ts';

/** Columns of what is known of every row, one after the other: where rows are many, few of them are in memory at a time. */
export type Columns = Iterable<Float64Array> | AsyncIterable<Float64Array>;

/** The columns of a matrix in memory, whose rows have so many numbers each. */
export function* columnsOf(matrix: Float64Array, width: number): Generator<Float64Array> {
  const rows = matrix.length / width;
  for (let c = 0; c < width; c++) yield Float64Array.from({ length: rows }, (_, row) => matrix[row * width + c]!);
}

/** Elements that a histogram of ranks has at most. */
const MOST_RANK_BINS = 1000;

/** Figures of a whole file from paired chains of half their length. */
export interface HalfLengthFigures {
  readonly truthRankedFirstShare: number;
  readonly probabilityMean: number;
  readonly informationBitsMean: number;
  /** Change of that by the other half, in standard errors of simulation alone; null without such an error. */
  readonly changeInErrors: number | null;
}

/** Figures of a whole file, whatever found them; shares and means are over records. */
export interface FileRisk {
  readonly truthRankedFirst: number;
  readonly truthRankedFirstShare: number;
  /** What guessing at random among a record's candidates gives, for that share and for the probability of the truth. */
  readonly randomGuessingShare: number;
  /** The truth's prior probability, and how often a first guess by the prior alone is right: means over records. */
  readonly priorProbabilityMean: number;
  readonly priorFirstShare: number;
  readonly truthRankMedian: number;
  readonly probabilityMean: number;
  readonly probabilityMax: number;
  readonly informationBitsMean: number;
  readonly informationBitsMax: number;
  readonly distinguishableShare: number;
  /** Records whose rank lies in (index, index + 1] times the width. */
  readonly rankHistogram: readonly number[];
  /** Ranks of an element of the histogram: 1 unless there are more candidates than 1,000. */
  readonly rankHistogramWidth: number;
}

/** What is known of a file's figures where they are simulated: their errors, and of the draws. */
export interface SimulatedFigures {
  readonly truthRankedFirstShareSe: number;
  readonly probabilityMeanSe: number;
  readonly informationBitsMeanSe: number;
  /** Median, 99 % quantile and largest privacy loss over records, with errors; null where candidates are not listed. */
  readonly privacyLossMedian: number | null;
  readonly privacyLossMedianSe: number | null;
  readonly privacyLoss99: number | null;
  readonly privacyLoss99Se: number | null;
  readonly privacyLossMax: number | null;
  readonly privacyLossMaxSe: number | null;
  /** Of the probability of the truth, and of its rank; see {@link expectedAgreement}. */
  readonly reproducibility: number | null;
  readonly rankReproducibility: number | null;
  /** What paired chains of half their length find; null where none are paired. */
  readonly halfLength: HalfLengthFigures | null;
  readonly effectiveDrawsMin: number;
  /** Largest Pareto k; null where no combination has one. */
  readonly paretoKMax: number | null;
  /** Share of records whose Pareto k is above the threshold. */
  readonly heavyTailShare: number;
}

/** True when a rank's interval is narrower than half of the candidates (docs/explanation/estimators.md). */
export function isDistinguishable(rankLow: number, rankHigh: number, candidates: number): boolean {
  return rankHigh - rankLow < candidates / 2;
}

/**
 * What halves of the chains stand for: evaluations with `all` chains, to which their deviations are brought, or with the
 * `half` that they are.
 */
export type HalvesStandFor = 'all' | 'half';

/**
 * Spearman correlation over combinations between the halves of each split; null where a figure does not vary.
 *
 * @param halves the probability or the rank of the truth from both halves of one split after the other
 */
export async function halfAgreement(halves: Columns): Promise<(number | null)[]> {
  const correlations: (number | null)[] = [];
  for await (const [one, other] of pairsOf(halves)) correlations.push(rankCorrelation(one, other));
  return correlations;
}

/** Both halves of one split after the other. */
async function* pairsOf(halves: Columns): AsyncGenerator<readonly [Float64Array, Float64Array]> {
  let first: Float64Array | null = null;
  for await (const column of halves) {
    if (first) yield [first, column];
    first = first ? null : column;
  }
}

/**
 * Spearman correlation over combinations expected between two independent evaluations: the correlation
 * between halves of the chains, averaged over splits, and, of halves that stand for themselves, stepped up to full length
 * (Spearman-Brown, 2r / (1 + r)). Null when the figure does not vary, or the halves do not agree at all (r <= -1).
 *
 * @param correlations of the splits, as {@link halfAgreement} finds them; of those of all chains alone where only these are meant
 * @param anew which chains the second evaluation would run anew: all, or the base chains alone
 */
export function expectedAgreement(
  correlations: readonly (number | null)[],
  standFor: HalvesStandFor,
  anew: 'all' | 'base' = 'all',
): number | null {
  const [from, to] = anew === 'all' ? [0, WHOLE_SPLITS] : [WHOLE_SPLITS, HALF_SPLITS];
  let sum = 0;
  for (let split = from; split < to; split++) {
    const correlation = correlations[split]!;
    if (correlation === null) return null;
    sum += correlation;
  }
  const half = sum / (to - from);
  if (standFor === 'all') return half;
  return half > -1 ? (2 * half) / (1 + half) : null;
}

/** Figures of rows from halves of the chains. */
export type HalfFigure = 'halfRanks' | 'halfProbabilities' | 'halfLosses';

/** What the figures of a file are found from. */
export interface FileRows extends RiskFigures, Pick<AttributeRisk, 'recordSums'> {
  /** Both halves of one split of all chains after the other. */
  readonly halves: (figure: HalfFigure) => Columns;
  /** `WITHOUT_FIGURES` of one dataset that is left out after the other; none where that is not known. */
  readonly without: () => Columns;
}

/** Records in all. */
export function recordsOf(counts: ArrayLike<number>): number {
  let records = 0;
  for (let row = 0; row < counts.length; row++) records += counts[row]!;
  return records;
}

/** The median of values over records, of which each stands for so many. */
export function weightedMedian(values: Float64Array, counts: ArrayLike<number>): number {
  const order = sortedOrder(values);
  const total = recordsOf(counts);
  let below = 0;
  for (const [position, i] of order.entries()) {
    below += counts[i]!;
    // With half of the records exactly below, the median lies midway to the next value.
    if (2 * below === total) return (values[i]! + values[order[position + 1]!]!) / 2;
    if (2 * below > total) return values[i]!;
  }
  throw new RangeError('no records');
}

const weightedMean = (values: Float64Array, counts: ArrayLike<number>) => {
  let sum = 0;
  let total = 0;
  for (const [i, value] of values.entries()) {
    sum += counts[i]! * value;
    total += counts[i]!;
  }
  return Math.min(1, sum / total);
};

/** The least value that at least this share of the records does not exceed. */
export function weightedQuantile(values: Float64Array, counts: ArrayLike<number>, share: number): number {
  const order = sortedOrder(values);
  const total = recordsOf(counts);
  let below = 0;
  for (const i of order) {
    below += counts[i]!;
    if (below >= share * total) return values[i]!;
  }
  throw new RangeError('no records');
}

/**
 * Privacy loss over records. Its errors are of halves of the chains, whose deviations from the estimate stand for those of
 * evaluations with all chains (`HALF_SHRINK`): the root mean square, over splits, of what the two halves differ by, divided
 * by the root of two.
 */
async function lossFigures(losses: Float64Array, halves: () => Columns, counts: ArrayLike<number>) {
  const figures = [
    (values: Float64Array) => weightedMedian(values, counts),
    (values: Float64Array) => weightedQuantile(values, counts, 0.99),
    largest,
  ];
  const none = { privacyLossMedian: null, privacyLoss99: null, privacyLossMax: null };
  if (losses.some(Number.isNaN)) return { ...none, privacyLossMedianSe: null, privacyLoss99Se: null, privacyLossMaxSe: null };
  const squares = figures.map(() => 0);
  for await (const [one, other] of pairsOf(halves())) {
    for (const [f, figure] of figures.entries()) {
      const difference = figure(one) - figure(other);
      squares[f]! += (difference * difference) / 2;
    }
  }
  const [privacyLossMedian, privacyLoss99, privacyLossMax] = figures.map((figure) => figure(losses));
  const [privacyLossMedianSe, privacyLoss99Se, privacyLossMaxSe] = squares.map((sum) => Math.sqrt(sum / WHOLE_SPLITS));
  return {
    privacyLossMedian: privacyLossMedian!,
    privacyLossMedianSe: privacyLossMedianSe!,
    privacyLoss99: privacyLoss99!,
    privacyLoss99Se: privacyLoss99Se!,
    privacyLossMax: privacyLossMax!,
    privacyLossMaxSe: privacyLossMaxSe!,
  };
}

const largest = (values: Float64Array | Uint32Array) => {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
};

/**
 * Figures of the whole file.
 *
 * @param counts records of every row
 * @param candidates of every row, or of each
 */
export function summarizeAttributeRisk(
  { rank, rankLow, rankHigh, probability, informationBits, priorProbability, priorFirst }: RiskFigures,
  counts: ArrayLike<number>,
  candidates: number | Uint32Array,
): FileRisk {
  const candidatesOf = (i: number) => (typeof candidates === 'number' ? candidates : candidates[i]!);
  const most = typeof candidates === 'number' ? candidates : largest(candidates);
  const rankHistogramWidth = Math.ceil(most / MOST_RANK_BINS);
  const rankHistogram = new Array<number>(Math.ceil(most / rankHistogramWidth)).fill(0);
  let records = 0;
  let first = 0;
  let guessed = 0;
  let probabilitySum = 0;
  let bitsSum = 0;
  let distinguishable = 0;
  for (let i = 0; i < rank.length; i++) {
    const count = counts[i]!;
    records += count;
    if (rank[i] === 1) first += count;
    guessed += count / candidatesOf(i);
    probabilitySum += count * probability[i]!;
    bitsSum += count * informationBits[i]!;
    rankHistogram[Math.ceil(rank[i]! / rankHistogramWidth) - 1]! += count;
    if (isDistinguishable(rankLow[i]!, rankHigh[i]!, candidatesOf(i))) distinguishable += count;
  }
  return {
    truthRankedFirst: first,
    truthRankedFirstShare: first / records,
    randomGuessingShare: guessed / records,
    priorProbabilityMean: weightedMean(priorProbability, counts),
    priorFirstShare: weightedMean(priorFirst, counts),
    truthRankMedian: weightedMedian(rank, counts),
    probabilityMean: probabilitySum / records,
    probabilityMax: largest(probability),
    informationBitsMean: bitsSum / records,
    informationBitsMax: largest(informationBits),
    distinguishableShare: distinguishable / records,
    rankHistogram,
    rankHistogramWidth,
  };
}

/**
 * What is known of the figures of a file where they are simulated.
 *
 * @param counts records of every row
 * @param file the figures
 * @param paretoKThreshold above which a tail is too heavy
 * @param halvesStandFor see {@link expectedAgreement}
 */
export async function simulatedFigures(
  risk: FileRows,
  counts: ArrayLike<number>,
  file: FileRisk,
  paretoKThreshold: number,
  halvesStandFor: HalvesStandFor,
): Promise<SimulatedFigures> {
  const means = [file.truthRankedFirstShare, file.probabilityMean, file.informationBitsMean];
  let records = 0;
  let paretoKMax: number | null = null;
  let heavyTails = 0;
  for (const [i, k] of risk.paretoK.entries()) {
    records += counts[i]!;
    if (!Number.isNaN(k)) paretoKMax = Math.max(paretoKMax ?? k, k);
    if (k > paretoKThreshold) heavyTails += counts[i]!;
  }
  const simulation = recordSumErrors(risk).map((error) => error / records);
  const half = halfLengthMeans(risk, counts);
  const [first, probability, bits] = simulation.map((error, s) =>
    half === null ? error : Math.max(error, Math.abs(means[s]! - half[s]!)),
  );
  const agreementOf = async (figure: HalfFigure) => expectedAgreement(await halfAgreement(risk.halves(figure)), halvesStandFor);
  return {
    truthRankedFirstShareSe: first!,
    probabilityMeanSe: probability!,
    informationBitsMeanSe: bits!,
    ...(await lossFigures(risk.privacyLoss, () => risk.halves('halfLosses'), counts)),
    reproducibility: await agreementOf('halfProbabilities'),
    rankReproducibility: await agreementOf('halfRanks'),
    halfLength: half && {
      truthRankedFirstShare: half[0]!,
      probabilityMean: half[1]!,
      informationBitsMean: half[2]!,
      changeInErrors: simulation[2]! > 0 ? Math.abs(means[2]! - half[2]!) / simulation[2]! : null,
    },
    effectiveDrawsMin: risk.effectiveDraws.reduce((low, value) => Math.min(low, value), Infinity),
    paretoKMax,
    heavyTailShare: heavyTails / records,
  };
}

/** Share of truths ranked first, and means of probability and information, over records; null where there are none. */
function halfLengthMeans(
  { halfLengthRank: rank, halfLengthProbability, halfLengthInformationBits }: RiskFigures,
  counts: ArrayLike<number>,
): number[] | null {
  const sums = [0, 0, 0];
  let records = 0;
  for (let i = 0; i < rank.length; i++) {
    if (Number.isNaN(rank[i]!)) return null;
    records += counts[i]!;
    sums[0]! += rank[i] === 1 ? counts[i]! : 0;
    sums[1]! += counts[i]! * halfLengthProbability[i]!;
    sums[2]! += counts[i]! * halfLengthInformationBits[i]!;
  }
  return sums.map((sum) => sum / records);
}

/** Standard deviation over resamples of each sum over records. */
function recordSumErrors({ recordSums }: Pick<AttributeRisk, 'recordSums'>): number[] {
  const resamples = recordSums.length / RECORD_SUMS.length - 1;
  return RECORD_SUMS.map((_, s) =>
    standardDeviation(Float64Array.from({ length: resamples }, (_, b) => recordSums[(b + 1) * RECORD_SUMS.length + s]!)),
  );
}
