import * as z from 'zod';
import { type Candidates, candidatesSchema, scoresCells } from '../candidates.ts';
import { densityFields, rangeSchema } from '../continuous.ts';
import { factsOf, modelSchema } from '../models/models.ts';
import { count, drawCount, likelihoodPower, openShare, positiveInteger, severalOf, timesOf } from '../number-schemas.ts';
import { attackSettingsSchema } from './attack.ts';
import { candidateValuesSchema } from './bands.ts';
import { identificationScenarioSchema, names } from './identification-scenario.ts';
import { type Knowledge, knowledgeName, knowledgeSchema } from './knowledge.ts';
import { missingCodesSchema, numberFormatSchema } from './reading.ts';
import { utilitySchema } from './utility.ts';

/** Fields that are there have values; those that may be absent stay so. */
type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

const priorSchema = z.union([
  z.enum(['uniform', 'empirical', 'model']),
  z.strictObject({
    file: z.union([z.string().min(1), names.min(1)]).describe('Path of a table of weights, or of several whose weights multiply'),
  }),
]);

const variableOverrideSchema = z
  .strictObject({
    drop: z.literal(true).optional().describe('The column is not read, and the release does not have it'),
    missingCodes: missingCodesSchema
      .optional()
      .describe('Values of this variable that stand for missing ones, in place of those for all variables'),
    type: z.enum(['categorical', 'continuous']).optional(),
    categories: z.array(z.string()).min(1).optional(),
    breaks: z
      .array(z.number())
      .min(2, 'expected where each of two bands or more begins')
      .optional()
      .describe('Groups a number into bands as it is read: where each begins, increasing; the last has no end'),
    range: rangeSchema
      .optional()
      .describe(
        'The lowest and the highest value that a number can have, as its questionnaire or coding says, never read off the table: any other is refused',
      ),
    ...densityFields,
    candidates: candidateValuesSchema
      .optional()
      .describe(
        'Of a continuous variable that the model cart synthesizes: what is guessed of it, as {bands: [0, 1000, 5000]}, where each begins, the last without end, or {grid: [500, 3000]}, the point that is nearest',
      ),
    ordered: z
      .boolean()
      .optional()
      .describe('Whether its categories have an order, as they are declared or read: ordered regressions need one'),
    merge: z
      .record(z.string().min(1), names.min(1))
      .optional()
      .describe('Fewer categories: for each new one those that it replaces, as {other: ["5", "6"]}'),
  })
  .describe('Overrides what is inferred for a variable; declared categories are the only ones accepted.');

/** On what two evaluations of one release are to agree: the ranks of the truth, or its probabilities. */
export const agreedFigureSchema = z.enum(['rank', 'probability']);

const correlationSchema = openShare;

/** What the named precisions stand for; `quick` runs about a third of the iterations and draws of the first round of `default`. */
export const PRECISIONS = {
  quick: { ...{ chains: 12, burnIn: 500, draws: 20, thin: 10, pairedChains: 8, pairedDraws: 20, pairedThin: 10 }, reproducibility: 'off' },
  default: {
    chains: 32,
    burnIn: 1000,
    draws: 20,
    thin: 10,
    pairedChains: 24,
    pairedDraws: 20,
    pairedThin: 10,
    reproducibility: { of: 'rank', target: 0.97 },
  },
  high: {
    chains: 64,
    burnIn: 1000,
    draws: 20,
    thin: 10,
    pairedChains: 48,
    pairedDraws: 20,
    pairedThin: 10,
    reproducibility: { of: 'rank', target: 0.99 },
  },
} as const;

type Precision = keyof typeof PRECISIONS;

/** Chains at most where a target is named, and as a multiple of the first round's where it is the precision's own. */
export const MOST_CHAINS = { named: 1000, ofPrecision: { times: 4 } };

/** A number that the precision gives where it is left out. */
function byPrecision(schema: z.ZodInt, field: Exclude<keyof (typeof PRECISIONS)['default'], 'reproducibility'>, description: string) {
  const values = (Object.keys(PRECISIONS) as Precision[]).map((name) => `${name} ${PRECISIONS[name][field]}`);
  return schema.optional().describe(`${description} (by precision: ${values.join(', ')})`);
}

