import { decodeCheckedNpy } from '../../../arrays/checked-npy.ts';
import { storeRecordDataset } from '../../../artifacts/stored-dataset.ts';
import { readStreams } from '../../../artifacts/stored-keys.ts';
import { readRecordDataset, readRecordTable } from '../../../artifacts/stored-table.ts';
import { type Config, integratesPhi } from '../../../contracts/config/config.ts';
import { knowledgeName } from '../../../contracts/config/knowledge.ts';
import { runKeys } from '../../../contracts/keys.ts';
import { settingsOf } from '../../../contracts/models/models.ts';
import { createMixed, type MixedSettings } from '../../../model/mixed/mixed.ts';
import { synthesizeMixed, synthesizeMixedFromOwnClass } from '../../../model/mixed/mixed-synthesis.ts';
import { besideRows, columnsOf, mixedRows, mixedView, placesOf } from '../../../model/mixed/mixed-view.ts';
import { normalPriorOf } from '../../../model/mixed/normal-prior.ts';
import { takenNumbers } from '../../../table/combinations.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import { chosenRecords, incompleteColumns } from '../../../table/table.ts';
import type { OpenRun } from '../chains/run-chains.ts';

/** The settings of the sampler that a config gives. */
export function samplerSettings({ model }: Config): MixedSettings {
  const { classes, concentration } = settingsOf(model, 'mixed');
  return { classes, concentration, normal: normalPriorOf(model) };
}

/** Reads what every chain of a run starts from: its table, record by record. */
export const openMixed: OpenRun = async (store, plan) => {
  const { config } = plan;
  const table = await readRecordTable(store, plan);
  const view = mixedView(table.schema, config.variables);
  const settings = samplerSettings(config);
  const { synthesized } = config.synthesis;
  const replaced = synthesized === 'all' ? null : synthesizedVariables(synthesized, table.schema);
  const alone = mixedRows(view, [table]);
  return {
    plan,
    streams: await readStreams(store, plan),
    keepAllocation: integratesPhi(config) ? table.records : undefined,
    alone: () => createMixed(alone, settings),
    async stacked(dataset) {
      const released = await readRecordDataset(store, plan, dataset, table);
      return createMixed(replaced === null ? mixedRows(view, [table], [released]) : besideRows(view, table, released, replaced), settings);
    },
    async learned(knows, dataset) {
      const key = runKeys(plan.runId).table.known(knowledgeName(knows));
      const known = chosenRecords(table, takenNumbers(decodeCheckedNpy(await store.get(key), key).data as Uint32Array));
      const released = dataset === 0 ? [] : [await readRecordDataset(store, plan, dataset, table)];
      return createMixed(mixedRows(view, [known], released), settings);
    },
    async synthesize(state, made, random) {
      const completed = incompleteColumns(table).filter((v) => !replaced?.includes(v));
      const drawn = replaced
        ? synthesizeMixedFromOwnClass(
            createMixed(alone, settings),
            state,
            alone,
            { synthesized: placesOf(view, replaced), completed: placesOf(view, completed) },
            random,
          )
        : synthesizeMixed(state, alone, table.records, random);
      const released = replaced ? [...replaced, ...completed] : [...table.columns.keys()];
      await storeRecordDataset(store, plan, table, { ...made, rows: columnsOf(view, drawn, released) });
    },
  };
};
