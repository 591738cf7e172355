import { setImmediate } from 'node:timers/promises';
import type { Config } from '../../shared/contracts/config/config.ts';
import type { IdentificationScenario } from '../../shared/contracts/config/identification-scenario.ts';
import { InvalidTableError } from '../../shared/contracts/errors.ts';
import type { TableSchema } from '../../shared/contracts/schema.ts';
import {
  type IdentificationRisk,
  identificationPasses,
  identificationRisk,
} from '../../shared/risk/identification/identification-risk.ts';
import { openScenario } from '../../shared/risk/identification/opened-scenario.ts';
import { type MissingRule, readTable, readTableAs } from '../../shared/table/files/read-table.ts';
import type { Table } from '../../shared/table/table.ts';
import { runSteps } from './progress.ts';
import { readUserFile } from './read-config.ts';

/** What is to be matched with what. */
export interface MatchRequest {
  readonly table: string;
  readonly synthetic: readonly string[];
  readonly variables: Config['variables'];
  readonly missing: MissingRule;
  readonly scenarios: readonly IdentificationScenario[];
  readonly quiet: boolean;
}

/** Identification risk of some files. */
export interface IdentifiedFiles {
  /** One element a scenario. */
  readonly risks: readonly IdentificationRisk[];
  /** Records of the table. */
  readonly records: number;
}

/** Reads a dataset; what is wrong with it is said with the name of its file. */
async function readDataset(
  file: string,
  bytes: Uint8Array,
  schema: TableSchema,
  missing: MissingRule,
): Promise<Table> {
  try {
    return (await readTableAs(bytes, schema, { missing })).table;
  } catch (error) {
    if (!(error instanceof InvalidTableError)) throw error;
    throw new InvalidTableError(error.code, `${file}: ${error.message}`, error.where);
  }
}

/**
 * Reads a table and its synthetic datasets and matches them under every scenario, with progress on standard error.
 *
 * @throws InvalidTableError, InvalidConfigError as the reading of tables and `identificationRisk` do
 */
export async function identifyFiles(request: MatchRequest): Promise<IdentifiedFiles> {
  const { synthetic, variables, missing, scenarios, quiet } = request;
  const datasets: Table[] = [];
  const risks: IdentificationRisk[] = [];
  let table: Table | undefined;
  let filesRead = 0;
  let recordsDone = 0;
  const passes = scenarios.reduce((sum, scenario) => sum + identificationPasses(scenario), 0);
  const read = async () => {
    const bytes = await readUserFile(request.table);
    const { table: confidential, notices } = await readTable(bytes, { variables, missing });
    if (!quiet) for (const notice of notices) process.stderr.write(`Notice: ${notice}\n`);
    table = confidential;
    filesRead++;
    for (const file of synthetic) {
      const dataset = await readUserFile(file);
      datasets.push(await readDataset(file, dataset, table.schema, missing));
      filesRead++;
    }
  };
  const match = async () => {
    for (const scenario of scenarios) {
      const onUnit = async (records: number) => {
        recordsDone += records;
        // Lets the progress be shown.
        await setImmediate();
      };
      risks.push(
        await identificationRisk(
          table!,
          datasets.length,
          (l) => datasets[l]!,
          openScenario(table!.schema, scenario),
          onUnit,
        ),
      );
    }
  };
  await runSteps(
    [
      {
        title: 'Read the files',
        units: synthetic.length + 1,
        unitsDone: () => filesRead,
        work: read,
      },
      {
        title: 'Match the records',
        units: synthetic.length * passes,
        unitsDone: () => (table ? recordsDone / table.records : 0),
        work: match,
      },
    ],
    quiet,
  );
  return { risks, records: table!.records };
}