const mcmcSchema = z
  .strictObject({
    precision: z
      .enum(['quick', 'default', 'high'])
      .default('default')
      .describe(
        'How many chains and draws: a named set of the numbers below. quick is a first look in a fraction of the time of default; high has ranks agree to 0.99. Numbers that are given as well go before it',
      ),
    chains: byPrecision(severalOf, 'chains', 'Base chains: fresh, on the table'),
    burnIn: byPrecision(count, 'burnIn', 'Iterations discarded by a fresh chain'),
    draws: byPrecision(drawCount, 'draws', 'Draws kept from each base chain'),
    thin: byPrecision(positiveInteger, 'thin', 'Iterations between two kept draws of a base chain'),
    pairedChains: byPrecision(severalOf, 'pairedChains', 'Paired chains of each dataset on each side'),
    pairedDraws: byPrecision(drawCount, 'pairedDraws', 'Draws kept from each paired chain'),
    pairedThin: byPrecision(positiveInteger, 'pairedThin', 'Iterations between two kept draws of a paired chain'),
    reproducibility: z
      .union([z.literal('off'), correlationSchema, z.strictObject({ of: agreedFigureSchema, target: correlationSchema })])
      .optional()
      .describe(
        'Chains are added in rounds until two evaluations are expected to agree so well, on ranks where only a number is given; off: none are added (by precision: quick off, default 0.97, high 0.99; off where chains or pairedChains are given)',
      ),
    maxChains: z
      .union([positiveInteger, z.strictObject({ times: timesOf })])
      .optional()
      .describe(
        'Base chains and pairs of chains of all datasets together, at most, when chains are added: a number, or so many times those of the first round (default: 1000 where reproducibility is given, else 4 times)',
      ),
  })
  .transform(({ precision, reproducibility, maxChains, ...given }) => {
    const isFixed = given.chains !== undefined || given.pairedChains !== undefined;
    const { reproducibility: ofPrecision, ...numbers } = PRECISIONS[precision];
    const unnamed = isFixed ? 'off' : ofPrecision;
    return {
      precision,
      ...numbers,
      ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given<typeof given>),
      reproducibility:
        typeof reproducibility === 'number' ? { of: 'rank' as const, target: reproducibility } : (reproducibility ?? unnamed),
      maxChains: maxChains ?? (reproducibility === undefined || reproducibility === 'off' ? MOST_CHAINS.ofPrecision : MOST_CHAINS.named),
    };
  });

const synthesisSchema = z.strictObject({
  datasets: positiveInteger.default(5).describe('m, the number of synthetic datasets'),
  chains: z.enum(['own', 'one']).default('own').describe('own: each dataset from a chain of its own; one: spaced draws of one chain'),
  synthesized: z
    .union([z.literal('all'), names.min(1)])
    .default('all')
    .describe('The variables that are replaced, others are kept; `cart` visits them in this order'),
  missing: z
    .enum(['refuse', 'category', 'impute'])
    .default('refuse')
    .describe('Missing values: refused, a category of their own, or drawn with the parameters of the model'),
  structuralZeros: z
    .string()
    .min(1)
    .optional()
    .describe('Path of a table of impossible partial combinations; an empty cell stands for any value'),
});

const CANDIDATES_DEFAULT =
  'What the intruder does not know of a record. Default: one value (one-change). Where variables are kept, every value of the synthesized ones; under the model cart one-change there too';

const scenarioSchema = z
  .strictObject({
    name: z.string().min(1).max(80).describe('What the intruder is called in tables and in the report'),
    candidates: candidatesSchema.optional().describe(CANDIDATES_DEFAULT),
    prior: priorSchema
      .default('uniform')
      .describe('The prior over the candidates: uniform; the other records; the model of them; weights in files'),
    knows: knowledgeSchema
      .optional()
      .describe(
        'Records that the intruder has: nothing, a share of them drawn at random, or the rows of the table that the column record of a file numbers from 1 (default: all but the one in question)',
      ),
    acceptance: names
      .optional()
      .describe('Rules on the figures of this scenario alone in the summary, for example "truthRankedFirstShare <= 0.05"'),
    acceptanceRegion: names.optional().describe('Rules on the records under this scenario alone, for example "R <= 0.1 or RR <= 1.05"'),
  })
  .describe('What an intruder considers and believes');

/** Which probability is estimated; `exact` is of counts and of trees, `fixed-structure` of trees whose divisions stay as they are. */
export const estimatorSchema = z.enum(['augmented', 'parameters', 'importance', 'exact', 'fixed-structure']);

