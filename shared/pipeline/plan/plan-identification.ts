import type { Config } from '../../contracts/config/config.ts';
import type { IdentificationScenario } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError, InvalidTableError } from '../../contracts/errors.ts';
import { copiesOfTables, type TableCopies } from '../../risk/copies/copies-of-tables.ts';
import { type OpenedScenario, openScenario, refuseRepeatedScenarios } from '../../risk/identification/opened-scenario.ts';
import { readingOf, readTable, readTableAs } from '../../table/files/read-table.ts';
import type { Table } from '../../table/table.ts';

/** What `identify` is asked to do. Files are read when they are needed, so that the bytes of one are there at a time. */
export interface IdentificationRequest {
  readonly config: Pick<Config, 'variables' | 'synthesis'>;
  /** As {@link scenariosToIdentify} gives them. */
  readonly scenarios: readonly IdentificationScenario[];
  /** The confidential table, CSV or Parquet. */
  readonly table: () => Promise<Uint8Array>;
  /** The datasets of a release, with the names of their files. */
  readonly datasets: readonly { readonly name: string; readonly read: () => Promise<Uint8Array> }[];
}

/** What will be matched with what. */
export interface PlannedIdentification {
  readonly table: Table;
  readonly datasets: readonly Table[];
  readonly scenarios: readonly OpenedScenario[];
  readonly copied: TableCopies;
  /** What was noticed in the table. */
  readonly notices: readonly string[];
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
export async function planIdentification(request: IdentificationRequest): Promise<PlannedIdentification> {
  const reading = readingOf(request.config);
  const { table, notices } = await readTable(await request.table(), reading);
  const { schema } = table;
  const scenarios = request.scenarios.map((scenario) => openScenario(schema, scenario));
  const datasets: Table[] = [];
  for (const { name, read } of request.datasets) {
    const dataset = await readTableAs(await read(), schema, reading).catch((error) => {
      throw error instanceof InvalidTableError ? new InvalidTableError(error.code, `${name}: ${error.message}`, error.where) : error;
    });
    datasets.push(dataset.table);
  }
  return { table, datasets, scenarios, copied: copiesOfTables(table, datasets), notices };
}
