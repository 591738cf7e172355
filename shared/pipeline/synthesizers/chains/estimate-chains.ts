import { allocationBytes, drawBytes } from '../../../artifacts/stored-draws.ts';
import { earlySchedule, integratesPhi, keepsLatent, type Prior } from '../../../contracts/config/config.ts';
import type { Plan, Task } from '../../../contracts/run/plan.ts';
import { openScenarios } from '../../../contracts/run/scenarios.ts';
import type { ChainDraws } from '../../../model/chains/chain-draws.ts';
import type { ChainSampler, ChainState } from '../../../model/chains/chain-sampler.ts';
import { sampleChain } from '../../../model/chains/sample-chain.ts';
import { synthesizeFromOwnClass, synthesizeRecords } from '../../../model/dpmpm/dpmpm-synthesis.ts';
import { RandomStream } from '../../../random/random-stream.ts';
import { blocksOf } from '../../../risk/cells/cell-scorer.ts';
import { candidateSpace } from '../../../risk/intruder/candidate-space.ts';
import { logMeans } from '../../../risk/membership/membership-terms.ts';
import { createRatioScorer } from '../../../risk/scoring/likelihood-ratio.ts';
import { halfOf, ratioMeans } from '../../../risk/scoring/ratio-means.ts';
import { WeightTails } from '../../../risk/scoring/weight-tails.ts';
import { categorySizes } from '../../../table/category-sizes.ts';
import { combinationsFromCodes, stackCombinations, uniqueCombinations } from '../../../table/distinct-rows.ts';
import { chainsNeeded, isStackedLesson, lesserChains } from '../../rounds/chains-needed.ts';
import { type ChainModel, type Chains, chainModel } from '../chain-model.ts';
import type { MeasuredCombinations, MeasuredScenario } from '../run-sizes.ts';
import { type Measuring, type TaskEstimate, timed } from '../task-estimate.ts';
import { BESIDE_PIECES, drawsSeconds } from './draws-seconds.ts';
import { othersSeconds, reconstructionSeconds } from './people-seconds.ts';
import { chainUnits } from './run-chains.ts';
import { cellScoringSeconds, evaluationSeconds } from './scoring-seconds.ts';

const MIB = 1024 * 1024;

/** How often cells are scored under a prior: one that is not uniform is scored alone as well. */
const cellWalks = (prior: Prior) => (prior === 'uniform' ? 1 : 2);

/** Combinations scored in the calibration, at most: as many as a batch has, since they share products; and draws. */
const SCORED = { combinations: 512, draws: 8 };

/** Seconds that it takes to score the listed candidates of one combination under one draw, of which some are given, of the first combinations. */
function scoringSeconds(
  chains: Chains,
  { schema, combinations, scenario }: MeasuredScenario,
  draws: ChainDraws,
  sample: number,
  secondsPerCall: Measuring['secondsPerCall'],
): number {
  const { codes: all, variables } = combinations;
  const codes = all.subarray(0, sample * variables);
  const sizes = categorySizes(schema);
  const names = schema.variables.map(({ name }) => name);
  const space = candidateSpace(scenario.candidates, names, sizes);
  const scorer = chains.scorer?.({ sizes, combinations }, space, codes) ?? createRatioScorer(space, codes);
  const logWeights = new Float64Array(draws.draws * sample);
  const half = halfOf(draws.draws);
  const score = () => {
    ratioMeans(scorer, draws, sample * space.perCombination, half, logWeights);
    logMeans(logWeights, sample, half);
    new WeightTails(sample, draws.draws).add(logWeights);
  };
  return secondsPerCall(score) / draws.draws / sample;
}

/** The model on the table with a dataset that a state gives. */
function stackedModel(
  { plan, schema, combinations, records, support }: MeasuredCombinations,
  { synthesized, bind, bindBeside }: ChainModel,
  state: ChainState,
  random: RandomStream,
): ChainSampler {
  const sizes = categorySizes(schema);
  const count = plan.table.records;
  if (records === null || synthesized === null) {
    const codes = synthesizeRecords(state, sizes, count, random, support?.support);
    return bind(stackCombinations(combinations, combinationsFromCodes(codes, count, sizes.length).combinations));
  }
  const own = synthesizeFromOwnClass(state, uniqueCombinations(records), { sizes, synthesized }, random);
  const columns = [...records.columns];
  for (const [j, k] of synthesized.entries()) columns[k] = { type: 'categorical', codes: own[j]! };
  return bindBeside(records, { ...records, columns });
}

/** Rows that are assessed, under all scenarios. */
const rowsOf = ({ batches }: Pick<Plan, 'batches'>) => batches.reduce((sum, { from, to }) => sum + to - from, 0);

