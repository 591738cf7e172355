import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { emptyBeside, type RowsBeside, readBeside } from '../../artifacts/stored-part.ts';
import { readRecordDataset, readRecordTable } from '../../artifacts/stored-table.ts';
import type { Candidates } from '../../contracts/candidates.ts';
import type { Config } from '../../contracts/config/config.ts';
import { UnsupportedOptionError } from '../../contracts/errors.ts';
import type { UniqueValuesSummary } from '../../contracts/results/unique-values.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import type { OnUnits } from '../../contracts/stepwise.ts';
import { categoriesOf } from '../../model/cart/growth.ts';
import { cartSettings, predictorsOf } from '../../model/cart/synthesis.ts';
import { formatFigure } from '../../report/words/format-number.ts';
import type { ListedRisk } from '../../risk/attribute/attribute-risk.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { exactFigures } from '../../risk/exact/exact-risk.ts';
import { type KnownCandidates, type KnownPrior, knownFigures, knownProbability, knownRisk } from '../../risk/exact/known-risk.ts';
import { candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { askedVariables, rowValueSets } from '../../risk/intruder/value-sets.ts';
import { MOST_REMEMBERED, REMEMBERED_BYTES } from '../../risk/trees/tree-growth.ts';
import { createTreeRisk, PRIOR_RECORDS } from '../../risk/trees/tree-risk.ts';
import { countReleased, markUniqueValues, uniqueValues } from '../../risk/trees/unique-values.ts';
import { MOST_ANSWERS } from '../../risk/trees/variable-tree.ts';
import type { Store } from '../../storage/store.ts';
import { bandsByVariable, guessedColumns, guessedVariables } from '../../table/guessed-columns.ts';
import { recordBytes } from '../../table/record-bytes.ts';
import { recordCodes } from '../../table/record-codes.ts';
import type { Table } from '../../table/table.ts';
import { numbered } from '../rounds/chains-needed.ts';
import { TREES_UNIT } from './batch-work.ts';
import { listedBytes, ofListed, rowsWithin } from './listed-batches.ts';
import type { RiskMethod, SummarizedRows } from './risk-method.ts';
import { statedExact } from './stated-figures.ts';

const sumOf = (values: ArrayLike<number>) => Array.from(values).reduce((sum, one) => sum + one, 0);

const releasedOf = (rows: ArrayLike<number>) => Array.from(rows).filter((count) => count > 0).length;

/** The values of continuous synthesized variables that one record alone has, in the order of visits, and how many of them trees released. */
function uniqueFigures(config: Config, table: Table, released: readonly Table[]) {
  const settings = cartSettings(config, table.schema);
  const datasets = released.map(({ columns }) => settings.synthesized.map((v) => columns[v]!));
  const found = settings.synthesized.flatMap((v, place): UniqueValuesSummary[] => {
    const { name: variable, type } = table.schema.variables[v]!;
    if (type !== 'continuous') return [];
    if (!settings.smoothing && !settings.proper) {
      const { unique, probability, released } = uniqueValues({ table, settings, datasets }, place);
      return [{ variable, values: sumOf(unique), expected: sumOf(probability), released: releasedOf(released) }];
    }
    const marked = markUniqueValues(table.columns[v]!, table.records);
    const unexpected = { variable, values: sumOf(marked), expected: null };
    if (settings.smoothing) {
      return [
        { ...unexpected, released: null, reason: 'released values are smoothed, so that they are near those of records and not theirs' },
      ];
    }
    const given = releasedOf(countReleased({ table, settings, datasets }, place, marked));
    return [{ ...unexpected, released: given, reason: 'how many were to be expected has no closed form over bootstrap samples' }];
  });
  return { ...(found.length > 0 ? { uniqueValues: found } : {}), warnings: found.flatMap(warningsOf) };
}

function warningsOf({ variable, values, released }: UniqueValuesSummary): Warning[] {
  if (released === null || released === 0) return [];
  return [
    {
      code: 'unique-values-released',
      message: `${variable} is released as it is in the table, from one record or another: ${formatFigure(released)} of the ${formatFigure(values)} values that one record alone has are in the datasets. Whoever knows all other records knows whose they are, and whoever knows of such a value learns that its record is in the table. Smoothing (model.smoothing) or coarser values in the table prevent it.`,
    },
  ];
}

/**
 * Attribute risk of records `from` up to but without `to` when the model is of trees: exact, or with the divisions held as they are, as the
 * estimator says.
 *
 * @throws InvalidTableError `other-trees` when the trees of the table could not have given what was released
 */
async function assessTrees(
  store: Store,
  { plan, scenario, space }: ScenarioModel,
  { from, to }: { readonly from: number; readonly to: number },
  onUnits: OnUnits,
): Promise<{ risk: ListedRisk; beside: RowsBeside }> {
  const table = await readRecordTable(store, plan);
  const settings = cartSettings(plan.config, table.schema);
  const datasets = [];
  for (const l of numbered(plan.datasets.count)) {
    const { columns } = await readRecordDataset(store, plan, l, table);
    datasets.push(settings.synthesized.map((v) => columns[v]!));
  }
  const isExact = plan.config.attributeRisk.estimator === 'exact';
  const trees = createTreeRisk(
    { table, settings, datasets, bands: bandsByVariable(plan.config, table.schema) },
    { exact: isExact, priorRecords: PRIOR_RECORDS },
  );
  const guessed = guessedVariables(plan.config.synthesis.synthesized, table.schema);
  const visits = settings.synthesized.map((v) => guessed.indexOf(v));
  const codes = recordCodes(guessedColumns(plan.config, table).columns, from, to);
  const width = guessed.length;
  const sets = rowValueSets(space, codes);
  const singles = [...askedVariables(space).variables.entries()].filter(([, { length }]) => length === 1);
  const prior = scenario.prior as KnownPrior;
  const beside = emptyBeside(to - from, sets.count);
  /** The cells of a row's candidates, in the order of visits. */
  const cellsOf = (row: number) => {
    const own = codes.subarray(row * width, (row + 1) * width);
    const cells = new Uint16Array(space.perCombination * width);
    for (let x = 0; x < space.perCombination; x++) {
      const cell = own.slice();
      for (const { variable, code } of candidateChanges(space, own, x)) cell[variable] = code;
      for (const [place, variable] of visits.entries()) cells[x * width + place] = cell[variable]!;
    }
    return cells;
  };
  const setBeside = (row: number, known: KnownCandidates, fixed: KnownCandidates) => {
    beside.probabilityFixed[row] = knownProbability(fixed, prior);
    for (const [s, set] of sets.of(row).entries()) {
      if (set.codes.length === 0) continue;
      const at = row * sets.count + s;
      const held = knownFigures(fixed, set);
      beside.values.probabilityFixed[at] = held.probabilityAfter;
      beside.values.rightFixed[at] = held.rightAfter;
      beside.values.gainBitsFixed[at] = held.gainBits;
      beside.values.proven[at] = knownFigures(known, set).proven ? 1 : 0;
      beside.values.provenFixed[at] = held.proven ? 1 : 0;
    }
    for (const [s] of singles) {
      const at = row * sets.count + s;
      beside.proven[row] = Math.max(beside.proven[row]!, beside.values.proven[at]!);
      beside.provenFixed[row] = Math.max(beside.provenFixed[row]!, beside.values.provenFixed[at]!);
    }
  };
  const candidatesOf = (row: number): KnownCandidates => {
    const { exact, fixed } = trees.risksOf(from + row, cellsOf(row));
    const known = exact ?? fixed;
    setBeside(row, known, fixed);
    onUnits(TREES_UNIT);
    return known;
  };
  const risk = knownRisk(new Uint32Array(to - from).fill(1), candidatesOf, sets, prior);
  return { risk, beside };
}

/**
 * Categories of a variable with which trees are grown anew for every candidate of every record: 1,000 of 1,000 records take three minutes,
 * and time grows faster than with their square (docs/studies/trees.md).
 */
const MOST_CATEGORIES = 1000;

/** Refuses variables of many categories, unless the divisions are held as they are. */
function refuseManyCategories({ config }: Plan, schema: TableSchema): void {
  if (config.attributeRisk.estimator !== 'exact') return;
  const settings = cartSettings(config, schema);
  const used = settings.synthesized.flatMap((v, place) => [v, ...predictorsOf(settings, schema.variables.length, place)]);
  const many = used.find((v) => categoriesOf(schema, v) > MOST_CATEGORIES);
  if (many === undefined) return;
  throw new UnsupportedOptionError(
    'too-many-categories',
    `${schema.variables[many]!.name} has more than ${formatFigure(MOST_CATEGORIES)} categories: growing trees again for every candidate of every record would take too long. Merge rare categories in the table, or hold the divisions as they are (mcmc: { precision: quick }, --precision quick), which understates the risk.`,
  );
}

/** What is proven, and the figures of a file with the divisions held as they are. */
function statedTrees({ plan, space, table, records }: ScenarioModel, beside: RowsBeside, values: SummarizedRows['values']) {
  const { variables: asked, counted } = askedVariables(space);
  const single = [...asked.keys()].filter((s) => asked[s]!.length === 1);
  /** The mean over records of the sum of a figure over some value sets. */
  const mean = (figure: Float64Array, sets: readonly number[]) =>
    sets.reduce((sum, s) => sum + sumOf(figure.filter((_, place) => place % asked.length === s)) / records, 0);
  const { gainBitsMean } = values;
  const gainFixed = mean(beside.values.gainBitsFixed, counted);
  const provenShares = new Map(single.map((s) => [table.schema.variables[asked[s]![0]!]!.name, mean(beside.values.proven, [s])]));
  const provenRecords = sumOf(beside.proven);
  const bandedVariables = Object.entries(plan.config.variables).flatMap(([name, { candidates }]) =>
    candidates === undefined ? [] : [name],
  );
  return {
    variables: values.variables.map((own) => ({ ...own, provenShare: provenShares.get(own.variable)! })),
    provenRecords,
    provenShare: provenRecords / records,
    ...(bandedVariables.length > 0 ? { bandedVariables } : {}),
    ...(plan.config.attributeRisk.estimator === 'exact'
      ? {
          fixedStructure: {
            probabilityMean: sumOf(beside.probabilityFixed) / records,
            firstGuessRightAfter: single.length === 0 ? 0 : mean(beside.values.rightFixed, single) / single.length,
            gainBitsMean: gainFixed,
            gainBitsMissedShare: gainBitsMean !== null && gainBitsMean > 0 ? 1 - gainFixed / gainBitsMean : null,
            provenShare: sumOf(beside.provenFixed) / records,
          },
        }
      : {}),
  };
}

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Places of records, which groups of them hold. */
const PLACE = 4;

/** About what an answer to a question about a record takes while it is remembered, with its text, beside its numbers by dataset. */
const ANSWER_BYTES = 500;

/**
 * About what a remembered node takes: itself, its share of the division above it and the records of every second one; for each class of
 * the response, in counts and left and right sides; and for each dataset, in counts and rows of what was released. As heaps were measured
 * of trees of 2 to 50 classes, of 2 to 20 datasets.
 */
const NODE_BYTES = { all: 1350, class: 28, dataset: 105 };

/**
 * Nodes that a question leaves: one in so many, for each category that predictors have on average, and for each of the root of the records.
 * The more categories, the more ways there are to divide a node, of which a change of one record takes another; and the more records, the
 * more nodes are below. As counted of 200 to 1,200 records in quarters, of 3 to 23 categories: about right of many categories, and up to two
 * and a half times too many of few.
 * A continuous predictor divides as one of about ten categories.
 */
const QUESTIONS_PER_NODE = 60;
const CONTINUOUS_CATEGORIES = 10;

/** Values that a tree is asked for, of each record: candidates that differ in its response or its predictors. */
function askedOfTree(candidates: Candidates, names: readonly string[], sizes: readonly number[]): number {
  if (typeof candidates === 'string') return sizes.reduce((sum, size) => sum + size - 1, 1);
  return sizes.reduce((product, size, place) => (candidates.unknown.includes(names[place]!) ? product * size : product), 1);
}

/**
 * The columns of table and datasets, and what their trees take while the largest batch is assessed: of each, the rows in it, answers, and
 * nodes that were grown for questions, until they fill its share and are forgotten.
 */
function treeBytes(plan: Plan, schema: TableSchema, { candidates }: Scenario): number {
  const { records, variables } = plan.table;
  const settings = cartSettings(plan.config, schema);
  const { synthesized } = settings;
  const trees = synthesized.length;
  const { count } = plan.datasets;
  const columns = records * (recordBytes(schema) + count * recordBytes(schema, synthesized));
  // Of each distinct row how often it is in every dataset; and of each answer what it is without every dataset, both ways.
  const rows = records * (1 + count) * (variables * DOUBLE + 4 * PLACE) + records * count * count * PLACE;
  const batch = plan.batches.reduce((most, { from, to }) => Math.max(most, to - from), 0) || records;
  const isExact = plan.config.attributeRisk.estimator === 'exact';
  const bands = bandsByVariable(plan.config, schema);
  const sizes = synthesized.map((v) => bands.get(v)?.lower.length ?? Math.max(1, categoriesOf(schema, v)));
  const names = synthesized.map((v) => schema.variables[v]!.name);
  const remembered = sizes.map((classes, place) => {
    const questions = batch * askedOfTree(candidates, names.slice(0, place + 1), sizes.slice(0, place + 1));
    const categories = predictorsOf(settings, schema.variables.length, place).map((v) => categoriesOf(schema, v) || CONTINUOUS_CATEGORIES);
    const mean = categories.length === 0 ? 0 : sumOf(categories) / categories.length;
    // Divisions that are held as they are grow nothing.
    const nodes = isExact ? (questions * mean * Math.sqrt(records)) / QUESTIONS_PER_NODE : 0;
    const nodeBytes = NODE_BYTES.all + classes * NODE_BYTES.class + count * NODE_BYTES.dataset;
    const answers = Math.min(MOST_ANSWERS / trees, questions) * (ANSWER_BYTES + 2 * count * DOUBLE);
    return answers + Math.min((MOST_REMEMBERED * REMEMBERED_BYTES) / trees, nodes * nodeBytes);
  });
  return columns + trees * rows + sumOf(remembered);
}

const UNBOUNDED = { privacyLossReason: 'some candidates could not have led to the release, so that it has no bound' };

/** Why nothing is said of who is in the table. */
const noMembership = ({ synthesis }: Config) =>
  synthesis.synthesized === 'all'
    ? 'it is not measured of trees'
    : 'variables are kept, so that the row of every record is there to be seen';

/** Trees grown with each record and without it, or with their divisions held as they are. */
export const grown: RiskMethod = {
  ...ofListed,
  batchBytes(plan, schema, scenario) {
    const fixed = treeBytes(plan, schema, scenario);
    return { ...listedBytes(plan, scenario), fixed, left: fixed };
  },
  batchRows: (plan, _, scenario, wanted) => rowsWithin(listedBytes(plan, scenario), wanted),
  refuse: refuseManyCategories,
  units: (_plan, _scenario, _numbers, rows) => rows * TREES_UNIT,
  assess: assessTrees,
  membershipReason: noMembership,
  terms: {
    code: 'candidates-of-trees',
    message: 'A table of all candidates of one record is not offered with the model cart: its first guess is in attribute-risk.csv.',
  },
  readBeside: (store, { scenario, space }, round) => readBeside(store, scenario, round, askedVariables(space).variables.length),
  async summarize(_, context, { risk, counts, candidates, beside, values }) {
    const effectiveDrawsReason = 'the risk is exact: it has no Monte Carlo error';
    const exact = exactFigures(risk, counts);
    const unbounded = exact.privacyLossMax === Infinity ? UNBOUNDED : {};
    return {
      file: summarizeAttributeRisk(risk, counts, candidates),
      release: await releaseErrors(risk.without(), counts),
      membership: { reason: noMembership(context.plan.config) },
      own: statedExact(context, exact, effectiveDrawsReason),
      after: { effectiveDrawsReason, ...unbounded, ...statedTrees(context, beside!, values) },
    };
  },
  remarks: uniqueFigures,
};
