import { guessedEntries } from '../../../artifacts/run-context.ts';
import { allocationBytes } from '../../../artifacts/stored-draws.ts';
import { densityBytes } from '../../../artifacts/stored-part.ts';
import { earlySchedule, membershipReason } from '../../../contracts/config/config.ts';
import type { Plan, Task } from '../../../contracts/run/plan.ts';
import { openScenarios, type Scenario } from '../../../contracts/run/scenarios.ts';
import { type ChainDraws, eachDraw } from '../../../model/chains/chain-draws.ts';
import { sampleChain } from '../../../model/chains/sample-chain.ts';
import { createMixed } from '../../../model/mixed/mixed.ts';
import type { MixedRows } from '../../../model/mixed/mixed-rows.ts';
import { synthesizeMixed } from '../../../model/mixed/mixed-synthesis.ts';
import { besideRows, mixedRows, mixedView } from '../../../model/mixed/mixed-view.ts';
import { normalPriorOf } from '../../../model/mixed/normal-prior.ts';
import { log } from '../../../numeric/portable-math.ts';
import { RandomStream } from '../../../random/random-stream.ts';
import { seededStreams } from '../../../random/streams.ts';
import { attributeRisk } from '../../../risk/attribute/attribute-risk.ts';
import { separateDatasets } from '../../../risk/attribute/separate-datasets.ts';
import { SIMULATED_OTHERS } from '../../../risk/membership/other-people.ts';
import { outsidePeople } from '../../../risk/mixed/outside-people.ts';
import { askedOfRecords, densityScorer, recordCandidates } from '../../../risk/mixed/record-candidates.ts';
import { priorOf } from '../../../risk/prior/row-priors.ts';
import { ratioMeans } from '../../../risk/scoring/ratio-means.ts';
import type { RatioScorer } from '../../../risk/scoring/ratio-scorer.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import { chosenRecords, type Table } from '../../../table/table.ts';
import { chainsNeeded, isStackedLesson, lesserChains } from '../../rounds/chains-needed.ts';
import { BESIDE_PIECES, drawsSeconds } from '../chains/draws-seconds.ts';
import { chainUnits } from '../chains/run-chains.ts';
import { timedTerms } from '../chains/scoring-seconds.ts';
import type { MeasuredRun } from '../run-sizes.ts';
import { type Measuring, type TaskEstimate, timed } from '../task-estimate.ts';
import { mixedBytes } from './mixed-bytes.ts';
import { samplerSettings } from './mixed-run.ts';

const MIB = 1024 * 1024;

/** Records scored under so many draws in the calibration, and evaluated, at most: no more than a batch, which shares what is found of a draw. */
const SCORED = { records: 512, draws: 8 };
const EVALUATED = 8;

/** What assessing takes under a scenario: seconds of each record and person under each draw, and of a record's evaluation. */
interface Assessing {
  readonly candidates: number;
  readonly alone: number;
  readonly beside: number;
  readonly outside: number;
  readonly person: number;
  readonly evaluating: number;
}

/**
 * Measures what assessing takes under a scenario.
 *
 * @param beside draws on the table with a dataset beside it, where it is there; the table stands for the dataset
 */
function assessing(
  { plan, records, scenario }: Pick<MeasuredRun, 'plan'> & { readonly records: Table; readonly scenario: Scenario },
  { draws, beside }: { readonly draws: ChainDraws; readonly beside: ChainDraws | null },
  secondsPerCall: Measuring['secondsPerCall'],
): Assessing {
  const asked = askedOfRecords(plan.config, records.schema, scenario.candidates);
  const { view } = asked;
  const first = (count: number) =>
    chosenRecords(
      records,
      Uint32Array.from({ length: count }, (_, i) => i),
    );
  const prior = normalPriorOf(plan.config.model);
  const of = (count: number) => recordCandidates(first(count), asked, prior);
  const scored = draws.allocation!.classOfCombination.length / draws.draws;
  const own = of(scored);
  const { space, scorer } = own;
  const length = scored * space.perRecord;
  const logInverses = new Float64Array(draws.draws * scored);
  const perDraw = (by: RatioScorer, some: ChainDraws) =>
    secondsPerCall(() => ratioMeans(by, some, length, SCORED.draws / 2, logInverses)) / draws.draws / scored;
  const alone = perDraw(scorer, draws);
  const { mean, meanSquare, firstHalf } = ratioMeans(scorer, draws, length, SCORED.draws / 2);
  const evaluated = Math.min(EVALUATED, scored);
  const { sets, considered } = of(evaluated);
  const request = {
    terms: timedTerms({ plan, scenario }).map(({ coefficient, pool, chains: { name, dataset, chains, drawsPerChain } }) => ({
      coefficient,
      pool,
      chains: name,
      dataset,
      means: new Array<Float64Array>(chains).fill(mean),
      ...(coefficient !== 0 && { meanSquares: meanSquare, halfLength: firstHalf!.map(log) }),
      draws: chains * drawsPerChain,
    })),
    counts: new Uint32Array(evaluated).fill(1),
    candidates: space.perRecord,
    ranked: space.categorical.perCombination,
    streams: seededStreams(1),
    slope: 1,
    considered,
    sets,
    priors: priorOf(scenario.prior),
  };
  const evaluate = () => {
    attributeRisk(request);
    if (scenario.knows) separateDatasets(request);
  };
  const model = { sizes: view.sizes, continuous: view.continuous, prior };
  const { score } = outsidePeople(model, mixedRows(view, [first(scored)]));
  return {
    candidates: space.perRecord,
    alone,
    beside: beside ? perDraw(own.beside(first(scored)), beside) : alone,
    outside: scenario.knows ? perDraw(densityScorer(own, scored), draws) : 0,
    person: membershipReason(plan.config) === null ? secondsPerCall(() => score(eachDraw(draws), 0)) / draws.draws / scored : 0,
    evaluating: secondsPerCall(evaluate) / evaluated,
  };
}

