import { readDataset } from '../../artifacts/stored-dataset.ts';
import { readCheckedJson, readJson } from '../../artifacts/stored-json.ts';
import { readRecordDataset } from '../../artifacts/stored-table.ts';
import { keepsRecords } from '../../contracts/config/config.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { OptimalTest } from '../../contracts/results/attack.ts';
import { type Summary, summarySchema } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { tableSchema } from '../../contracts/schema.ts';
import { sha256 } from '../../contracts/sha256.ts';
import type { OptimalTests } from '../../risk/attack/share-of-optimal.ts';
import { isSameTable, sharedRows } from '../../risk/copies/count-copies.ts';
import type { Store } from '../../storage/store.ts';
import { distinctRows } from '../../table/distinct-rows.ts';
import type { Table } from '../../table/table.ts';

/** A finished run, and what it is called in messages. */
export interface AttackedRun {
  readonly name: string;
  readonly plan: Plan;
  readonly store: Store;
}

const NO_RUN = 'No run was named that has the optimal test of these datasets: --run DIR.';

/**
 * Refuses a run that assessed no risk, or is of another table or of one that it read otherwise.
 *
 * @param bytes of the table's file
 * @throws InvalidConfigError `nothing-assessed`, `other-table`, `other-settings`
 */
export async function refuseOtherTable({ name, plan, store }: AttackedRun, bytes: Uint8Array, table: Table): Promise<void> {
  const { purpose } = plan;
  if (purpose !== 'evaluate' && purpose !== 'assess') {
    throw new InvalidConfigError('nothing-assessed', `The run in ${name} assessed no risk: name one of \`evaluate\` or \`assess\`.`);
  }
  if ((await sha256(bytes)) !== plan.table.sha256) {
    throw new InvalidConfigError('other-table', `The run in ${name} is of another table: name the file that it was given.`);
  }
  const schema = await readCheckedJson(store, runKeys(plan.runId).table.schema, tableSchema);
  if (JSON.stringify(schema) !== JSON.stringify(table.schema)) {
    throw new InvalidConfigError(
      'other-settings',
      `The run in ${name} read the table with other settings. Leave out what says how it is read: the run's settings hold.`,
    );
  }
}

/**
 * What a run says of the optimal test of membership of its datasets, which those that are attacked have to be.
 *
 * @param run none: there are no such tests, with the reason
 * @throws InvalidConfigError `other-release`
 */
export async function optimalTests(run: AttackedRun | null, datasets: readonly Table[]): Promise<OptimalTests> {
  if (run === null) return { tests: null, reason: NO_RUN };
  const { plan, store } = run;
  await refuseOtherRelease(run, datasets);
  const summary = await readJson(store, runKeys(plan.runId).confidential.summary, summarySchema);
  const { attributeRisk, attributeRiskReason, assessable, assessableReason } = summary;
  if (!assessable || attributeRisk.length === 0) {
    return { tests: null, reason: `The run has no attribute risk. ${(assessable ? attributeRiskReason : assessableReason) ?? ''}`.trim() };
  }
  return { tests: attributeRisk.map((one) => optimalTest(one, plan)) };
}

function optimalTest({ scenario, membership, membershipReason }: Summary['attributeRisk'][number], { config }: Plan): OptimalTest {
  const { knows } = config.attributeRisk.scenarios.find(({ name }) => name === scenario)!;
  const named = {
    scenario,
    knows: knows === undefined ? 'others' : knows === 'nothing' ? 'nothing' : 'share' in knows ? 'share' : 'file',
  } as const;
  if (membership === null) return { ...named, others: null, auc: null, aucSe: null, reason: membershipReason ?? '' };
  const { others, auc, aucSe, aucSimulationSe } = membership;
  return { ...named, others, auc, aucSe: aucSe ?? aucSimulationSe };
}

/** Refuses datasets that are not those of the run. */
async function refuseOtherRelease({ name, plan, store }: AttackedRun, datasets: readonly Table[]): Promise<void> {
  const other = () =>
    new InvalidConfigError(
      'other-release',
      `The run in ${name} has other datasets. Name those that it assessed (--synthetic FILE...), or none, if the run made them.`,
    );
  if (datasets.length !== plan.datasets.count) throw other();
  const left = datasets.map((dataset) => distinctRows(dataset).rows);
  // Shells sort files by name, in which the tenth comes before the second.
  for (let l = 1; l <= plan.datasets.count; l++) {
    const rows = await storedRows(store, plan, l);
    const place = left.findIndex((given) => isSameTable(rows, sharedRows(rows, [given])[0]!));
    if (place < 0) throw other();
    left.splice(place, 1);
  }
}

/** The distinct rows of a run's dataset (from 1). */
async function storedRows(store: Store, plan: Plan, dataset: number) {
  if (!keepsRecords(plan.config)) return (await readDataset(store, plan.runId, dataset)).combinations;
  return distinctRows(await readRecordDataset(store, plan, dataset)).rows;
}
