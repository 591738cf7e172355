import { readRunContext } from '../../../artifacts/run-context.ts';
import { storeFullDataset } from '../../../artifacts/stored-dataset.ts';
import type { Config } from '../../../contracts/config/config.ts';
import { InvalidConfigError, UnsupportedOptionError } from '../../../contracts/errors.ts';
import { settingsOf } from '../../../contracts/models/models.ts';
import type { DatasetSource, Plan, Task } from '../../../contracts/run/plan.ts';
import { addedCount, plannedCount } from '../../../model/conjugate/added-count.ts';
import { drawRecords } from '../../../model/conjugate/draw-records.ts';
import type { Store } from '../../../storage/store.ts';
import { variableNames } from '../../../table/names-in-text.ts';
import type { Table } from '../../../table/table.ts';
import { numbered } from '../../rounds/chains-needed.ts';
import { chainBytes } from '../chains/chain-bytes.ts';
import type { Synthesizer } from '../synthesizer.ts';
import { estimateCounts } from './estimate-counts.ts';

/**
 * Refuses a table whose cells a model of counts would read off the data, and what else such a model cannot have of it.
 *
 * @throws InvalidConfigError `undeclared-categories`, `not-binary`, `invalid-epsilon`
 */
export function refuseUndeclared({ model: ofRun, variables, synthesis }: Config, { schema, records }: Table): void {
  const model = settingsOf(ofRun, 'beta-binomial', 'dirichlet-multinomial');
  const undeclared = schema.variables.flatMap(({ name }, place) =>
    (variables[name]?.categories ?? variables[name]?.breaks) === undefined ? [place] : [],
  );
  if (undeclared.length > 0) {
    throw new InvalidConfigError(
      'undeclared-categories',
      `The model ${model.name} is differentially private where the categories are known beforehand, not read off the data. Declare those of ${variableNames(schema, undeclared)}. Write into the config, for each variable: variables: { NAME: { categories: ["first", "second"] } }, or for a number { breaks: [0, 18, 65] }.`,
    );
  }
  const [first] = schema.variables;
  const isBinary = schema.variables.length === 1 && first!.type === 'categorical' && first!.categories.length === 2;
  if (model.name === 'beta-binomial' && !isBinary) {
    throw new InvalidConfigError(
      'not-binary',
      'The model beta-binomial is of a table of one variable with two declared categories: use dirichlet-multinomial for others.',
    );
  }
  refuseUncounted(model.epsilon, synthesis.datasets * records, records);
}

/** Refuses an epsilon for which the count that is added, or a count against it, is beyond double precision. */
function refuseUncounted(epsilon: number, draws: number, records: number): void {
  try {
    if (records / addedCount(epsilon, draws) < Infinity) return;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new InvalidConfigError(
    'invalid-epsilon',
    `model.epsilon: over the ${draws} records that are synthesized it is beyond double precision.`,
  );
}

/** Draws one dataset from the smoothed counts of a run's table, and stores it. One that is there is left alone. */
async function drawDataset(store: Store, plan: Plan, { dataset }: Extract<Task, { step: 'draw' }>, onUnit: () => void): Promise<void> {
  const { table, streams } = await readRunContext(store, plan);
  const { records } = plan.table;
  const random = streams.openReleased(`dataset/${dataset}`);
  const rows = drawRecords(table.combinations, table.sizes, plannedCount(plan), records, random);
  const source: DatasetSource = { origin: 'synthesized', records, chain: null, draw: null, iteration: null };
  await storeFullDataset(store, plan, table.schema, { dataset, rows, source });
  onUnit();
}

/** Why a command has nothing to do where the risk is exact. */
const REFUSED_EXACT: Readonly<Record<string, string>> = {
  assess:
    'known of the datasets that a run has drawn alone: evaluate the table. Datasets made elsewhere are assessed under a model with chains.',
  calibrate: 'claims what it achieves: there is nothing to calibrate.',
};

/** A model of the counts of cells, smoothed so that its datasets are differentially private (McClure & Reiter 2012). */
export const counts: Synthesizer = {
  chains: null,
  refusePurpose(purpose, { model }) {
    const reason = REFUSED_EXACT[purpose];
    if (reason === undefined) return;
    throw new UnsupportedOptionError('exact-risk', `The risk under the model ${model.name} is exact, and ${reason}`);
  },
  refuseTable: refuseUndeclared,
  refuteDatasets: () => null,
  tasks: ({ runId, datasets }) => ({
    fit: [],
    synthesize: numbered(datasets.count).map((dataset) => ({ step: 'draw', runId, dataset })),
    augment: [],
  }),
  steps: { draw: { run: drawDataset, units: () => 1 } },
  bytes: (run) => chainBytes(run, null),
  estimate: estimateCounts,
  describe: (plan) => ({ classes: null, classesReason: 'it has cells, and neither classes nor chains', alpha: plannedCount(plan) }),
};