const attributeRiskSchema = z.strictObject({
  estimator: estimatorSchema
    .default('augmented')
    .describe('Where the model is of counts exact, of trees too unless the precision is quick: then fixed-structure; neither is asked for'),
  candidates: candidatesSchema.optional().describe(`Of a single scenario. ${CANDIDATES_DEFAULT}`),
  prior: priorSchema.optional().describe('Of a single scenario. Default: uniform'),
  scenarios: z
    .array(scenarioSchema)
    .min(1)
    .max(20)
    .optional()
    .describe('Several intruders, who share every chain; in place of candidates and prior'),
  phi: z
    .enum(['integrated', 'drawn'])
    .optional()
    .describe('Whether candidates are scored with phi integrated out, or as it was drawn (default: integrated where that is possible)'),
  slope: likelihoodPower.default(1).describe('Power of the likelihood, as found by a calibration'),
  control: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of a table of real people who are not in the confidential one, with whom its records are compared in the test of membership (default: with people drawn from the model)',
    ),
  acceptanceRegion: names
    .default([])
    .describe(
      'Rules on absolute and relative risk that hold for every prior probability of the true value, for example "R <= 0.1 or RR <= 1.05", or of one scenario \'attributeRisk["its name"]: R <= 0.1 or RR <= 1.05\'',
    ),
  marginals: z
    .array(names.min(1))
    .min(1)
    .optional()
    .describe('Of the candidates all-cells: sets of variables whose distributions are given (default: each variable by itself)'),
});

const inherentSchema = z
  .strictObject({
    resamples: positiveInteger.default(100).describe('Datasets drawn for each bound (Hu & Savitsky 2018, section 4.1)'),
    bands: positiveInteger.default(10).describe('Bands of a kept continuous variable within which values are drawn'),
  })
  .describe('The least and the most that such a release could disclose, computed beside its risk');

/** How bounds are found where nothing else is asked for: deciles, and as many resamples as Hu & Savitsky (2018), section 4. */
export const BOUNDS_DEFAULTS = inherentSchema.parse({});

/** A name that people know something by: a line of text. */
export const lineOfText = z
  .string()
  .max(120)
  .regex(/^\P{Cc}*[^\p{Cc}\s]\P{Cc}*$/u, 'must be one line of text, not empty');

/** What a report says of a run beside its figures. */
export const reportSchema = z
  .strictObject({
    table: lineOfText.optional().describe('What people call the table: "Household survey 2026"'),
    by: lineOfText.optional().describe('Who runs it'),
  })
  .describe('What the report and the evidence pack say of a run beside its figures; no result and no open file depends on it');

const calibrationSchema = z
  .strictObject({
    targets: severalOf.default(1000).describe('Records that a replicate replaces and scores'),
    replicates: positiveInteger.default(3).describe('Altered tables, each with a synthesis of its own'),
  })
  .describe('What `calibrate` does; no other command reads it');

/**
 * Why phi is scored as it was drawn (docs/explanation/estimators.md, phi integrated out), or null where it can be integrated out: of
 * fully synthetic data from a DPMPM all of whose cells are possible, for candidates that are listed.
 */
function drawnPhiReason(
  { model, synthesis, attributeRisk }: Pick<z.output<typeof fieldsSchema>, 'model' | 'synthesis' | 'attributeRisk'>,
  scenarios: readonly { candidates: Candidates }[],
): string | null {
  const { offers } = factsOf(model);
  if (!offers.includes('integrated-phi')) return 'of another model than dpmpm and mixed';
  if (synthesis.synthesized !== 'all' && !offers.includes('densities')) return 'of data that keep variables under another model than mixed';
  if (synthesis.structuralZeros !== undefined) return 'with structural zeros';
  if (attributeRisk.estimator === 'importance') return 'of what the estimator importance weighs';
  if (scenarios.some(({ candidates }) => scoresCells(candidates))) {
    return 'for candidates among all cells, nor for others that are to agree with them';
  }
  return null;
}

/** The fields of the config file. */
const fieldsSchema = z.strictObject({
  table: z.string().min(1).optional().describe('Path of the confidential table, CSV or Parquet'),
  seed: count.default(1),
  variables: z.record(z.string(), variableOverrideSchema).default({}),
  missingCodes: missingCodesSchema.optional().describe('Values that stand for missing ones in every variable, such as [-9, "."]'),
  count: z.string().min(1).optional().describe('The column that says how many records each row stands for, in a table of frequencies'),
  numbers: numberFormatSchema.optional(),
  model: modelSchema.prefault({}),
  mcmc: mcmcSchema.prefault({}),
  synthesis: synthesisSchema.prefault({}),
  attributeRisk: attributeRiskSchema.prefault({}),
  identification: z.array(identificationScenarioSchema).default([]).describe('Intruders who match; they need variables that are kept'),
  inherent: inherentSchema.optional(),
  utility: utilitySchema.prefault({}),
  attack: attackSettingsSchema.optional(),
  calibration: calibrationSchema.optional(),
  report: reportSchema.optional(),
  acceptance: names
    .default([])
    .describe(
      'Rules on the summary, for example "attributeRisk.truthRankedFirstShare <= 0.05", or of one scenario \'attributeRisk["its name"].truthRankedFirstShare <= 0.05\'',
    ),
});