/** Expected time and disk of a planned run by a model with chains, of which some iterations are run and some rows scored. */
export function estimateChains(planned: MeasuredCombinations, ofModel: Chains, { jobs, tasks, secondsPerCall }: Measuring): TaskEstimate {
  const { plan, schema, combinations } = planned;
  const { mcmc, seed } = plan.config;
  const chains = chainModel(ofModel, plan.config, schema, planned.support?.support);
  const sizes = categorySizes(schema);
  const random = new RandomStream(seed, 'calibration');
  const started = performance.now();
  const usedBefore = process.cpuUsage();
  const model = chains.bind(combinations);
  let state = model.init(random);
  const aloneSeconds = secondsPerCall(() => {
    state = model.step(state, random);
  });
  const { base, pairs, sides } = chainsNeeded(plan);
  const stacked = sides.includes('stacked') ? stackedModel(planned, chains, state, random) : model;
  let stackedState = state;
  const stackedSeconds = secondsPerCall(() => {
    stackedState = stacked.step(stackedState, random);
  });
  const names = schema.variables.map(({ name }) => name);
  const bound = timed(() => chains.bind(combinations)).seconds;
  const largest = openScenarios(plan).flatMap(({ batches }) =>
    batches.length === 0 ? [] : Math.max(...batches.map(({ from, to }) => to - from)),
  );
  const sample = Math.min(SCORED.combinations, combinations.count, ...largest);
  const keepAllocation = integratesPhi(plan.config) ? sample : undefined;
  const schedule = { burnIn: 0, draws: SCORED.draws, thin: 1, keepLatent: false, keepAllocation };
  const some = sampleChain(model, state, random, schedule, { name: 'calibration' }).draws;
  const { allocation, ...parameters } = some;
  const unitsOf = ({ step }: Task) => chainUnits[step as keyof typeof chainUnits](plan);
  const pairIterations = mcmc.pairedDraws * mcmc.pairedThin;
  const stackedIterations = sides.includes('stacked') ? pairs * pairIterations : 0;
  const iterations = [...tasks.fit, ...tasks.synthesize, ...tasks.augment].reduce((sum, task) => sum + unitsOf(task), 0);
  const assessed = rowsOf(plan);
  // With what he has above it a dataset takes a chain longer than without.
  const lesserStacked = tasks.augment.reduce((sum, task) => sum + (isStackedLesson(plan, task) ? unitsOf(task) : 0), 0);
  const lesserDraws = lesserChains(plan, mcmc) * mcmc.draws;
  const early = earlySchedule(plan.config)?.draws ?? 0;
  const draws = base * (mcmc.draws + early) + pairs * sides.length * mcmc.pairedDraws;
  const perDraw = assessed === 0 ? 0 : othersSeconds(planned, secondsPerCall);
  let assessSeconds = 0;
  let candidates = 0;
  for (const scenario of assessed === 0 ? [] : openScenarios(plan)) {
    const space = candidateSpace(scenario.candidates, names, sizes);
    const single = { ...planned, scenario };
    const { knows } = scenario;
    const scored = knows ? lesserChains(plan, mcmc, [knows]) * mcmc.draws : draws;
    candidates += rowsOf(scenario) * space.perCombination;
    // A calibration scores its targets, and evaluates no resamples.
    const evaluating = plan.purpose === 'calibrate' || space.kind === 'all-cells' ? 0 : evaluationSeconds(single, space, secondsPerCall);
    assessSeconds +=
      space.kind === 'all-cells'
        ? cellWalks(scenario.prior) * cellScoringSeconds(single, state, blocksOf(space.perCombination), secondsPerCall)
        : scored * perDraw +
          rowsOf(scenario) * (scored * scoringSeconds(ofModel, single, knows ? parameters : some, sample, secondsPerCall) + evaluating);
  }
  const reconstruction = reconstructionSeconds(planned, secondsPerCall);
  const used = process.cpuUsage(usedBefore);
  const cpuShare = Math.min(1, (used.user + used.system) / 1000 / (performance.now() - started));
  const onBoth = stackedIterations + lesserStacked;
  const categories = state.probabilities.length / state.weights.length;
  const latent = keepsLatent(plan.config) ? ofModel.latentNumbers(plan.config, schema, plan.classes) : 0;
  const stored =
    draws * drawBytes(plan, categories, combinations.count) +
    lesserDraws * drawBytes(plan, categories, 0) +
    base * mcmc.draws * latent * Float64Array.BYTES_PER_ELEMENT;
  const ofChains = {
    chains: base + tasks.synthesize.length + pairs * sides.length + lesserChains(plan, mcmc),
    draws: draws + lesserDraws,
    classBytes: draws * allocationBytes(plan, combinations.count),
    batches: plan.batches.length,
  };
  const seconds =
    (iterations - onBoth) * aloneSeconds +
    onBoth * stackedSeconds +
    ofChains.chains * bound +
    drawsSeconds(some, ofChains, secondsPerCall) +
    assessSeconds;
  return {
    candidates,
    chains: ofChains.chains,
    iterations,
    trees: 0,
    draws: ofChains.draws,
    minutes: ((BESIDE_PIECES * seconds) / Math.min(jobs, Math.max(1, tasks.fit.length, tasks.synthesize.length)) + reconstruction) / 60,
    diskMiB: stored / MIB,
    secondsPer: {
      iteration: aloneSeconds * cpuShare,
      stackedIteration: stackedSeconds * cpuShare,
      combination: assessed === 0 ? 0 : (assessSeconds * cpuShare) / assessed,
      ...(reconstruction > 0 && { reconstruction: reconstruction * cpuShare }),
    },
  };
}
