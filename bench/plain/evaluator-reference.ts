import { EVALUATIONS, HALF_SPLITS, RESAMPLES } from '../../shared/risk/attribute/chain-evaluations.ts';
import type { EvaluationRequest, Evaluator } from '../../shared/risk/attribute/evaluator.ts';
import {
  datasetContributions,
  datasetsOf,
  type ExpectationTerm,
  evaluateTerms,
  groupTerms,
  halfLengthEstimates,
  priorTerm,
} from '../../shared/risk/attribute/expectation.ts';
import { truthOf } from '../../shared/risk/attribute/posterior.ts';
import { TIE_RESAMPLES, VALUE_FIGURES, WITHOUT_DATASETS, weighSet } from '../../shared/risk/attribute/value-figures.ts';
import { weighCells } from '../../shared/risk/continuous/continuous-figures.ts';
import type { RowValueSets } from '../../shared/risk/intruder/value-sets.ts';
import { UNIFORM } from '../../shared/risk/prior/row-priors.ts';
import { valueTolerances } from './tie-tolerances.ts';

/**
 * The program of kernels/evaluator/evaluator.ts in plain TypeScript, to read and to test against: see `createEvaluator`.
 *
 * @throws RangeError as `createEvaluator` does
 */
export function createReferenceEvaluator(request: EvaluationRequest): Evaluator {
  const { terms, streams, candidates, ranked = candidates, slope, considered, sets: weighed, priors: rowPriors = UNIFORM } = request;
  /** How many of a combination's candidates are ranked. */
  const rankedOf = (own: Uint32Array) => own.filter((x) => x < ranked).length;
  /** Evaluates terms for a combination as if it were the only one, and had those candidates alone. */
  const evaluateSome = (some: readonly ExpectationTerm[], combination: number, own: ArrayLike<number>) => {
    const cut = some.map((term) => ({
      ...term,
      means: term.means.map((means) => Float64Array.from(own, (x) => means[combination * candidates + x]!)),
    }));
    const alone = weighed || rowPriors.source === 'model' ? priorTerm(cut) : undefined;
    return evaluateTerms(cut, streams, own.length, EVALUATIONS, alone)(0);
  };
  const every: Uint32Array = Uint32Array.from({ length: candidates }, (_, x) => x);
  /** The value sets of a combination in every evaluation. */
  const weigh = ({ of, count: sets, continuous }: RowValueSets, combination: number, values: Float64Array) => {
    const own = considered?.[combination] ?? every;
    const count = own.length;
    const prior = priorTerm(terms);
    const priors = evaluateSome([{ ...prior, coefficient: 1 }], combination, own);
    const first = rankedOf(own);
    const modelPrior = rowPriors.source === 'model' ? priors.slice(0, first) : null;
    const half = halfLengthEstimates(terms, combination, candidates, own, slope);
    const leftOut = datasetContributions(groupTerms(terms, streams, prior), combination, candidates, priors.subarray(0, count), own).map(
      (part) => ({ prior: priors.subarray(0, count), estimates: part.map((value, x) => values[x]! - slope * value) }),
    );
    const halfLength = { prior: priors.subarray(0, count), estimates: half ?? values.subarray(0, count) };
    const drawn = Array.from({ length: 1 + RESAMPLES }, (_, b) => ({
      prior: priors.subarray(b * count, (b + 1) * count),
      estimates: values.subarray(b * count, (b + 1) * count),
    }));
    const figures = new Float64Array((WITHOUT_DATASETS + datasetsOf(terms).length) * sets * VALUE_FIGURES.length);
    const halves = Array.from({ length: ranked === 1 && continuous?.sets ? 2 * HALF_SPLITS : 0 }, (_, h) => {
      const [from, to] = [(1 + RESAMPLES + h) * count, (2 + RESAMPLES + h) * count];
      return { prior: priors.subarray(from, to), estimates: values.subarray(from, to) };
    });
    const halfFigures = new Float64Array(halves.length * sets * VALUE_FIGURES.length);
    const guesses = new Uint32Array(2 * sets);
    for (const [s, set] of of(combination).entries()) {
      if (set.candidates.length === 0) continue;
      if (set.scale) {
        for (const [b, { prior: before, estimates }] of [...drawn, halfLength, ...leftOut].entries()) {
          figures.set(weighCells(set, before, estimates), (b * sets + s) * VALUE_FIGURES.length);
        }
        for (const [h, { prior: before, estimates }] of halves.entries()) {
          halfFigures.set(weighCells(set, before, estimates), (h * sets + s) * VALUE_FIGURES.length);
        }
        continue;
      }
      const tolerances = valueTolerances(
        set,
        drawn.slice(0, 1 + TIE_RESAMPLES).map(({ prior: before }) => before),
      );
      for (const [b, { prior: before, estimates }] of [...drawn, halfLength, ...leftOut].entries()) {
        const found = weighSet(set, before, estimates, tolerances);
        figures.set(found.figures, (b * sets + s) * VALUE_FIGURES.length);
        if (b === 0) guesses.set(found.guesses, 2 * s);
      }
    }
    const withoutDatasets = leftOut.map(({ estimates }) =>
      truthOf(estimates.subarray(0, first), rowPriors.source === 'given' ? rowPriors.of(combination) : modelPrior),
    );
    return { figures, halfFigures, guesses, withoutDatasets };
  };
  const result = {
    ranks: new Float64Array(EVALUATIONS),
    probabilities: new Float64Array(EVALUATIONS),
    informationBits: new Float64Array(EVALUATIONS),
    logBayesFactors: new Float64Array(EVALUATIONS),
    losses: new Float64Array(EVALUATIONS),
  };
  return (combination) => {
    const own = considered?.[combination] ?? every;
    const values = evaluateSome(terms, combination, own);
    const count = own.length;
    for (let i = 0; i < values.length; i++) {
      values[i]! *= slope;
      if (!(Math.abs(values[i]!) < Infinity)) {
        throw new RangeError(`combination ${combination} has no finite estimate`);
      }
    }
    const modelPriors = rowPriors.source === 'model' ? evaluateSome([{ ...priorTerm(terms), coefficient: 1 }], combination, own) : null;
    const given = rowPriors.source === 'given' ? rowPriors.of(combination) : null;
    const first = rankedOf(own);
    const priorOf = (b: number) => modelPriors?.slice(b * count, b * count + first) ?? given;
    for (let b = 0; b < EVALUATIONS; b++) {
      const truth = truthOf(values.slice(b * count, b * count + first), priorOf(b));
      result.ranks[b] = truth.rank;
      result.probabilities[b] = truth.probability;
      result.informationBits[b] = truth.informationBits;
      result.logBayesFactors[b] = truth.logBayesFactor;
      result.losses[b] = truth.loss;
    }
    const weighedSets = weighed
      ? weigh(weighed, combination, values)
      : { figures: new Float64Array(0), halfFigures: new Float64Array(0), guesses: new Uint32Array(0), withoutDatasets: [] };
    const half = halfLengthEstimates(terms, combination, candidates, own, slope);
    return {
      ...result,
      ...weighedSets,
      halfLength: half && truthOf(half.subarray(0, first), priorOf(0)),
      logPrior: priorOf(0),
      estimates: values.slice(0, first),
      allEstimates: values.slice(0, count),
      allPriors:
        weighed || rowPriors.source === 'model'
          ? evaluateSome([{ ...priorTerm(terms), coefficient: 1 }], combination, own).slice(0, count)
          : new Float64Array(count),
    };
  };
}
