import { tableRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { type Config, hasReconstruction } from '../../contracts/config/config.ts';
import { InvalidConfigError, InvalidTableError, UnsupportedOptionError } from '../../contracts/errors.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { reservedNames } from '../../contracts/settings/reserved-names.ts';
import { type OpenedRelease, openRelease } from '../../risk/bounds/open-bounds.ts';
import { type CandidateSpace, candidateSpace } from '../../risk/intruder/candidate-space.ts';
import { askedOfRecords } from '../../risk/mixed/record-candidates.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import { guessedColumns } from '../../table/guessed-columns.ts';
import { variableNames } from '../../table/names-in-text.ts';
import type { Table } from '../../table/table.ts';
import { openUtility, refuseConstantResponses } from '../../utility/open-utility.ts';
import { methodOf } from '../methods/methods.ts';
import { hasCombinations } from '../rounds/chains-needed.ts';
import { synthesizerOf } from '../synthesizers/synthesizers.ts';
import { type PlannedPrior, type PlannedSupport, planPriors, planSupport, refuseUnscored } from './planned-files.ts';
import type { RunRequest } from './planned-run.ts';

/** What a model of combinations, with chains or of counts, needs of a table. */
export interface ChainedRun {
  readonly unique: CombinationsOfRecords;
  /** Classes of a draw; 0 without chains. */
  readonly classes: number;
  /** The candidates that each scenario's intruder considers. */
  readonly spaces: readonly CandidateSpace[];
  readonly support: PlannedSupport | null;
  /** The files of the priors, those of one scenario after the other. */
  readonly priors: PlannedPrior;
}

/** A run whose settings have been found to go with each other, and with its table. */
export interface CheckedRun {
  /** What its datasets replace, and the intruders who match. */
  readonly release: OpenedRelease;
  /** Null where the model takes records as they are. */
  readonly chained: ChainedRun | null;
  /** The same where candidates are scored; null where none are, or the model takes records as they are. */
  readonly scored: ChainedRun | null;
  /** The candidates that each scenario's intruder considers; null where none are scored. */
  readonly spaces: readonly CandidateSpace[] | null;
}

/**
 * Refuses what can be refused before a table is read.
 *
 * @throws UnsupportedOptionError `exact-risk`, `control-unused`, `no-attribute-risk`, `uncalibrated-prior`, and what `refuseUnscored` throws
 */
export function refuseUnplanned({ purpose, config }: Pick<RunRequest, 'purpose' | 'config'>): void {
  refuseUnscored(purpose, config);
  refuseUnaskedControl(config);
  synthesizerOf(config).refusePurpose(purpose, config);
  if (purpose === 'calibrate' && config.attributeRisk.scenarios.some(({ prior }) => prior !== 'uniform')) {
    throw new UnsupportedOptionError(
      'uncalibrated-prior',
      'A calibration draws its targets evenly from their candidates, so that its prior is `uniform`: leave attributeRisk.prior out. What it finds of the likelihood holds under every prior.',
    );
  }
}

/** Refuses a control under whose scenarios nobody asks who is in the table (UnsupportedOptionError `control-unused`). */
function refuseUnaskedControl(config: Config): void {
  const { control, scenarios } = config.attributeRisk;
  if (control === undefined) return;
  const reasons = scenarios.map((scenario) => methodOf(config, scenario).membershipReason(config));
  if (reasons.some((reason) => reason === null)) return;
  throw new UnsupportedOptionError(
    'control-unused',
    `attributeRisk.control (--control): leave it out. It is for finding out who is in the table, which this run does not: ${reasons[0]}.`,
  );
}

/** Holds the settings of a run to its table, and finds what they come to there. */
export async function checkRun(request: RunRequest, table: Table): Promise<CheckedRun> {
  const { config } = request;
  const release = openRelease(config, table.schema);
  if (config.utility !== 'off') {
    refuseConstantResponses(openUtility(config.utility, config.variables, table.schema, release.synthesized), table);
  }
  refuseKeptCandidates(config);
  synthesizerOf(config).refuseTable(config, table);
  const chained = hasCombinations(config) ? await checkChained(request, table) : null;
  const reason = tableRiskReason(config, table);
  if (reason !== null && request.purpose === 'assess') {
    throw new UnsupportedOptionError(
      'no-attribute-risk',
      `${reason} The command identify measures identification risk of datasets made elsewhere.`,
    );
  }
  if (reason !== null) return { release, chained, scored: null, spaces: null };
  return { release, chained, scored: chained, spaces: chained ? chained.spaces : recordSpaces(config, table) };
}

/** Refuses candidates of continuous variables that are of no use: InvalidConfigError `candidates-of-kept`. */
function refuseKeptCandidates({ variables, synthesis: { synthesized } }: Config): void {
  const declared = Object.entries(variables).flatMap(([name, { candidates }]) => (candidates === undefined ? [] : [name]));
  const kept = declared.filter((name) => synthesized !== 'all' && !synthesized.includes(name));
  if (kept.length > 0) {
    throw new InvalidConfigError(
      'candidates-of-kept',
      `variables: ${kept.join(', ')} ${kept.length === 1 ? 'is' : 'are'} not synthesized, so that nothing is guessed of ${kept.length === 1 ? 'it' : 'them'}: leave the candidates out.`,
    );
  }
}

/** Refuses unknown variables that are kept, so that they are in every dataset: InvalidConfigError `unknown-is-kept`. */
function refuseKeptUnknown({ attributeRisk, synthesis: { synthesized } }: Config, { variables }: TableSchema): void {
  if (synthesized === 'all') return;
  const unknown = attributeRisk.scenarios.flatMap(({ candidates }) => (typeof candidates === 'string' ? [] : candidates.unknown));
  const kept = unknown.find((own) => !synthesized.includes(own) && variables.some(({ name }) => name === own));
  if (kept === undefined) return;
  throw new InvalidConfigError(
    'unknown-is-kept',
    `attributeRisk.candidates: ${kept} is not synthesized, so that every dataset has it and nothing is guessed of it. Name synthesized variables: ${synthesized.join(', ')}.`,
  );
}

/** The candidates of a run by records as they are, which are of its synthesized variables. */
function recordSpaces(config: Config, table: Table): CandidateSpace[] {
  refuseReservedNames(config, table.schema);
  refuseKeptUnknown(config, table.schema);
  if (factsOf(config.model).offers.includes('densities')) {
    return config.attributeRisk.scenarios.map(({ candidates }) => askedOfRecords(config, table.schema, candidates).listed);
  }
  return spacesOf(config, guessedColumns(config, table).schema);
}

function spacesOf({ attributeRisk }: Config, schema: TableSchema): CandidateSpace[] {
  const names = schema.variables.map(({ name }) => name);
  const sizes = categorySizes(schema);
  return attributeRisk.scenarios.map(({ candidates }) => candidateSpace(candidates, names, sizes));
}

async function checkChained({ config, structuralZeros, priorFiles }: RunRequest, table: Table): Promise<ChainedRun> {
  const { schema } = table;
  refuseReservedNames(config, schema);
  const unique = uniqueCombinations(table);
  const classes = synthesizerOf(config).chains?.classes?.(config, schema, unique.combinations) ?? 0;
  const spaces = spacesOf(config, schema);
  const support = await planSupport(config, structuralZeros, schema, unique);
  const priors = await planPriors(config, priorFiles, schema, unique.combinations);
  return { unique, classes, spaces, support, priors };
}

/** Refuses variables that are named like a column of a table of results, which would then have two: InvalidTableError `reserved-variable-name`. */
function refuseReservedNames(config: Config, schema: TableSchema): void {
  const { synthesis, model } = config;
  const { variables } = schema;
  const reserved = reservedNames(synthesis.synthesized !== 'all', factsOf(model).fits === 'records', hasReconstruction(config));
  const named = [...variables.keys()].filter((v) => reserved.includes(variables[v]!.name));
  if (named.length === 0) return;
  throw new InvalidTableError(
    'reserved-variable-name',
    `${variableNames(schema, named)}: the tables of results have a column of such a name; rename it in the file, drop it (--drop), or say that it is the count of each row (--count); expected any name but ${reserved.join(', ')}`,
  );
}
