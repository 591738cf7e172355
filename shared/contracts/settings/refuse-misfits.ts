import { type Config, scoresCells } from '../config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../errors.ts';
import type { Settings } from './settings.ts';

/** Sections of settings, and fields of sections, that `cart` would ignore: it has no chains, and no parameters. */
const FOREIGN_TO_CART = [
  ['attributeRisk', 'no attribute risk, since there is no model of the table that could score a guess'],
  ['mcmc', 'no chains'],
] as const;

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
  if (config.attributeRisk.marginals !== undefined && !scoresCells(config.attributeRisk.candidates)) {
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
    for (const [section, lack] of FOREIGN_TO_CART) {
      const [field] = Object.keys(given[section] ?? {});
      if (field !== undefined) {
        throw new UnsupportedOptionError('not-of-cart', `${section}.${field}: the model cart has ${lack}.`);
      }
    }
    if ((given.synthesis as Settings).chains !== undefined) {
      throw new UnsupportedOptionError('not-of-cart', 'synthesis.chains: the model cart has no chains.');
    }
    return;
  }
  if (synthesized !== 'all') refuseKnownCandidates(config.attributeRisk.candidates, synthesized);
}

/** Kept variables are in the release: a guess at their values is either the truth or impossible. */
function refuseKnownCandidates(
  candidates: Config['attributeRisk']['candidates'],
  synthesized: readonly string[],
): void {
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