/** The config file, with every default filled in. Unknown fields are refused. */
export const configSchema = fieldsSchema
  .transform((config, context) => {
    const { estimator, candidates, prior, scenarios: given, phi, ...others } = config.attributeRisk;
    const { method, offers } = factsOf(config.model);
    const unsimulated = method !== 'sampled';
    const { synthesized } = config.synthesis;
    // Values of kept variables are in the release: nothing is left to guess of them. Trees synthesize many variables, whose
    // cells are too many to be listed.
    const listsChanges = synthesized === 'all' || method === 'grown' || offers.includes('densities');
    const byDefault: Candidates = listsChanges ? 'one-change' : { unknown: synthesized };
    const single = { candidates: candidates ?? byDefault, prior: prior ?? 'uniform' };
    const scenarios: ScenarioSettings[] = given?.map((scenario) => ({ ...scenario, candidates: scenario.candidates ?? byDefault })) ?? [
      { name: candidatesInConfig(single.candidates), ...single },
    ];
    const refuse = (message: string, field = 'scenarios') => context.addIssue({ code: 'custom', path: ['attributeRisk', field], message });
    if (new Set(scenarios.map(({ name }) => name)).size < scenarios.length) refuse('Two have the same name');
    if (scenarios.filter((scenario) => scoresCells(scenario.candidates)).length > 1) {
      refuse('Only one may have the candidates all-cells');
    }
    // Plans up to version 0.8.0 say the first scenario twice: here, and in the list.
    const [first] = scenarios;
    const contradicts = (said: unknown, own: unknown) => said !== undefined && JSON.stringify(said) !== JSON.stringify(own);
    if (given && (contradicts(candidates, first?.candidates) || contradicts(prior, first?.prior))) {
      refuse('Scenarios have candidates and a prior of their own: leave attributeRisk.candidates and .prior out');
    }
    const reason = drawnPhiReason(config, scenarios);
    if (phi === 'integrated' && reason !== null) refuse(`phi cannot be integrated out ${reason}`, 'phi');
    // Of trees, when it is to be quick, with their divisions as they are.
    const unestimated = method === 'grown' && config.mcmc.precision === 'quick' ? 'fixed-structure' : 'exact';
    const attributeRisk = {
      estimator: unsimulated && estimator === 'augmented' ? unestimated : estimator,
      ...others,
      phi: phi ?? (reason === null ? ('integrated' as const) : ('drawn' as const)),
      scenarios,
    };
    // Where nothing is simulated, no evaluation differs from another.
    const mcmc = unsimulated ? { ...config.mcmc, reproducibility: 'off' as const } : config.mcmc;
    return { ...config, mcmc, attributeRisk };
  })
  .describe('Config of a synthrisk run');

/** A config with every default filled in. */
export type Config = z.output<typeof configSchema>;

/** What an intruder considers and believes, as it is asked for. */
export type ScenarioSettings = z.output<typeof scenarioSchema> & { candidates: Candidates };

/**
 * Whether a table and its datasets are kept record by record: where variables are kept, and where the model takes records as they are.
 * Otherwise they are combinations with counts.
 */
export const keepsRecords = ({ model, synthesis }: Pick<Config, 'model' | 'synthesis'>): boolean =>
  synthesis.synthesized !== 'all' || factsOf(model).fits === 'records';

/** Why the chains of a run find nothing of who is in the table; null where they do. */
export function membershipReason({ synthesis, attributeRisk }: Pick<Config, 'synthesis' | 'attributeRisk'>): string | null {
  if (synthesis.synthesized !== 'all') return 'variables are kept, so that the row of every record is there to be seen';
  if (attributeRisk.estimator === 'importance') return 'the published estimator `importance` has no expectation for it: use `augmented`';
  return null;
}

/** Candidates as text. */
export function candidatesInConfig(candidates: Candidates): string {
  if (typeof candidates === 'string') return candidates;
  return `unknown: ${candidates.unknown.join(', ')}`;
}

/** What the intruders of a run's scenarios have who do not have all records but one, each such knowledge once. */
export function lesserKnowledge({ attributeRisk }: Pick<Config, 'attributeRisk'>): Knowledge[] {
  const all = attributeRisk.scenarios.flatMap(({ knows }) => knows ?? []);
  return [...new Map(all.map((knows) => [knowledgeName(knows), knows])).values()];
}

