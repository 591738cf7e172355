import {
  type Candidates,
  type Config,
  isSimulated,
  type ScenarioSettings,
  scoresCells,
  searchedCells,
} from '../config/config.ts';
import { isCountModel } from '../config/model.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../errors.ts';
import type { Settings } from './settings.ts';

/**
 * Refuses settings that contradict each other, or that the run's model could only ignore.
 *
 * @param given what the user has set, by section, before defaults were filled in
 * @param config the same with all defaults
 * @throws InvalidConfigError where other settings would do
 * @throws UnsupportedOptionError for what the model does not offer
 */
export function refuseMisfits(given: Settings, config: Config): void {
  const { name } = config.model;
  const { synthesized, missing, structuralZeros } = config.synthesis;
  if (synthesized !== 'all' && new Set(synthesized).size < synthesized.length) {
    throw new InvalidConfigError('repeated-variable', 'synthesis.synthesized names a variable twice.');
  }
  if (
    (given.mcmc as Settings | undefined)?.maxChains !== undefined &&
    config.mcmc.reproducibility === 'off'
  ) {
    throw new InvalidConfigError(
      'no-rounds',
      'mcmc.maxChains limits chains that are added in rounds, and none are: precision quick and named numbers of chains are as they are, unless a target is named too (mcmc.reproducibility, --reproducibility).',
    );
  }
  if (config.synthesis.leaveOut !== undefined) refuseLeavingOut(config);
  if (config.inherent !== undefined && synthesized === 'all') {
    throw new InvalidConfigError(
      'nothing-kept',
      'inherent: bounds are of a release that keeps variables: name those that are synthesized (synthesis.synthesized, --synthesized).',
    );
  }
  if (config.inherent !== undefined && missing === 'impute') {
    throw new UnsupportedOptionError(
      'impute-without-model',
      'Missing values are imputed by a model, and bounds are found without one: use "missing: category".',
    );
  }
  for (const scenario of config.attributeRisk.scenarios) refuseMisfitPrior(scenario);
  const guessed = Object.entries(config.variables).find(([, { candidates }]) => candidates !== undefined);
  if (guessed !== undefined && name !== 'cart') {
    throw new UnsupportedOptionError(
      'candidates-without-trees',
      `variables.${guessed[0]}.candidates are of a continuous variable that the model cart synthesizes, not ${name}: group it into breaks instead.`,
    );
  }
  refuseLesserKnowledge(config);
  if (isCountModel(config.model)) {
    refuseBeyondCounts(given, config);
    return;
  }
  if (name !== 'cart' && !isSimulated(config.attributeRisk.estimator)) {
    throw new UnsupportedOptionError(
      'exact-without-counts',
      `attributeRisk.estimator: the risk under the model ${name} is no closed form, so that it has to be estimated: augmented, parameters or importance.`,
    );
  }
  if (
    config.attributeRisk.marginals !== undefined &&
    !config.attributeRisk.scenarios.some(({ candidates }) => scoresCells(candidates))
  ) {
    throw new InvalidConfigError(
      'marginals-without-cells',
      'attributeRisk.marginals are of candidates among all cells of the table: use the candidates `all-cells` or `search` (attributeRisk.candidates, --candidates).',
    );
  }
  if (name !== 'dpmpm') {
    if (synthesized === 'all') {
      throw new InvalidConfigError(
        'nothing-kept',
        `The model ${name} synthesizes some variables given the others: name them (synthesis.synthesized, --synthesized).`,
      );
    }
    if (missing === 'impute') {
      throw new UnsupportedOptionError(
        'impute-without-dpmpm',
        `Missing values are imputed by the model dpmpm, not by ${name}: use "missing: category".`,
      );
    }
    if (structuralZeros !== undefined) {
      throw new UnsupportedOptionError(
        'zeros-without-dpmpm',
        `Structural zeros are respected by the model dpmpm, not by ${name}.`,
      );
    }
  }
  if (name === 'dp-areal' && synthesized.length !== 1) {
    throw new InvalidConfigError(
      'one-variable',
      'The model dp-areal synthesizes one variable: name one (synthesis.synthesized, --synthesized).',
    );
  }
  if (name === 'cart') {
    refuseBeyondTrees(given, config);
    return;
  }
  for (const { candidates } of config.attributeRisk.scenarios) {
    if (synthesized !== 'all') refuseKnownCandidates(candidates, synthesized);
  }
}

