import {
  DECLARE_CANDIDATES,
  PROPER_TREES,
  tableRiskReason,
  withoutCandidates,
} from '../../contracts/config/attribute-risk-reason.ts';
import type { Config } from '../../contracts/config/config.ts';
import { isCountModel } from '../../contracts/config/model.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { classesOfDraw } from '../../model/chain-model.ts';
import { type OpenedRelease, openRelease } from '../../risk/bounds/opened-release.ts';
import { type CandidateSpace, candidateSpace } from '../../risk/intruder/candidate-space.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import { fittedCombinations } from '../../table/fitted-combinations.ts';
import { guessedColumns } from '../../table/guessed-columns.ts';
import type { Table } from '../../table/table.ts';
import { openUtility, refuseConstantResponses } from '../../utility/open-utility.ts';
import { hasCombinations } from '../rounds/chains-needed.ts';
import { type PlannedPrior, planPriors } from './planned-prior.ts';
import type { RunRequest } from './planned-run.ts';
import { type PlannedSupport, planSupport, refuseUnscored } from './planned-support.ts';
import { refuseReservedNames } from './refuse-reserved-names.ts';
import { refuseUndeclared } from './refuse-undeclared.ts';

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

/** Why a command has nothing to do where the risk is exact. */
const REFUSED_EXACT = {
  assess:
    'known of the datasets that a run has drawn alone: evaluate the table. Datasets made elsewhere are assessed under a model with chains.',
  calibrate: 'claims what it achieves: there is nothing to calibrate.',
} as const;

/**
 * Refuses what can be refused before a table is read.
 *
 * @throws UnsupportedOptionError `exact-risk`, `no-attribute-risk`, `uncalibrated-prior`, and what `refuseUnscored` throws
 */
export function refuseUnplanned({ purpose, config }: Pick<RunRequest, 'purpose' | 'config'>): void {
  refuseUnscored(purpose, config);
  if (isCountModel(config.model) && (purpose === 'assess' || purpose === 'calibrate')) {
    throw new UnsupportedOptionError(
      'exact-risk',
      `The risk under the model ${config.model.name} is exact, and ${REFUSED_EXACT[purpose]}`,
    );
  }
  if (purpose === 'calibrate' && config.attributeRisk.scenarios.some(({ prior }) => prior !== 'uniform')) {
    throw new UnsupportedOptionError(
      'uncalibrated-prior',
      'A calibration draws its targets evenly from their candidates, so that its prior is `uniform`: leave attributeRisk.prior out. What it finds of the likelihood holds under every prior.',
    );
  }
  if (purpose === 'calibrate' && config.synthesis.leaveOut !== undefined) {
    throw new UnsupportedOptionError(
      'uncalibrated',
      'A calibration is not offered with combinations that are left out (synthesis.leaveOut): calibrate without.',
    );
  }
  if (config.model.name === 'cart' && purpose === 'calibrate') {
    throw new UnsupportedOptionError(
      'no-attribute-risk',
      'The attribute risk of trees is exact: it claims what it achieves, and there is nothing to calibrate. Evaluate the table.',
    );
  }
}

/**
 * Holds the settings of a run to its table, and finds what they come to there.
 *
 * @throws InvalidTableError, InvalidConfigError, UnsupportedOptionError
 */
export async function checkRun(request: RunRequest, table: Table): Promise<CheckedRun> {
  const { config } = request;
  const release = openRelease(config, table.schema);
  if (config.utility !== 'off') {
    refuseConstantResponses(
      openUtility(config.utility, config.variables, table.schema, release.synthesized),
      table,
    );
  }
  refuseCandidates(config, table.schema);
  const chained = hasCombinations(config) ? await checkChained(request, table) : null;
  const reason = tableRiskReason(config, table);
  if (reason !== null && request.purpose === 'assess') {
    throw new UnsupportedOptionError(
      'no-attribute-risk',
      `${reason} The command identify measures identification risk of datasets made elsewhere.`,
    );
  }
  if (reason !== null) return { release, chained, scored: null, spaces: null };
  return { release, chained, scored: chained, spaces: chained ? chained.spaces : treeSpaces(config, table) };
}

/**
 * Refuses candidates of continuous variables that are of no use, and attribute risk that is asked for without them.
 *
 * @throws InvalidConfigError `candidates-of-kept`, `continuous-without-candidates`
 * @throws UnsupportedOptionError `proper-trees`
 */
function refuseCandidates(config: Config, schema: TableSchema): void {
  const declared = Object.entries(config.variables).flatMap(([name, { candidates }]) =>
    candidates === undefined ? [] : [name],
  );
  const { synthesized } = config.synthesis;
  const kept = declared.filter((name) => synthesized === 'all' || !synthesized.includes(name));
  if (kept.length > 0) {
    throw new InvalidConfigError(
      'candidates-of-kept',
      `variables: ${kept.join(', ')} ${kept.length === 1 ? 'is' : 'are'} not synthesized, so that nothing is guessed of ${kept.length === 1 ? 'it' : 'them'}: leave the candidates out.`,
    );
  }
  if (config.model.name !== 'cart') return;
  const asked = config.attributeRisk.scenarios.some(({ candidates }) => candidates !== 'one-change');
  if (config.model.proper && (declared.length > 0 || asked)) {
    throw new UnsupportedOptionError('proper-trees', PROPER_TREES);
  }
  const missing = withoutCandidates(config, schema);
  if (missing.length > 0 && (declared.length > 0 || asked)) {
    throw new InvalidConfigError(
      'continuous-without-candidates',
      `Attribute risk is asked for, and ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} continuous and synthesized without candidates. ${DECLARE_CANDIDATES}`,
    );
  }
}

/** The candidates of a run by trees, which are of its synthesized variables. */
function treeSpaces(config: Config, table: Table): CandidateSpace[] {
  const { schema } = guessedColumns(config, table);
  refuseReservedNames(table.schema, true);
  return spacesOf(config, schema);
}

function spacesOf({ attributeRisk }: Config, schema: TableSchema): CandidateSpace[] {
  const names = schema.variables.map(({ name }) => name);
  const sizes = categorySizes(schema);
  return attributeRisk.scenarios.map(({ candidates }) => candidateSpace(candidates, names, sizes));
}

async function checkChained(
  { config, structuralZeros, priorFiles }: RunRequest,
  table: Table,
): Promise<ChainedRun> {
  const { schema } = table;
  refuseUndeclared(config, table);
  refuseReservedNames(schema, config.synthesis.synthesized !== 'all');
  const unique = uniqueCombinations(table);
  // For its refusals, before anything is written.
  fittedCombinations(unique.combinations, config.synthesis.leaveOut);
  const classes = classesOfDraw(config, schema, unique.combinations);
  const spaces = spacesOf(config, schema);
  const support = await planSupport(config, structuralZeros, schema, unique);
  const priors = await planPriors(config, priorFiles, schema, unique.combinations);
  return { unique, classes, spaces, support, priors };
}
