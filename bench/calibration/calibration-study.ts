import type { ChainState } from '../../shared/model/chains/chain-sampler.ts';
import { type SampledChain, type Schedule, sampleChain, stateOfDraw } from '../../shared/model/chains/sample-chain.ts';
import { createDpmpm, type DpmpmSettings } from '../../shared/model/dpmpm/dpmpm.ts';
import { synthesizeRecords } from '../../shared/model/dpmpm/dpmpm-synthesis.ts';
import { logSumExp } from '../../shared/numeric/log-sum-exp.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { seededStreams } from '../../shared/random/streams.ts';
import {
  augmentedTerms,
  exactChain,
  expectationTerm,
  importanceTerms,
  parametersTerms,
  type ScoredChains,
} from '../../shared/risk/attribute/attribute-estimators.ts';
import { ChainMeans } from '../../shared/risk/attribute/chain-means.ts';
import { type ExpectationTerm, evaluateTerms } from '../../shared/risk/attribute/expectation.ts';
import { type Calibration, calibration } from '../../shared/risk/calibration/calibration.ts';
import { createTruthScorer, drawTargets } from '../../shared/risk/calibration/calibration-targets.ts';
import { candidateSpace } from '../../shared/risk/intruder/candidate-space.ts';
import { ratioMeans, weightedRatioMeans } from '../../shared/risk/scoring/ratio-means.ts';
import { combinationsFromCodes, stackCombinations } from '../../shared/table/distinct-rows.ts';

/** What one replicate of the calibration study runs. */
export interface CalibrationStudy {
  /** Codes of the table, records x variables, and the number of categories of each variable. */
  readonly codes: Uint16Array;
  readonly sizes: readonly number[];
  readonly seed: number;
  /** Records whose value is replaced by a uniformly drawn member of its candidate set. */
  readonly targets: number;
  readonly model: DpmpmSettings;
  /** The sampler; the library's own unless a study puts another in its place. */
  readonly createModel?: typeof createDpmpm;
  readonly datasets: number;
  /** Each dataset from a chain of its own, or spaced draws of one. */
  readonly chains: 'own' | 'one';
  readonly base: Schedule & { readonly chains: number };
  readonly paired: Schedule & { readonly chains: number };
  /** Also treat the datasets as foreign: fresh augmented chains, the generating draws unknown. */
  readonly foreign: boolean;
}

/** Calibration of each formula, by name. */
export type CalibrationResult = Record<string, Calibration>;

