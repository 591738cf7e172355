import type { ChainSampler, ChainState } from '../../shared/model/chains/chain-sampler.ts';
import {
  type SampledChain,
  type Schedule,
  sampleChain,
  stateOfDraw,
} from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm, type DpmpmSettings } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { synthesizeFromOwnClass } from '../../shared/model/dpmpm/own-class-synthesis.ts';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import {
  augmentedTerms,
  effectiveWeights,
  exactChain,
  expectationTerm,
  importanceTerms,
  parametersTerms,
  type ScoredChains,
} from '../../shared/risk/attribute/attribute-estimators.ts';
import { attributeRisk, type ListedRisk } from '../../shared/risk/attribute/attribute-risk.ts';
import { type ExpectationTerm, evaluateTerms } from '../../shared/risk/attribute/expectation.ts';
import { type CandidateSpace, candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { considerCandidates } from '../../shared/risk/intruder/considered-candidates.ts';
import { rowValueSets } from '../../shared/risk/intruder/value-sets.ts';
import { createRatioScorer } from '../../shared/risk/scoring/likelihood-ratio.ts';
import { ratioMeans, weightedRatioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import type { AveragingScorer } from '../../shared/risk/scoring/ratio-scorer.ts';
import { createRecordScorer } from '../../shared/risk/scoring/record-scorer.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { combinationsFromCodes, stackCombinations } from '../../shared/table/distinct-rows.ts';
import type { Support } from '../../shared/table/support/support.ts';
import { besideEachOther } from './exact-posterior.ts';

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
  /**
   * Variables that were synthesized from each record's own class, if not all were from classes drawn anew. The
   * datasets are then of these alone, records x synthesized, and their values are the candidates.
   */
  readonly synthesized?: readonly number[];
  /** The possible cells, when some are not. */
  readonly support?: Support;
  /** The draw that generated each dataset; absent for datasets made elsewhere. */
  readonly generating?: readonly ChainState[];
}

/** The risk by one estimator, and what it was computed from. */
export interface Evaluated {
  readonly space: CandidateSpace;
  readonly combinations: Combinations;
  /** One entry a combination; one a record where datasets are of synthesized variables alone. */
  readonly risk: ListedRisk;
  /** log P(Z | D_i^x) of a combination or record, EVALUATIONS x candidates. */
  readonly evaluate: (combination: number) => Float64Array;
}

/** What is scored and fitted for a dataset: rows of the table with what belongs to them. */
interface DatasetSide {
  readonly scorer: AveragingScorer;
  /** The table with the dataset. */
  readonly stacked: ChainSampler;
  /** log P(Z(l) | Theta) of a draw whose log-likelihood of the table is known. */
  readonly logWeight: (state: ChainState, logLikelihoodOfTable: number) => number;
}

/** Runs all chains of an estimator in memory and assesses every combination, or record, of the table. */
export function evaluateInMemory(
  evaluation: Evaluation,
  estimator: 'augmented' | 'parameters' | 'importance',
): Evaluated {
  const {
    codes,
    sizes,
    datasets,
    model: settings,
    seed,
    base,
    paired,
    generating,
    synthesized,
    support,
  } = evaluation;
  const variables = sizes.length;
  const combine = (rows: Uint16Array) =>
    combinationsFromCodes(rows, rows.length / variables, variables).combinations;
  const table = combine(codes);
  const tableModel = createDpmpm(table, sizes, settings, undefined, support);
  const space = candidateSpace(
    synthesized ? { unknown: synthesized.map(String) } : 'one-change',
    [...sizes.keys()].map(String),
    sizes,
  );
  const counts = synthesized ? new Uint32Array(codes.length / variables).fill(1) : table.counts;
  const scorer = createRatioScorer(space, synthesized ? codes : table.codes);
  const length = counts.length * space.perCombination;
  const sides = datasets.map((dataset): DatasetSide => {
    if (!synthesized) {
      const alone = createDpmpm(combine(dataset), sizes, settings, undefined, support);
      return {
        scorer,
        stacked: createDpmpm(stackCombinations(table, combine(dataset)), sizes, settings, undefined, support),
        logWeight: (state) => alone.logLikelihood(state),
      };
    }
    const columns = [...sizes.keys(), ...synthesized];
    const rows = besideEachOther(codes, variables, dataset, synthesized.length);
    const { combinations } = combinationsFromCodes(rows, counts.length, columns.length);
    const stacked = createDpmpm(combinations, sizes, settings, columns);
    return {
      scorer: createRecordScorer(space, rows, columns),
      stacked,
      logWeight: (state, ofTable) => stacked.logLikelihood(state) - ofTable,
    };
  });

  const sample = (model: ChainSampler, name: string, schedule: Schedule, start?: ChainState) => {
    const random = new RandomStream(seed, name);
    return sampleChain(model, start ?? model.init(random), random, schedule, name);
  };
  const chains = (count: number, run: (c: number) => SampledChain) =>
    Array.from({ length: count }, (_, c) => run(c + 1));
  const score = (name: string, sampled: readonly SampledChain[], own = scorer): ScoredChains => ({
    name,
    ...(name === 'base' ? {} : { dataset: Number(name.split('/')[1]) }),
    drawsPerChain: sampled[0]!.draws.draws,
    chains: sampled.map(({ draws }) => ratioMeans(own, draws, length)),
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
    const pairs = sides.map(({ stacked: stackedModel, scorer: own }, l) => {
      if (generating) {
        const stacked = chains(paired.chains, (c) =>
          sample(stackedModel, `stacked/${l}/${c}`, paired, generating[l]),
        );
        return { stacked: score(`stacked/${l}`, stacked, own), table: aloneFrom(l), chainByChain: false };
      }
      const fresh = chains(paired.chains, (c) =>
        sample(stackedModel, `stacked/${l}/${c}`, { ...paired, burnIn: base.burnIn }),
      );
      const alone = fresh.map(({ last }, c) => sample(tableModel, `alone/${l}/${c + 1}`, paired, last));
      return {
        stacked: score(`pair/${l}`, fresh, own),
        table: score(`pair/${l}`, alone),
        chainByChain: true,
      };
    });
    terms = augmentedTerms(scoredBase, pairs).map(expectationTerm);
  } else if (estimator === 'parameters') {
    const exact = generating!.map(({ weights, probabilities }, l) => {
      const ratios = new Float64Array(length);
      sides[l]!.scorer(weights, probabilities, ratios);
      return exactChain(`generating/${l + 1}`, ratios, l + 1);
    });
    terms = parametersTerms(
      scoredBase,
      exact,
      datasets.map((_, l) => aloneFrom(l)),
    ).map(expectationTerm);
  } else {
    const logWeights = sides.map(({ logWeight }) =>
      sampledBase.map(({ draws }) =>
        draws.logLikelihood.map((ofTable, d) => logWeight(stateOfDraw(draws, d), ofTable)),
      ),
    );
    terms = importanceTerms(
      scoredBase,
      sides.map(({ scorer: own }, l) =>
        sampledBase.map(({ draws }, c) => weightedRatioMeans(own, draws, length, [logWeights[l]![c]!])[0]!),
      ),
      logWeights.map((ofChains) => Float64Array.from(ofChains, (values) => logSumExp(values))),
    );
    effectiveDraws = Math.min(
      ...logWeights.map((ofChains) =>
        effectiveWeights(Float64Array.from(ofChains.flatMap((values) => [...values]))),
      ),
    );
  }
  const considered = synthesized ? undefined : considerCandidates(space, table.codes, support);
  return {
    space,
    combinations: table,
    risk: attributeRisk({
      terms,
      counts,
      candidates: space.perCombination,
      considered,
      sets: rowValueSets(space, synthesized ? codes : table.codes, considered),
      streams: seededStreams(seed),
      slope: 1,
      effectiveDraws,
    }),
    evaluate: evaluateTerms(terms, seededStreams(seed), space.perCombination),
  };
}

/**
 * Datasets of as many records as the table, each from one draw of a chain of its own.
 *
 * @param synthesized variables that are drawn from each record's own class: the datasets are of these alone
 */
export function release(
  codes: Uint16Array,
  sizes: readonly number[],
  model: DpmpmSettings,
  datasets: number,
  burnIn: number,
  seed: number,
  synthesized?: readonly number[],
): { datasets: Uint16Array[]; generating: ChainState[] } {
  const records = codes.length / sizes.length;
  const table = combinationsFromCodes(codes, records, sizes.length);
  const bound = createDpmpm(table.combinations, sizes, model);
  const generating = Array.from({ length: datasets }, (_, l) => {
    const random = new RandomStream(seed, `synthesis/${l + 1}`);
    const schedule = { burnIn, draws: 1, thin: 1 };
    return sampleChain(bound, bound.init(random), random, schedule, `synthesis/${l + 1}`).last;
  });
  return {
    generating,
    datasets: generating.map((state, l) => {
      const random = new RandomStream(seed, `dataset/${l + 1}`);
      if (!synthesized) return synthesizeRecords(state, sizes, records, random);
      const columns = synthesizeFromOwnClass(state, table, sizes, synthesized, random);
      const width = columns.length;
      return Uint16Array.from(
        { length: records * width },
        (_, at) => columns[at % width]![Math.floor(at / width)]!,
      );
    }),
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
