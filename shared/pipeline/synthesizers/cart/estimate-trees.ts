import type { Plan } from '../../../contracts/run/plan.ts';
import { openScenarios } from '../../../contracts/run/scenarios.ts';
import { type CartSettings, cartSettings, createCartModel, fitCart, growSynthesisTree } from '../../../model/cart/synthesis.ts';
import { log } from '../../../numeric/portable-math.ts';
import { RandomStream } from '../../../random/random-stream.ts';
import { createTreeRisk, PRIOR_RECORDS } from '../../../risk/trees/tree-risk.ts';
import { bandsByVariable } from '../../../table/guessed-columns.ts';
import type { Column, Table } from '../../../table/table.ts';
import type { MeasuredRun } from '../run-sizes.ts';
import { type Measuring, type TaskEstimate, timed } from '../task-estimate.ts';
import { spreadQuestions } from './spread-questions.ts';

const MIB = 1024 * 1024;

/** Records on which trees are grown to see how long it takes. */
const SAMPLE = 20_000;

/** For how many times as long as other calls are measured, at most, answers about records are: some take twenty times as long as most. */
const ASKED_TIMES = 20;

/** The first records of a table. */
function firstRecords({ schema, columns }: Table, records: number): Table {
  const first = (column: Column): Column =>
    column.type === 'categorical'
      ? { type: 'categorical', codes: column.codes.slice(0, records) }
      : { type: 'continuous', values: column.values.slice(0, records) };
  return { schema, records, columns: columns.map(first) };
}

/** Seconds of tasks that take equally long, side by side. */
const sideBySide = (tasks: number, seconds: number, jobs: number) => Math.ceil(tasks / jobs) * seconds;

/** Bytes of a column as it is stored. */
const storedBytes = (column: Column) => (column.type === 'categorical' ? column.codes.byteLength : column.values.byteLength);

/**
 * Seconds that a batch takes to begin with, its trees being grown, and then for each candidate of a record.
 *
 * @param most CPU seconds after which nothing more is asked
 */
function assessedSeconds(
  plan: Plan,
  table: Table,
  settings: CartSettings,
  random: RandomStream,
  most: number,
): { begin: number; candidate: number } {
  const synthesize = fitCart(table, settings);
  const datasets = Array.from({ length: plan.datasets.count }, () => synthesize.synthesize(random));
  const exact = plan.config.attributeRisk.estimator === 'exact';
  const begun = timed(() =>
    createTreeRisk(
      { table, settings, datasets, bands: bandsByVariable(plan.config, table.schema) },
      { exact, priorRecords: PRIOR_RECORDS },
    ),
  );
  const asked = settings.synthesized.map(() => ({ questions: 0, seconds: 0, others: 0 }));
  let seconds = 0;
  for (const { record, place } of spreadQuestions(table.records, asked.length)) {
    if (seconds >= most) break;
    const values = begun.result.valuesAt(record, place);
    const of = asked[place]!;
    const answer = timed(() => begun.result.risksOf(record, values));
    of.seconds += answer.seconds;
    of.others = values.length / asked.length - 1;
    of.questions++;
    seconds += answer.seconds;
  }
  // A record's own values are one candidate of all variables, and are answered from memory but for the first time.
  const answered = asked.filter(({ questions }) => questions > 0);
  const ofRecord = answered.reduce((sum, { seconds, questions }) => sum + seconds / questions, 0);
  return { begin: begun.seconds, candidate: ofRecord / answered.reduce((sum, { others }) => sum + others, 1) };
}

/** Expected time and disk of a planned run by trees, from trees that are grown on some of its records. */
export function estimateTrees(planned: MeasuredRun, { jobs, seconds }: Measuring): TaskEstimate {
  const { plan, schema } = planned;
  const records = planned.records!;
  const settings = cartSettings(plan.config, schema);
  const trees = settings.synthesized.length;
  const datasets = plan.datasets.count;
  const sample = firstRecords(records, Math.min(SAMPLE, records.records));
  const grown = timed(() => settings.synthesized.map((_, place) => growSynthesisTree(sample, settings, place)));
  const random = new RandomStream(plan.config.seed, 'calibration');
  const drawn = timed(() => createCartModel(sample, settings, grown.result).synthesize(random));
  // Growth takes n log n time, and dropping records as many steps as the tree is deep.
  const more = (records.records * log(records.records + 1)) / (sample.records * log(sample.records + 1));
  const tree = (grown.seconds * more) / trees;
  // Proper synthesis grows trees of their own for each dataset, with it.
  const grownFirst = settings.proper ? 0 : trees;
  const dataset = (drawn.seconds + (settings.proper ? grown.seconds : 0)) * more;
  const ofRecords = records.columns.reduce((sum, column) => sum + storedBytes(column), 0);
  const ofDataset = settings.synthesized.reduce((sum, v) => sum + storedBytes(records.columns[v]!), 0);
  const rows = plan.batches.reduce((sum, { from, to }) => sum + to - from, 0);
  const candidates = openScenarios(plan).reduce(
    (sum, { batches, candidatesPerCombination }) =>
      sum + candidatesPerCombination * batches.reduce((own, { from, to }) => own + to - from, 0),
    0,
  );
  const scored = rows === 0 ? { candidate: 0, begin: 0 } : assessedSeconds(plan, sample, settings, random, ASKED_TIMES * seconds);
  const batch = scored.begin * more + (candidates / Math.max(1, plan.batches.length)) * scored.candidate;
  return {
    candidates,
    chains: 0,
    iterations: 0,
    trees: settings.proper ? trees * datasets : trees,
    draws: 0,
    minutes: (sideBySide(grownFirst, tree, jobs) + sideBySide(datasets, dataset, jobs) + sideBySide(plan.batches.length, batch, jobs)) / 60,
    diskMiB: (ofRecords + (1 + datasets) * ofDataset) / MIB,
    secondsPer: { iteration: 0, stackedIteration: 0, combination: rows === 0 ? 0 : (batch * plan.batches.length) / rows, tree, dataset },
  };
}