/** One replicate of the calibration by proper scoring (docs/studies/calibration.md). */
export function calibrationStudy(study: CalibrationStudy): CalibrationResult {
  const { sizes, seed, targets, model: settings, datasets, base, paired } = study;
  const variables = sizes.length;
  const records = study.codes.length / variables;
  const space = candidateSpace('one-change', sizes.map(String), sizes);
  const candidates = space.perCombination;

  const altered = drawTargets(study.codes, space, targets, new RandomStream(seed, 'study/targets'));
  const { codes, truths } = altered;
  const table = combinationsFromCodes(codes, records, variables).combinations;
  const createModel = study.createModel ?? createDpmpm;
  const tableModel = createModel(table, sizes, settings);

  const scorer = createTruthScorer(space, altered);
  const length = targets * candidates;

  const sample = (model: typeof tableModel, name: string, schedule: Schedule, start?: ChainState) => {
    const random = new RandomStream(seed, `study/${study.chains}/${name}`);
    return sampleChain(model, start ?? model.init(random), random, schedule, { name });
  };

  // Synthesis.
  const generating: ChainState[] = [];
  if (study.chains === 'own') {
    for (let l = 1; l <= datasets; l++) {
      const chain = sample(tableModel, `synthesis/${l}`, { burnIn: base.burnIn, draws: 1, thin: base.thin });
      generating.push(stateOfDraw(chain.draws, 0));
    }
  } else {
    const spaced = { burnIn: base.burnIn, draws: datasets, thin: base.draws * base.thin };
    const chain = sample(tableModel, 'synthesis', spaced);
    for (let l = 0; l < datasets; l++) generating.push(stateOfDraw(chain.draws, l));
  }
  const synthetic = generating.map((state, l) => {
    const random = new RandomStream(seed, `study/${study.chains}/dataset/${l + 1}`);
    return combinationsFromCodes(synthesizeRecords(state, sizes, records, random), records, variables).combinations;
  });

  // Base chains, scored at once; their draws are not kept.
  const syntheticModels = synthetic.map((dataset) => createDpmpm(dataset, sizes, settings));
  const scoredBase = new ChainMeans(base.chains, length, 'arithmetic');
  const weighted: Float64Array[][] = synthetic.map(() => []);
  const logMasses = synthetic.map(() => new Float64Array(base.chains));
  for (let c = 1; c <= base.chains; c++) {
    const { draws } = sample(tableModel, `base/${c}`, base);
    scoredBase.add(ratioMeans(scorer, draws, length));
    const logWeights = syntheticModels.map((model) =>
      Float64Array.from({ length: base.draws }, (_, d) => model.logLikelihood(stateOfDraw(draws, d))),
    );
    for (const [l, means] of weightedRatioMeans(scorer, draws, length, logWeights).entries()) {
      weighted[l]!.push(means);
      logMasses[l]![c - 1] = logSumExp(logWeights[l]!);
    }
  }
  const baseChains: ScoredChains = { name: 'base', drawsPerChain: base.draws, ...scoredBase.scored() };
  const score = (name: string, chains: SampledChain[]): ScoredChains => {
    const together = new ChainMeans(chains.length, length, 'arithmetic');
    for (const { draws } of chains) together.add(ratioMeans(scorer, draws, length));
    return { name, drawsPerChain: chains[0]!.draws.draws, ...together.scored() };
  };
  const numbered = <T>(count: number, make: (c: number) => T) => Array.from({ length: count }, (_, c) => make(c + 1));

  const stackedModels = synthetic.map((dataset) => createModel(stackCombinations(table, dataset), sizes, settings));
  const pairs = generating.map((state, l) => ({
    stacked: score(
      `stacked/${l}`,
      numbered(paired.chains, (c) => sample(stackedModels[l]!, `stacked/${l}/${c}`, paired, state)),
    ),
    table: score(
      `table/${l}`,
      numbered(paired.chains, (c) => sample(tableModel, `table/${l}/${c}`, paired, state)),
    ),
    chainByChain: false,
  }));
  const exact = generating.map((state, l) => {
    const ratios = new Float64Array(length);
    scorer(state.weights, state.probabilities, ratios);
    return exactChain(`generating/${l + 1}`, ratios);
  });

  const tables = pairs.map(({ table: scored }) => scored);
  const augmented = augmentedTerms(baseChains, pairs).map(expectationTerm);
  const formulas: Record<string, ExpectationTerm[]> = {
    augmented,
    // Formulas that compare modes, and the published estimator (docs/studies/calibration.md).
    'one mode term': withModes(augmented, datasets, 1 / datasets),
    pooled: withModes(augmented, datasets, 1),
    parameters: parametersTerms(baseChains, exact, tables).map(expectationTerm),
    importance: importanceTerms(baseChains, weighted, logMasses),
  };
  if (study.foreign) {
    const continued = synthetic.map((_, l) =>
      numbered(paired.chains, (c) => {
        const name = `foreign/${l}/${c}`;
        const fresh = sample(stackedModels[l]!, `${name}/stacked`, { ...paired, burnIn: base.burnIn });
        return { fresh, alone: sample(tableModel, `${name}/table`, paired, fresh.last) };
      }),
    );
    const foreign = continued.map((chains, l) => ({
      stacked: score(
        `foreign/${l}`,
        chains.map(({ fresh }) => fresh),
      ),
      table: score(
        `foreign/${l}`,
        chains.map(({ alone }) => alone),
      ),
      chainByChain: true,
    }));
    const chainByChain = augmentedTerms(baseChains, foreign).map(expectationTerm);
    formulas['foreign, chain by chain'] = chainByChain;
    formulas['foreign, arithmetic'] = augmentedTerms(
      baseChains,
      foreign.map((pair) => ({ ...pair, chainByChain: false })),
    ).map(expectationTerm);
    formulas['foreign, pooled'] = withModes(formulas['foreign, arithmetic']!, datasets, 1);
  }
  return Object.fromEntries(
    Object.entries(formulas).map(([name, terms]) => {
      const evaluate = evaluateTerms(terms, seededStreams(seed), candidates, 1);
      const values = new Float64Array(length);
      for (let t = 0; t < targets; t++) {
        values.set(evaluate(t), t * candidates);
      }
      return [name, calibration(values, truths, candidates)];
    }),
  );
}

/** The augmented terms, with what modes say against each other counted a number of times for every dataset. */
function withModes(terms: readonly ExpectationTerm[], datasets: number, times: number): ExpectationTerm[] {
  const coefficients = new Map([
    [1, 1],
    [-1, times - 1],
    [0, -times * datasets],
  ]);
  return terms
    .map((term) => ({ ...term, coefficient: coefficients.get(term.coefficient)! }))
    .filter(({ coefficient }) => coefficient !== 0);
}
