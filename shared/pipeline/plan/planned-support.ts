import { attributeRiskReason } from '../../contracts/config/attribute-risk-reason.ts';
import { type Config, scoresCells } from '../../contracts/config/config.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { refuseUnreadZeros } from '../../contracts/settings/refuse-unread-files.ts';
import { sha256 } from '../../contracts/sha256.ts';
import { categorySizes } from '../../table/category-sizes.ts';
import type { CombinationsOfRecords } from '../../table/combinations.ts';
import { readStructuralZeros, type StructuralZeros } from '../../table/support/read-structural-zeros.ts';
import { refuseImpossibleRecords, type Support, supportOf } from '../../table/support/support.ts';

/** The structural zeros of a planned run. */
export interface PlannedSupport {
  readonly sha256: string;
  readonly zeros: StructuralZeros;
  readonly support: Support;
}

/**
 * Reads the structural zeros of a run and holds the table to them; null where it has none.
 *
 * @param bytes of the file that `synthesis.structuralZeros` names
 * @throws UnsupportedOptionError `structural-zeros-unread` when a file is named, and not there to be read
 * @throws InvalidTableError as {@link readStructuralZeros} and {@link refuseImpossibleRecords} do
 */
export async function planSupport(
  config: Config,
  bytes: Uint8Array | undefined,
  schema: TableSchema,
  records: CombinationsOfRecords,
): Promise<PlannedSupport | null> {
  if (bytes === undefined) {
    refuseUnreadZeros(config);
    return null;
  }
  const sizes = categorySizes(schema);
  const zeros = readStructuralZeros(bytes, schema);
  const support = supportOf(zeros, sizes);
  refuseImpossibleRecords(records, sizes, support);
  return { sha256: await sha256(bytes), zeros, support };
}

/**
 * Refuses measures that are not offered for missing values to impute, or for structural zeros, whichever scenario asks for them.
 *
 * @throws UnsupportedOptionError `uncalibrated`, `cells-beyond-support`, `candidates-of-missing` and
 * `no-attribute-risk`
 */
export function refuseUnscored(purpose: Plan['purpose'], config: Config): void {
  const { missing, structuralZeros } = config.synthesis;
  if (purpose === 'synthesize' || (missing !== 'impute' && structuralZeros === undefined)) return;
  const reason = attributeRiskReason(config);
  // Where variables are kept an evaluation measures other things, and tells why not this one.
  if (reason !== null && purpose === 'evaluate' && config.synthesis.synthesized !== 'all') return;
  if (reason !== null) {
    throw new UnsupportedOptionError('no-attribute-risk', `${reason} The command synthesize makes the datasets alone.`);
  }
  if (purpose === 'calibrate') {
    throw new UnsupportedOptionError(
      'uncalibrated',
      'A calibration is not offered with missing values to impute, nor with structural zeros.',
    );
  }
  const { scenarios } = config.attributeRisk;
  if (structuralZeros !== undefined && scenarios.some(({ candidates }) => scoresCells(candidates))) {
    throw new UnsupportedOptionError(
      'cells-beyond-support',
      'The candidates `all-cells` are not offered with structural zeros, which forbid some of the cells.',
    );
  }
  if (missing === 'impute' && scenarios.some(({ candidates }) => candidates !== 'one-change')) {
    throw new UnsupportedOptionError(
      'candidates-of-missing',
      'With missing values to impute the candidates are `one-change`, of the values that a record has.',
    );
  }
}
