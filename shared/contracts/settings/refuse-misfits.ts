import { scoresCells } from '../candidates.ts';
import type { Config, ScenarioSettings } from '../config/config.ts';
import { densityField } from '../continuous.ts';

import { InvalidConfigError, UnsupportedOptionError } from '../errors.ts';
import { factsOf } from '../models/models.ts';
import type { Settings } from './settings.ts';

/**
 * Refuses settings that contradict each other, or that the run's model could only ignore: what the user has set, by section, and
 * the same with all defaults (InvalidConfigError where others would do, UnsupportedOptionError for what the model does not offer).
 */
export function refuseMisfits(given: Settings, config: Config): void {
  const { name, method, offers, refuse } = factsOf(config.model);
  const { synthesized, missing } = config.synthesis;
  if (synthesized !== 'all' && new Set(synthesized).size < synthesized.length) {
    throw new InvalidConfigError('repeated-variable', 'synthesis.synthesized names a variable twice.');
  }
  if ((given.mcmc as Settings | undefined)?.maxChains !== undefined && config.mcmc.reproducibility === 'off') {
    throw new InvalidConfigError(
      'no-rounds',
      'mcmc.maxChains limits chains that are added in rounds, and none are: precision quick and named numbers of chains are as they are, unless a target is named too (mcmc.reproducibility, --reproducibility).',
    );
  }
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
  const hasDensities = offers.includes('densities');
  if (guessed !== undefined && method !== 'grown') {
    const instead = hasDensities
      ? 'leave them out, since its masses and a grid of its range are guessed at'
      : 'group it into breaks instead';
    throw new UnsupportedOptionError(
      'candidates-without-trees',
      `variables.${guessed[0]}.candidates are of a continuous variable that the model cart synthesizes, not ${name}: ${instead}.`,
    );
  }
  for (const [variable, fields] of hasDensities ? [] : Object.entries(config.variables)) {
    const field = densityField(fields);
    if (field === undefined) continue;
    throw new UnsupportedOptionError(
      'densities-without-mixed',
      `variables.${variable}.${field} is of the model mixed, not ${name}: leave it out, or name that model by --model mixed; for a command without that flag by a config (--config) with model: { name: mixed }.`,
    );
  }
  refuseLesserKnowledge(config);
  refuseTooMany(config);
  refuse(given, config);
}

/** Chains and datasets of a run at most, each of which is a task that a plan lists. */
const MOST_CHAINS = 1_000_000;

function refuseTooMany({ calibration, mcmc: { chains, maxChains, pairedChains }, model, synthesis: { datasets } }: Config): void {
  const [base, pairs] = factsOf(model).method === 'sampled' ? [chains, pairedChains] : [0, 0];
  const most = typeof maxChains === 'number' ? maxChains : 0;
  const all = (calibration?.replicates ?? 1) * Math.max(base + datasets * (pairs + 1), most);
  if (all <= MOST_CHAINS) return;
  throw new InvalidConfigError(
    'too-many-chains',
    `These are ${all} chains and datasets, and at most ${MOST_CHAINS} are possible. Ask for fewer: synthesis.datasets (--datasets), mcmc.chains (--chains), mcmc.pairedChains of each dataset (--paired-chains), or mcmc.maxChains (--max-chains).`,
  );
}

/** Refuses intruders who know less where their chains, or the expectations over them, are not those of the derivation. */
function refuseLesserKnowledge({ model, synthesis, attributeRisk }: Config): void {
  for (const { knows, candidates, prior } of attributeRisk.scenarios) {
    if (knows === undefined) continue;
    const reasons: [boolean, string][] = [
      [!factsOf(model).offers.includes('lesser-knowledge'), `is offered for the models dpmpm and mixed, not for ${model.name}`],
      [synthesis.synthesized !== 'all', 'is of data that keep no variable'],
      [synthesis.structuralZeros !== undefined, 'does not go with structural zeros'],
      [synthesis.missing === 'impute', 'does not go with missing values to impute'],
      [attributeRisk.estimator !== 'augmented', `has the estimator augmented, not ${attributeRisk.estimator}`],
      [scoresCells(candidates), 'does not go with the candidates all-cells'],
      [prior !== 'uniform', 'has the prior uniform'],
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

/**
 * A set of candidates that is centred at the truth tells of it, so that no belief about the record is a fair one beside it.
 */
function refuseMisfitPrior({ prior, candidates }: ScenarioSettings): void {
  if (prior === 'uniform') return;
  if (typeof candidates !== 'string' || candidates === 'all-cells') return;
  throw new InvalidConfigError(
    'prior-of-changes',
    `attributeRisk.prior: the candidates \`${candidates}\` depend on the truth, so that a prior on them is no belief that an intruder could have. Name the variables that they do not know (attributeRisk.candidates: {unknown: [A, B]}, --unknown A,B). A run with \`one-change\` also has the values of each variable by itself, under the model's prior, in variable-risk.csv.`,
  );
}
