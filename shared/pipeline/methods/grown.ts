import { readBeside } from '../../artifacts/stored-beside.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { cartSettings } from '../../model/cart/cart-settings.ts';
import { summarizeAttributeRisk } from '../../risk/attribute/attribute-summary.ts';
import { releaseErrors } from '../../risk/attribute/release-figures.ts';
import { exactFigures } from '../../risk/exact/exact-figures.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';
import { recordBytes } from '../../table/record-bytes.ts';
import { assessTrees } from '../assess/assess-trees.ts';
import { listedBytes, rowsWithin } from './listed-batches.ts';
import type { RiskMethod } from './risk-method.ts';
import { treeFigures } from './tree-figures.ts';

const DOUBLE = Float64Array.BYTES_PER_ELEMENT;

/** Places of records, which groups of them hold. */
const PLACE = 4;

/**
 * About what an answer to a question about a record takes while it is remembered, with its text, and how many there are;
 * and what a question leaves of trees that were grown again, in all and by dataset, as measured on tables of 7,014 and 5,571
 * records, until so much has come together in a tree that it is cleared away.
 */
const ANSWER_BYTES = 1000;
const MOST_ANSWERS = 131_072;
const GROWN_AGAIN_BYTES = { all: 2000, dataset: 800 };
const MOST_GROWN_BYTES = 336 * 1024 * 1024;

/**
 * The columns of table and datasets, and what their trees take while the largest batch is assessed: of each, the rows in it,
 * and answers.
 */
function treeBytes(plan: Plan, schema: TableSchema): number {
  const { records, variables } = plan.table;
  const { synthesized } = cartSettings(plan.config, schema);
  const trees = synthesized.length;
  const { count } = plan.datasets;
  const columns = records * (recordBytes(schema) + count * recordBytes(schema, synthesized));
  // Of each distinct row how often it is in every dataset; and of each answer what it is without every dataset, both ways.
  const rows = records * (1 + count) * (variables * DOUBLE + 4 * PLACE) + records * count * count * PLACE;
  const batch = plan.batches.reduce((most, { from, to }) => Math.max(most, to - from), 0) || records;
  // What the batch before has left is there until it is cleared away.
  const asked = Math.min(records, 2 * batch) * Math.max(1, plan.candidatesPerCombination);
  const answers = Math.min(MOST_ANSWERS, asked) * (ANSWER_BYTES + 2 * count * DOUBLE);
  const grownAgain = asked * (GROWN_AGAIN_BYTES.all + count * GROWN_AGAIN_BYTES.dataset);
  return columns + trees * (rows + answers) + Math.min(trees * MOST_GROWN_BYTES, grownAgain);
}

/** Trees grown with each record and without it, or with their divisions held as they are. */
export const grown: RiskMethod = {
  refuse: () => undefined,
  batchBytes: (plan, schema, scenario) => ({ ...listedBytes(plan, scenario), fixed: treeBytes(plan, schema) }),
  batchRows: (plan, _, scenario, wanted) => rowsWithin(listedBytes(plan, scenario), wanted),
  units: () => 1,
  assess: assessTrees,
  readBeside: (store, { scenario, space }, round) => readBeside(store, scenario, round, askedVariables(space).variables.length),
  summarize: async (_, context, { risk, counts, candidates, beside, gainBitsMean }) => ({
    by: 'grown',
    file: summarizeAttributeRisk(risk, counts, candidates),
    release: releaseErrors(risk, counts),
    exact: exactFigures(risk, counts),
    trees: treeFigures(context, beside!, gainBitsMean),
  }),
};