/** Records that are assessed. */
const recordsOf = ({ batches }: Pick<Plan, 'batches'>) => batches.reduce((sum, { from, to }) => sum + to - from, 0);

/** Expected time and disk of a planned run, of which some iterations are run, a dataset is drawn and some records are assessed. */
export function estimateMixed(planned: MeasuredRun, { jobs, tasks, secondsPerCall }: Measuring): TaskEstimate {
  const { plan, schema } = planned;
  const { config } = plan;
  const { mcmc } = config;
  const records = planned.records!;
  const view = mixedView(schema, config.variables);
  const random = new RandomStream(config.seed, 'calibration');
  const { synthesized } = config.synthesis;
  const replaced = synthesized === 'all' ? null : synthesizedVariables(synthesized, schema);
  const secondsOn = (rows: MixedRows) => {
    const model = createMixed(rows, samplerSettings(config));
    let state = model.init(random);
    const seconds = secondsPerCall(() => {
      state = model.step(state, random);
    });
    return { seconds, state, model };
  };
  const alone = secondsOn(mixedRows(view, [records]));
  // A dataset has as many records as the table, which stands for it.
  const isStacked = tasks.augment.some(({ step }) => step === 'pair');
  const both = () => (replaced === null ? mixedRows(view, [records], [records]) : besideRows(view, records, records, replaced));
  const stacked = isStacked ? secondsOn(both()) : alone;
  const drawn = timed(() => synthesizeMixed(alone.state, view, records.records, random)).seconds;
  const unitsOf = ({ step }: Task) => chainUnits[step as keyof typeof chainUnits](plan);
  const iterationsOf = (some: readonly Task[]) => some.reduce((sum, task) => sum + unitsOf(task), 0);
  const lessons = tasks.augment.filter(({ step }) => step === 'learn');
  const pairIterations = iterationsOf(tasks.augment) - iterationsOf(lessons);
  const stackedLessons = iterationsOf(lessons.filter((task) => isStackedLesson(plan, task)));
  const { base, pairs, sides } = chainsNeeded(plan);
  const draws = base * (mcmc.draws + (earlySchedule(config)?.draws ?? 0)) + pairs * sides.length * mcmc.pairedDraws;
  const allDraws = draws + lesserChains(plan, mcmc) * mcmc.draws;
  const assessed = recordsOf(plan);
  const chains = tasks.fit.length + tasks.synthesize.length + 2 * tasks.augment.length - lessons.length;
  let assessSeconds = 0;
  let storing = 0;
  let candidates = 0;
  if (assessed > 0) {
    const largest = Math.max(...plan.batches.map(({ from, to }) => to - from));
    const schedule = { burnIn: 0, draws: SCORED.draws, thin: 1, keepAllocation: Math.min(SCORED.records, records.records, largest) };
    const kept = ({ model, state }: typeof alone) => sampleChain(model, state, random, schedule, { name: 'calibration' }).draws;
    const some = { draws: kept(alone), beside: isStacked && replaced !== null ? kept(stacked) : null };
    const classBytes = draws * allocationBytes(plan, records.records);
    storing = drawsSeconds(some.draws, { chains, draws: allDraws, classBytes, batches: plan.batches.length }, secondsPerCall);
    const onBoth = sides.includes('stacked') ? pairs * mcmc.pairedDraws : 0;
    const people = plan.controlRecords ?? SIMULATED_OTHERS;
    for (const scenario of openScenarios(plan)) {
      const { knows } = scenario;
      const measured = assessing({ plan, records, scenario }, some, secondsPerCall);
      const scored = knows ? lesserChains(plan, mcmc, [knows]) * mcmc.draws : draws;
      const scoring = knows ? scored * measured.outside : (draws - onBoth) * measured.alone + onBoth * measured.beside;
      assessSeconds += recordsOf(scenario) * (scoring + measured.evaluating) + scored * people * measured.person;
      candidates += recordsOf(scenario) * measured.candidates;
    }
  }
  const onOne = iterationsOf([...tasks.fit, ...tasks.synthesize]) + pairIterations / 2 + iterationsOf(lessons) - stackedLessons;
  const seconds =
    onOne * alone.seconds + (pairIterations / 2 + stackedLessons) * stacked.seconds + plan.datasets.count * drawn + storing + assessSeconds;
  return {
    candidates,
    chains,
    iterations: iterationsOf([...tasks.fit, ...tasks.synthesize, ...tasks.augment]),
    trees: 0,
    draws: allDraws,
    minutes: (BESIDE_PIECES * seconds) / Math.min(jobs, Math.max(1, tasks.fit.length, tasks.synthesize.length)) / 60,
    diskMiB: (mixedBytes(planned).stored + plan.datasets.count * mixedBytes(planned).synthesize) / MIB,
    densityBytes: densityBytes(guessedEntries(plan, schema)),
    secondsPer: {
      iteration: alone.seconds,
      stackedIteration: stacked.seconds,
      combination: assessed === 0 ? 0 : assessSeconds / assessed,
      dataset: drawn,
    },
  };
}
