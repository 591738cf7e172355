import { createDpmpm, type Dpmpm, type DpmpmSettings, type DpmpmState } from '../../shared/model/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm-synthesis.ts';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import {
  type SampledChain,
  type Schedule,
  sampleChain,
  stateOfDraw,
} from '../../shared/pipeline/sample-chain.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import {
  augmentedTerms,
  effectiveWeights,
  importanceTerms,
  parametersTerms,
  type ScoredChains,
} from '../../shared/risk/attribute-estimators.ts';
import { type AttributeRisk, attributeRisk } from '../../shared/risk/attribute-risk.ts';
import { type CandidateSpace, candidateSpace } from '../../shared/risk/candidate-space.ts';
import { type ExpectationTerm, evaluateTerms } from '../../shared/risk/expectation.ts';
import { createRatioScorer } from '../../shared/risk/likelihood-ratio.ts';
import { ratioMeans, weightedRatioMeans } from '../../shared/risk/ratio-means.ts';
import {
  type Combinations,
  combinationsFromCodes,
  stackCombinations,
} from '../../shared/table/combinations.ts';

/** A table with its synthetic datasets, and how to estimate their risk. */
export interface Evaluation {
  /** records x variables. */
  readonly codes: Uint16Array;
  readonly sizes: readonly number[];
  readonly datasets: readonly Uint16Array[];
  readonly model: DpmpmSettings;
  readonly seed: number;
  readonly base: Schedule & { readonly chains: number };
  readonly paired: Schedule & { readonly chains: number };
  /** The draw that generated each dataset; absent for datasets made elsewhere. */
  readonly generating?: readonly DpmpmState[];
}

/** The risk by one estimator, and what it was computed from. */
export interface Evaluated {
  readonly space: CandidateSpace;
  readonly combinations: Combinations;
  readonly risk: AttributeRisk;
  /** log P(Z | D_i^x) of a combination, EVALUATIONS x candidates. */
  readonly evaluate: (combination: number) => Float64Array;
}

/** Runs all chains of an estimator in memory and assesses every combination of the table. */
export function evaluateInMemory(
  evaluation: Evaluation,
  estimator: 'augmented' | 'parameters' | 'importance',
): Evaluated {
  const { codes, sizes, datasets, model: settings, seed, base, paired, generating } = evaluation;
  const variables = sizes.length;
  const combine = (rows: Uint16Array) =>
    combinationsFromCodes(rows, rows.length / variables, variables).combinations;
  const table = combine(codes);
  const tableModel = createDpmpm(table, sizes, settings);
  const space = candidateSpace('one-change', sizes.map(String), sizes);
  const scorer = createRatioScorer(space, table.codes);
  const length = table.count * space.perCombination;

  const sample = (model: Dpmpm, name: string, schedule: Schedule, start?: DpmpmState) => {
    const random = new RandomStream(seed, name);
    return sampleChain(model, start ?? model.init(random), random, schedule, name);
  };
  const chains = (count: number, run: (c: number) => SampledChain) =>
    Array.from({ length: count }, (_, c) => run(c + 1));
  const score = (name: string, sampled: readonly SampledChain[]): ScoredChains => ({
    name,
    drawsPerChain: sampled[0]!.draws.draws,
    chains: sampled.map(({ draws }) => ratioMeans(scorer, draws, length)),
  });

  const sampledBase = chains(base.chains, (c) => sample(tableModel, `base/${c}`, base));
  const scoredBase = score('base', sampledBase);
  const aloneFrom = (l: number) =>
    score(
      `alone/${l}`,
      chains(paired.chains, (c) => sample(tableModel, `alone/${l}/${c}`, paired, generating![l])),
    );

  let terms: ExpectationTerm[];
  let effectiveDraws: number | undefined;
  if (estimator === 'augmented') {
    const pairs = datasets.map((dataset, l) => {
      const stackedModel = createDpmpm(stackCombinations(table, combine(dataset)), sizes, settings);
      if (generating) {
        const stacked = chains(paired.chains, (c) =>
          sample(stackedModel, `stacked/${l}/${c}`, paired, generating[l]),
        );
        return { stacked: score(`stacked/${l}`, stacked), table: aloneFrom(l), chainByChain: false };
      }
      const fresh = chains(paired.chains, (c) =>
        sample(stackedModel, `stacked/${l}/${c}`, { ...paired, burnIn: base.burnIn }),
      );
      const alone = fresh.map(({ last }, c) => sample(tableModel, `alone/${l}/${c + 1}`, paired, last));
      return { stacked: score(`pair/${l}`, fresh), table: score(`pair/${l}`, alone), chainByChain: true };
    });
    terms = augmentedTerms(scoredBase, pairs);
  } else if (estimator === 'parameters') {
    const exact = generating!.map(({ weights, probabilities }) => {
      const ratios = new Float64Array(length);
      scorer(weights, probabilities, ratios);
      return ratios;
    });
    terms = parametersTerms(
      scoredBase,
      exact,
      datasets.map((_, l) => aloneFrom(l)),
    );
  } else {
    const models = datasets.map((dataset) => createDpmpm(combine(dataset), sizes, settings));
    const logWeights = models.map((model) =>
      sampledBase.map(({ draws }) =>
        Float64Array.from({ length: draws.draws }, (_, d) => model.logLikelihood(stateOfDraw(draws, d))),
      ),
    );
    const weighted = sampledBase.map(({ draws }, c) =>
      weightedRatioMeans(
        scorer,
        draws,
        length,
        logWeights.map((ofChains) => ofChains[c]!),
      ),
    );
    terms = importanceTerms(
      scoredBase,
      datasets.map((_, l) => weighted.map((ofDatasets) => ofDatasets[l]!)),
      logWeights.map((ofChains) => Float64Array.from(ofChains, (values) => logSumExp(values))),
    );
    effectiveDraws = Math.min(
      ...logWeights.map((ofChains) =>
        effectiveWeights(Float64Array.from(ofChains.flatMap((values) => [...values]))),
      ),
    );
  }
  return {
    space,
    combinations: table,
    risk: attributeRisk(terms, table.counts, space.perCombination, seed, 1, effectiveDraws),
    evaluate: evaluateTerms(terms, seed, space.perCombination),
  };
}

/** Datasets of as many records as the table, each from one draw of a chain of its own. */
export function release(
  codes: Uint16Array,
  sizes: readonly number[],
  model: DpmpmSettings,
  datasets: number,
  burnIn: number,
  seed: number,
): { datasets: Uint16Array[]; generating: DpmpmState[] } {
  const records = codes.length / sizes.length;
  const { combinations } = combinationsFromCodes(codes, records, sizes.length);
  const bound = createDpmpm(combinations, sizes, model);
  const generating = Array.from({ length: datasets }, (_, l) => {
    const random = new RandomStream(seed, `synthesis/${l + 1}`);
    const schedule = { burnIn, draws: 1, thin: 1 };
    return sampleChain(bound, bound.init(random), random, schedule, `synthesis/${l + 1}`).last;
  });
  return {
    generating,
    datasets: generating.map((state, l) =>
      synthesizeRecords(state, sizes, records, new RandomStream(seed, `dataset/${l + 1}`)),
    ),
  };
}

/** The record in which each combination of a table first appears. */
export function firstRecords(codes: Uint16Array, variables: number): Uint32Array {
  const { combinations, combinationOfRecord } = combinationsFromCodes(
    codes,
    codes.length / variables,
    variables,
  );
  return Uint32Array.from({ length: combinations.count }, (_, c) => combinationOfRecord.indexOf(c));
}