/** Refuses intruders who know less where their chains, or the expectations over them, are not those of the derivation. */
function refuseLesserKnowledge({ model, synthesis, attributeRisk }: Config): void {
  for (const { knows, candidates, prior } of attributeRisk.scenarios) {
    if (knows === undefined) continue;
    const reasons: [boolean, string][] = [
      [model.name !== 'dpmpm', `is offered for the model dpmpm, not for ${model.name}`],
      [synthesis.synthesized !== 'all', 'is of data that keep no variable'],
      [synthesis.structuralZeros !== undefined, 'does not go with structural zeros'],
      [synthesis.missing === 'impute', 'does not go with missing values to impute'],
      [
        attributeRisk.estimator !== 'augmented',
        `has the estimator augmented, not ${attributeRisk.estimator}`,
      ],
      [scoresCells(candidates), 'does not go with the candidates all-cells and search'],
      [prior !== 'uniform', 'has the prior uniform'],
      [synthesis.leaveOut !== undefined, 'does not go with combinations that are left out'],
    ];
    for (const [applies, reason] of reasons) {
      if (applies) {
        throw new UnsupportedOptionError(
          'lesser-knowledge',
          `attributeRisk.scenarios: an intruder who does not have all records but one (knows) ${reason}.`,
        );
      }
    }
  }
}

/** Refuses what trees would ignore, having no chains and no parameters, and what is not offered of their risk. */
function refuseBeyondTrees(given: Settings, { synthesis, attributeRisk, mcmc }: Config): void {
  const { precision, ...chained } = (given.mcmc ?? {}) as Settings;
  const [field] = Object.keys(chained);
  const chains = (given.synthesis as Settings).chains;
  if (field !== undefined || chains !== undefined) {
    throw new UnsupportedOptionError(
      'not-of-cart',
      `${field === undefined ? 'synthesis.chains' : `mcmc.${field}`}: the model cart has no chains.`,
    );
  }
  if (precision !== undefined && mcmc.precision === 'high') {
    throw new UnsupportedOptionError(
      'not-of-cart',
      'mcmc.precision: the risk of trees is exact by default, and nothing is more precise. `quick` holds their divisions as they are.',
    );
  }
  const foreign = ['estimator', 'slope', 'phi'].find(
    (one) => (given.attributeRisk as Settings | undefined)?.[one] !== undefined,
  );
  if (foreign !== undefined) {
    throw new UnsupportedOptionError(
      'not-of-cart',
      `attributeRisk.${foreign}: the likelihood of trees is exact, with the precision quick that of their divisions as they are, and nothing is estimated. Leave it out.`,
    );
  }
  for (const { prior, candidates } of attributeRisk.scenarios) {
    if (prior !== 'uniform' && prior !== 'model') {
      throw new UnsupportedOptionError(
        'prior-of-trees',
        'attributeRisk.prior: under the model cart the priors `uniform` and `model`, that of the trees without the record, are offered.',
      );
    }
    if (candidates === 'one-change') continue;
    if (typeof candidates === 'string' || 'search' in candidates) {
      throw new UnsupportedOptionError(
        'candidates-of-trees',
        'attributeRisk.candidates: under the model cart the candidates are `one-change`, of one synthesized variable, or unknown variables ({unknown: [A, B]}, --unknown A,B).',
      );
    }
    refuseKnownCandidates(candidates, synthesis.synthesized as readonly string[]);
  }
}

/** Refuses what does not go with a model of counts, which makes whole records and whose risk is exact. */
function refuseBeyondCounts(given: Settings, { model: { name }, synthesis, attributeRisk }: Config): void {
  const [field] = Object.keys(given.mcmc ?? {});
  const chains = (given.synthesis as Settings | undefined)?.chains;
  if (field !== undefined || chains !== undefined) {
    throw new UnsupportedOptionError(
      'no-chains',
      `${field === undefined ? 'synthesis.chains' : `mcmc.${field}`}: the model ${name} has no chains.`,
    );
  }
  if (synthesis.synthesized !== 'all') {
    throw new UnsupportedOptionError(
      'partial-counts',
      `The model ${name} synthesizes all variables: epsilon says nothing of variables that are released as they are. Leave synthesis.synthesized out, and others than these out of the table.`,
    );
  }
  if (synthesis.missing !== 'refuse') {
    throw new UnsupportedOptionError(
      'missing-undeclared',
      `The model ${name} takes no missing values: whether there are some would be read off the data. Declare a category for them and write it into the table.`,
    );
  }
  if (synthesis.structuralZeros !== undefined) {
    throw new UnsupportedOptionError(
      'zeros-without-dpmpm',
      `Structural zeros are respected by the model dpmpm, not by ${name}.`,
    );
  }
  const estimator = (given.attributeRisk as Settings | undefined)?.estimator ?? 'exact';
  if (estimator !== 'exact') {
    throw new UnsupportedOptionError(
      'exact-alone',
      `attributeRisk.estimator: the risk under the model ${name} is exact, and nothing is estimated. Leave it out.`,
    );
  }
  if (
    attributeRisk.marginals !== undefined ||
    attributeRisk.scenarios.some(({ candidates }) => searchedCells(candidates) !== null)
  ) {
    throw new UnsupportedOptionError(
      'exact-cells',
      `Under the model ${name} cells are not searched for, and marginals are of single variables: leave attributeRisk.marginals out, and take the candidates all-cells.`,
    );
  }
  if (
    attributeRisk.scenarios.some(({ candidates, prior }) => scoresCells(candidates) && prior !== 'uniform')
  ) {
    throw new UnsupportedOptionError(
      'prior-of-exact-cells',
      `attributeRisk.prior: under the model ${name} the empty cells are not walked one by one, so that of the candidates \`all-cells\` only the prior \`uniform\` is offered. Name all variables as unknown instead (attributeRisk.candidates: {unknown: [A, B]}, --unknown A,B).`,
    );
  }
  if (attributeRisk.slope !== 1) {
    throw new UnsupportedOptionError(
      'exact-slope',
      `attributeRisk.slope: the likelihood under the model ${name} is exact, and is taken as it is.`,
    );
  }
}

