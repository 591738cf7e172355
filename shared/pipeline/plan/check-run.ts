import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import type { Config } from '../../contracts/config/config.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import { classesOfDraw } from '../../model/chain-model.ts';
import { type OpenedRelease, openRelease } from '../../risk/bounds/opened-release.ts';
import { type CandidateSpace, candidateSpace } from '../../risk/intruder/candidate-space.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import { fittedCombinations } from '../../table/fitted-combinations.ts';
import type { Table } from '../../table/table.ts';
import { hasChains } from '../rounds/chains-needed.ts';
import type { RunRequest } from './planned-run.ts';
import { type PlannedSupport, planSupport, refuseUnscored } from './planned-support.ts';
import { refuseReservedNames } from './refuse-reserved-names.ts';

/** What a model with chains needs of a table. */
export interface ChainedRun {
  readonly unique: CombinationsOfRecords;
  /** Classes of a draw. */
  readonly classes: number;
  /** The candidates that an intruder considers. */
  readonly space: CandidateSpace;
  readonly support: PlannedSupport | null;
}

/** A run whose settings have been found to go with each other, and with its table. */
export interface CheckedRun {
  /** What its datasets replace, and the intruders who match. */
  readonly release: OpenedRelease;
  /** Null where the model has no chains. */
  readonly chained: ChainedRun | null;
  /** The same where candidates are scored; null where none are. */
  readonly scored: ChainedRun | null;
}

/**
 * Refuses what can be refused before a table is read.
 *
 * @throws UnsupportedOptionError `no-attribute-risk`, and what `refuseUnscored` throws
 */
export function refuseUnplanned({ purpose, config }: Pick<RunRequest, 'purpose' | 'config'>): void {
  refuseUnscored(purpose, config);
  if (purpose === 'calibrate' && config.synthesis.leaveOut !== undefined) {
    throw new UnsupportedOptionError(
      'uncalibrated',
      'A calibration is not offered with combinations that are left out (synthesis.leaveOut): calibrate without.',
    );
  }
  if (hasChains(config) || purpose === 'evaluate' || purpose === 'synthesize') return;
  throw new UnsupportedOptionError(
    'no-attribute-risk',
    `The model cart scores no guess at a record, so that there is no attribute risk to ${purpose}. The command identify measures identification risk of datasets made elsewhere.`,
  );
}

/**
 * Holds the settings of a run to its table, and finds what they come to there.
 *
 * @throws InvalidTableError, InvalidConfigError, UnsupportedOptionError
 */
export async function checkRun({ config, structuralZeros }: RunRequest, table: Table): Promise<CheckedRun> {
  const release = openRelease(config, table.schema);
  const chained = hasChains(config) ? await checkChained(config, table, structuralZeros) : null;
  return { release, chained, scored: attributeRiskReason(config) === null ? chained : null };
}

async function checkChained(
  config: Config,
  table: Table,
  structuralZeros: Uint8Array | undefined,
): Promise<ChainedRun> {
  const { schema } = table;
  refuseReservedNames(schema, config.synthesis.synthesized !== 'all');
  const unique = uniqueCombinations(table);
  const names = schema.variables.map(({ name }) => name);
  // For its refusals, before anything is written.
  fittedCombinations(unique.combinations, config.synthesis.leaveOut);
  const classes = classesOfDraw(config, schema, unique.combinations);
  const space = candidateSpace(config.attributeRisk.candidates, names, categorySizes(schema));
  return { unique, classes, space, support: await planSupport(config, structuralZeros, schema, unique) };
}
