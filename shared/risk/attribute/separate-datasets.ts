import { grained } from '../../numeric/grained.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import { type AttributeRiskRequest, RECORD_SUMS } from './attribute-risk.ts';
import { RESAMPLES } from './chain-evaluations.ts';
import { createEvaluator } from './evaluator.ts';
import type { ExpectationTerm } from './expectation.ts';

/** Sums of a set of datasets: the estimate's and those of its resamples, RECORD_SUMS each. */
const SUMS = (1 + RESAMPLES) * RECORD_SUMS.length;

/** The terms of some datasets (from 1), each counted in full, beside that of none, which counts once for each of them. */
function termsOf(terms: readonly ExpectationTerm[], datasets: readonly number[]): ExpectationTerm[] {
  return terms
    .filter(({ dataset }) => dataset === undefined || datasets.includes(dataset))
    .map((term) => ({ ...term, coefficient: term.dataset === undefined ? -datasets.length : 1 }));
}

/**
 * What each dataset tells by itself to an intruder who knows less, summed over the records of a batch, what that of them
 * tells that gives each record's truth the largest probability, and what the product of their likelihoods would tell:
 * (datasets + 2) x (1 + RESAMPLES) x RECORD_SUMS.
 *
 * @param terms as `separateTerms` has them
 */
export function separateDatasets(request: AttributeRiskRequest): Float64Array {
  const { terms, counts, candidates, ranked, considered, streams, slope } = request;
  const datasets = [...new Set(terms.flatMap(({ dataset }) => dataset ?? []))];
  const evaluator = (some: readonly number[]) =>
    createEvaluator({ terms: termsOf(terms, some), streams, candidates, ranked, slope, considered });
  const evaluators = datasets.map((dataset) => evaluator([dataset]));
  const together = evaluator(datasets);
  const sums = new Float64Array((datasets.length + 2) * SUMS);
  for (let row = 0; row < counts.length; row++) {
    const count = counts[row]!;
    const byDataset = evaluators.map((evaluate) => evaluate(row));
    const product = together(row);
    for (let b = 0; b <= RESAMPLES; b++) {
      const largest = byDataset.reduce((most, one) => (one.probabilities[b]! > most.probabilities[b]! ? one : most));
      for (const [l, { ranks, probabilities, informationBits }] of [...byDataset, largest, product].entries()) {
        const at = l * SUMS + b * RECORD_SUMS.length;
        sums[at]! += ranks[b] === 1 ? count : 0;
        sums[at + 1]! += grained(count * probabilities[b]!);
        sums[at + 2]! += grained(count * informationBits[b]!);
      }
    }
  }
  return sums;
}

/** Figures over records of one dataset by itself, with standard errors of simulation. */
export interface SeparateFigures {
  readonly truthRankedFirstShare: number;
  readonly truthRankedFirstShareSe: number;
  readonly probabilityMean: number;
  readonly probabilityMeanSe: number;
  readonly informationBitsMean: number;
  readonly informationBitsMeanSe: number;
}

/**
 * Means over records from the sums of all batches.
 *
 * @returns each dataset's, in order, those of each record's largest, and those of the product
 */
export function separateFigures(
  sums: Float64Array,
  records: number,
): { readonly datasets: readonly SeparateFigures[]; readonly largest: SeparateFigures; readonly product: SeparateFigures } {
  const figures = Array.from({ length: sums.length / SUMS }, (_, l): SeparateFigures => {
    const sumsOfDataset = sums.subarray(l * SUMS, (l + 1) * SUMS);
    const mean = (s: number) => sumsOfDataset[s]! / records;
    const error = (s: number) =>
      standardDeviation(Float64Array.from({ length: RESAMPLES }, (_, b) => sumsOfDataset[(b + 1) * RECORD_SUMS.length + s]! / records));
    return {
      truthRankedFirstShare: mean(0),
      truthRankedFirstShareSe: error(0),
      probabilityMean: mean(1),
      probabilityMeanSe: error(1),
      informationBitsMean: mean(2),
      informationBitsMeanSe: error(2),
    };
  });
  return { datasets: figures.slice(0, -2), largest: figures.at(-2)!, product: figures.at(-1)! };
}