/**
 * A set of candidates that is centred at the truth tells of it, so that no belief about the record is a fair one beside it.
 * What a search finds is no set of which anything is believed beforehand.
 */
function refuseMisfitPrior({ prior, candidates }: ScenarioSettings): void {
  if (prior === 'uniform') return;
  if (searchedCells(candidates) !== null) {
    throw new UnsupportedOptionError(
      'prior-of-search',
      'attributeRisk.prior: of the candidates `search` only the prior `uniform` is offered: what a search finds is where the release points to, and not known beforehand. Use `all-cells`, or name the variables that the intruder does not know (attributeRisk.candidates: {unknown: [A, B]}, --unknown A,B).',
    );
  }
  if (typeof candidates !== 'string' || candidates === 'all-cells') return;
  throw new InvalidConfigError(
    'prior-of-changes',
    `attributeRisk.prior: the candidates \`${candidates}\` depend on the truth, so that a prior on them is no belief that an intruder could have. Name the variables that he does not know (attributeRisk.candidates: {unknown: [A, B]}, --unknown A,B). A run with \`one-change\` also has the values of each variable by itself, under the model's prior, in variable-risk.csv.`,
  );
}

/** Refuses to leave records out where what that does to risk is not known. */
function refuseLeavingOut({ model, synthesis, attributeRisk }: Config): void {
  if (synthesis.synthesized !== 'all') {
    throw new UnsupportedOptionError(
      'leave-out-of-partial',
      'synthesis.leaveOut (--leave-out) is offered where all variables are synthesized: where some are kept, the release has a row of each record, also of one that the model never saw.',
    );
  }
  if (model.name !== 'dpmpm') {
    throw new UnsupportedOptionError(
      'leave-out-of-counts',
      `synthesis.leaveOut (--leave-out) is not offered with the model ${model.name}.`,
    );
  }
  const { scenarios } = attributeRisk;
  if (scenarios.length > 1 || scenarios.some(({ prior }) => prior !== 'uniform')) {
    throw new UnsupportedOptionError(
      'leave-out-of-scenarios',
      'synthesis.leaveOut (--leave-out) is offered with one scenario and the prior `uniform`: look at the others before (synthrisk reassess).',
    );
  }
  if (scenarios.some(({ candidates }) => scoresCells(candidates))) {
    throw new UnsupportedOptionError(
      'leave-out-of-cells',
      'synthesis.leaveOut (--leave-out) is not offered with the candidates `all-cells` and `search`: use one-change, two-changes or unknown variables.',
    );
  }
}

/** Kept variables are in the release: a guess at their values is either the truth or impossible. */
function refuseKnownCandidates(candidates: Candidates, synthesized: readonly string[]): void {
  if (typeof candidates === 'string' || 'search' in candidates) {
    throw new UnsupportedOptionError(
      'candidates-of-kept-variables',
      `The candidates \`${typeof candidates === 'string' ? candidates : 'search'}\` change variables that the release keeps. Leave them out, for every value of the synthesized variables, or name some of these as unknown.`,
    );
  }
  const kept = candidates.unknown.filter((name) => !synthesized.includes(name));
  if (kept.length === 0) return;
  throw new InvalidConfigError(
    'unknown-but-kept',
    `The release keeps ${kept.join(', ')}, so that the intruder knows them: expected as unknown only some of ${synthesized.join(', ')}.`,
  );
}
