import { type Candidates, scoresCells } from '../candidates.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../errors.ts';
import type { AskedConfig, Given } from './model-facts.ts';

/** Refuses marginals of cells that are not scored. */
export function refuseMarginals({ attributeRisk }: AskedConfig): void {
  if (attributeRisk.marginals === undefined || attributeRisk.scenarios.some(({ candidates }) => scoresCells(candidates))) return;
  throw new InvalidConfigError(
    'marginals-without-cells',
    'attributeRisk.marginals are of all cells of the table: use the candidates `all-cells` (attributeRisk.candidates, --candidates).',
  );
}

/** Refuses settings of chains where the model has none. */
export function refuseChains(code: string, name: string, mcmc: Given, synthesis: Given | undefined): void {
  const [field] = Object.keys(mcmc);
  if (field === undefined && synthesis?.chains === undefined) return;
  const flag = field?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const setting = field === undefined ? 'synthesis.chains (--synthesis-chains)' : `mcmc.${field} (--${flag})`;
  throw new UnsupportedOptionError(code, `The model ${name} has no chains: leave out ${setting}.`);
}

/** What no model has whose draws are scored: a closed form of its risk. */
export function refuseClosedForm(name: string, { attributeRisk: { estimator } }: AskedConfig): void {
  if (estimator !== 'exact' && estimator !== 'fixed-structure') return;
  throw new UnsupportedOptionError(
    'exact-without-counts',
    `attributeRisk.estimator: the risk under the model ${name} is no closed form, so that it has to be estimated: augmented, parameters or importance.`,
  );
}

/**
 * Refuses to synthesize all variables by a model of some of them given the others, and what such models do not offer.
 *
 * @param most variables that the model synthesizes, where it is one
 */
export function refuseWithoutKept(name: string, config: AskedConfig, most?: 1): void {
  if (config.synthesis.synthesized === 'all') {
    const which = most === 1 ? 'one variable given the others: name it' : 'some variables given the others: name them';
    throw new InvalidConfigError('nothing-kept', `The model ${name} synthesizes ${which} (synthesis.synthesized, --synthesized).`);
  }
  refuseBeyondRecords(name, config);
}

/** Refuses imputation and structural zeros, which a model of records as they are does not offer. */
export function refuseBeyondRecords(name: string, config: AskedConfig): void {
  if (config.synthesis.missing === 'impute') {
    throw new UnsupportedOptionError(
      'impute-without-dpmpm',
      `Missing values are imputed by the model dpmpm, not by ${name}: use "missing: category".`,
    );
  }
  refuseZeros(name, config);
}

/** Refuses structural zeros. */
export function refuseZeros(name: string, { synthesis }: AskedConfig): void {
  if (synthesis.structuralZeros === undefined) return;
  throw new UnsupportedOptionError('zeros-without-dpmpm', `Structural zeros are respected by the model dpmpm, not by ${name}.`);
}

/** Refuses candidates that differ in kept variables, of every scenario. */
export function refuseKnown({ synthesis: { synthesized }, attributeRisk }: AskedConfig): void {
  if (synthesized !== 'all') for (const { candidates } of attributeRisk.scenarios) refuseKnownCandidates(candidates, synthesized);
}

/** Kept variables are in the release: a guess at their values is either the truth or impossible. */
export function refuseKnownCandidates(candidates: Candidates, synthesized: readonly string[]): void {
  if (typeof candidates === 'string') {
    throw new UnsupportedOptionError(
      'candidates-of-kept-variables',
      `The candidates \`${candidates}\` change variables that the release keeps. Leave them out, for every value of the synthesized variables, or name some of these as unknown.`,
    );
  }
  const kept = candidates.unknown.filter((name) => !synthesized.includes(name));
  if (kept.length === 0) return;
  throw new InvalidConfigError(
    'unknown-but-kept',
    `The release keeps ${kept.join(', ')}, so that the intruder knows them: expected as unknown only some of ${synthesized.join(', ')}.`,
  );
}