/**
 * How the candidates of intruders are scored who know less. Their records are in none of the chains' tables and have no class to be taken
 * out of: a density is that of phi as drawn, but under a model with densities, whose draws keep no mu and sigma.
 */
export const lesserPhi = ({ model, attributeRisk }: Pick<Config, 'model' | 'attributeRisk'>): Config['attributeRisk']['phi'] =>
  factsOf(model).offers.includes('densities') ? attributeRisk.phi : 'drawn';

/** Whether somebody who knows nothing is asked which records are in the table: these are combinations, which numbers have none of. */
export const hasReconstruction = ({ model, attributeRisk }: Pick<Config, 'model' | 'attributeRisk'>): boolean =>
  factsOf(model).fits === 'combinations' && attributeRisk.scenarios.some(({ knows }) => knows === 'nothing');

/** Files of the priors of all scenarios, one scenario's after the other. */
export const allPriorFiles = ({ attributeRisk }: Config): string[] =>
  attributeRisk.scenarios.flatMap(({ prior }) => [...priorFiles(prior)]);

/** Files of known records of all scenarios that have one, in their order. */
export const allKnownFiles = ({ attributeRisk }: Config): string[] =>
  attributeRisk.scenarios.flatMap(({ knows }) => (typeof knows === 'object' && 'file' in knows ? [knows.file] : []));

/** A config that names another control, or none. */
export function withControl(config: Config, control: string | undefined): Config {
  const { control: _, ...attributeRisk } = config.attributeRisk;
  return { ...config, attributeRisk: { ...attributeRisk, ...(control === undefined ? {} : { control }) } };
}

/** A config whose priors name other files, as many of each scenario as before. */
export function withPriorFiles(config: Config, files: readonly string[]): Config {
  let from = 0;
  const scenarios = config.attributeRisk.scenarios.map((scenario) => {
    const count = priorFiles(scenario.prior).length;
    if (count === 0) return scenario;
    from += count;
    return { ...scenario, prior: { file: files.slice(from - count, from) } };
  });
  return { ...config, attributeRisk: { ...config.attributeRisk, scenarios } };
}

/** How many records `calibrate` replaces, and how often, with defaults filled in. */
export const calibrationSettings = ({ calibration }: Config) => calibrationSchema.parse(calibration ?? {});

/** What the intruder believes of the candidates before the release (docs/explanation/estimators.md, priors). */
export type Prior = z.infer<typeof priorSchema>;

/** The files that a prior names: paths, or in a plan their digests. */
export function priorFiles(prior: Prior): readonly string[] {
  if (typeof prior === 'string') return [];
  return typeof prior.file === 'string' ? [prior.file] : prior.file;
}

/** A prior in a word. */
export const priorName = (prior: Prior) => (typeof prior === 'string' ? prior : 'file');

/** Whether an estimator rests on draws, so that what it finds has Monte Carlo error. */
export const isSimulated = (estimator: Estimator) => estimator !== 'exact' && estimator !== 'fixed-structure';

/** Which probability is estimated; see `risk/attribute/attribute-estimators.ts` for their meaning. */
export type Estimator = Config['attributeRisk']['estimator'];

/** Whether draws of base chains hold latent numbers: none of these chains goes on, but `importance` takes likelihoods of draws. */
export const keepsLatent = ({ attributeRisk }: Pick<Config, 'attributeRisk'>): boolean => attributeRisk.estimator === 'importance';

/** Whether phi is integrated out where candidates are scored, so that chains keep their allocations (docs/explanation/estimators.md). */
export const integratesPhi = ({ attributeRisk }: Pick<Config, 'attributeRisk'>): boolean => attributeRisk.phi === 'integrated';

/** Draws that a base chain keeps half way through its burn-in. */
const EARLY_DRAWS = 5;

/**
 * The draws of a base chain that lead up to half its burn-in, as a schedule that ends there: they tell how far chains choose their
 * mode by a record, by which the model's prior weighs chains (`risk/attribute/mode-choice.ts`).
 *
 * @returns null where one expectation over all chains stays the prior: where phi is scored as it was drawn, and where burn-in is too
 * short
 */
export function earlySchedule({ attributeRisk, mcmc: { burnIn, thin } }: Pick<Config, 'attributeRisk' | 'mcmc'>) {
  const half = Math.floor(burnIn / 2);
  if (!integratesPhi({ attributeRisk }) || half < EARLY_DRAWS) return null;
  const between = Math.min(thin, Math.floor(half / EARLY_DRAWS));
  return { burnIn: half - EARLY_DRAWS * between, draws: EARLY_DRAWS, thin: between };
}
