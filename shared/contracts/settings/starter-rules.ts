import { type Config, isSimulated } from '../config/config.ts';
import { factsOf, MODELS } from '../models/models.ts';
import { GOOD_REPRODUCIBILITY } from '../results/summary.ts';

/** An acceptance rule to start from, with what it rests on. */
interface StarterRule {
  readonly rule: string;
  /** The rest of a sentence that begins with "For". */
  readonly runs: string;
  readonly applies: (config: Config) => boolean;
  readonly reason: string;
  readonly published: string;
}

/**
 * Rules that an agency may begin with and is to replace by its own: of each run those that apply to it. A figure that was
 * not measured does not meet its rule.
 */
export const STARTER_RULES: readonly StarterRule[] = [
  {
    rule: 'attributeRisk.uncertaintyResolved <= 0.1',
    runs: 'all runs',
    applies: () => true,
    reason:
      'At least nine tenths of what an intruder with all other records does not know remains unknown. The page on reference releases shows where other releases stand.',
    published: 'No agency publishes a threshold for this figure: 0.1 is our own choice.',
  },
  {
    rule: 'identificationRisk.mean.trueMatchRate <= 0.05',
    runs: 'runs that keep variables and describe an intruder who matches',
    applies: ({ identification, synthesis }) => identification.length > 0 && synthesis.synthesized !== 'all',
    reason: 'At most one record in twenty is matched by its own row alone.',
    published:
      'Thresholds for the probability of finding a single record: 0.33, 0.2 and, for public release in the United States, 0.09, from cells of 3, 5 and 11 records (El Emam 2013); 0.04 to 0.05 for a Canadian public use file (El Emam et al. 2011); 0.09 in most submissions to the European Medicines Agency and Health Canada. This rule holds the share of records to the smallest of them, which is our own reading.',
  },
  {
    rule: 'attributeRisk.provenShare <= 0',
    runs: 'trees (`model: cart`)',
    applies: ({ model }) => factsOf(model).method === 'grown',
    reason: 'The release proves no value of any record: no other value could have led to it.',
    published: 'No agency publishes a threshold for this figure: 0 is our own choice.',
  },
  {
    rule: `attributeRisk.reproducibility >= ${GOOD_REPRODUCIBILITY}`,
    runs: `models with chains (${MODELS.filter(({ method }) => method === 'sampled')
      .map(({ name }) => `\`${name}\``)
      .join(', ')})`,
    applies: ({ attributeRisk }) => isSimulated(attributeRisk.estimator),
    reason: 'Another evaluation of the release puts the records in nearly the same order of risk.',
    published: `No agency publishes a threshold for this figure: ${GOOD_REPRODUCIBILITY} is our own choice, below which a run warns as well.`,
  },
];

/** A config with the starter rules that apply to it before its own rules, as rules like any other. */
export function withStarterRules(config: Config): Config {
  const starters = STARTER_RULES.filter(({ applies }) => applies(config)).map(({ rule }) => rule);
  return { ...config, acceptance: [...new Set([...starters, ...config.acceptance])] };
}

/** The starter rules as a config to edit, in YAML: those of some runs alone are behind a comment sign. */
export function starterRulesYaml(): string {
  const comment = (text: string) => `  # ${text.replaceAll('`', '')}\n`;
  const rules = STARTER_RULES.map(({ rule, runs, reason, published }) => {
    const ofAll = runs === 'all runs';
    return `${comment(`For ${runs}: ${reason}`)}${comment(published)}  ${ofAll ? '' : '# '}- '${rule}'\n`;
  });
  return `# A starting point, not a recommendation: replace it by the rules of your agency.\n# Every rule must be met. A figure that was not measured does not meet its rule.\nacceptance:\n${rules.join('')}`;
}
