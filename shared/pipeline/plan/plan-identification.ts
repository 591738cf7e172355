import type { Config } from '../../contracts/config/config.ts';
import type { IdentificationScenario } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { copiesOfTables } from '../../risk/copies/count-copies.ts';
import { openScenario, refuseRepeatedScenarios } from '../../risk/identification/opened-scenario.ts';
import { readingOf, readTable } from '../../table/files/read-table.ts';
import { type NamedFile, readFiles } from '../files/read-files.ts';

/** What `identify` is asked to do. Files are read when they are needed, so that the bytes of one are there at a time. */
export interface IdentificationRequest {
  readonly config: Pick<Config, 'variables' | 'synthesis'>;
  /** As {@link scenariosToIdentify} gives them. */
  readonly scenarios: readonly IdentificationScenario[];
  /** The confidential table, CSV or Parquet. */
  readonly table: () => Promise<Uint8Array>;
  /** The datasets of a release, with the names of their files. */
  readonly datasets: readonly NamedFile[];
}

/**
 * The scenarios of a config, in which the synthesized variables are those of its synthesis where it names them.
 *
 * @throws InvalidConfigError `no-scenario`, `repeated-scenario`
 */
export function scenariosToIdentify({ identification, synthesis }: Config): IdentificationScenario[] {
  if (identification.length === 0) {
    throw new InvalidConfigError(
      'no-scenario',
      'Say what the intruder knows: --known A,B, or scenarios under `identification` in the config.',
    );
  }
  refuseRepeatedScenarios(identification);
  const { synthesized } = synthesis;
  return identification.map((scenario) => (synthesized === 'all' || scenario.synthesized ? scenario : { ...scenario, synthesized }));
}

/**
 * Reads the files that are matched, and opens the scenarios. Nothing is written.
 *
 * @throws InvalidTableError with the name of the file for a dataset; InvalidConfigError as `openScenario` does
 */
export async function planIdentification(request: IdentificationRequest) {
  const reading = readingOf(request.config);
  const { table, notices } = await readTable(await request.table(), reading);
  const { schema } = table;
  const scenarios = request.scenarios.map((scenario) => openScenario(schema, scenario));
  const datasets = await readFiles(request.datasets, schema, reading);
  return { table, datasets, scenarios, copied: copiesOfTables(table, datasets), notices };
}
