import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { type RowsBeside, readGains, readValueParts, readValueSums } from '../../artifacts/stored-part.ts';
import { type Parts, rowsOf } from '../../artifacts/write-table.ts';
import { withErrors } from '../../contracts/figure-errors.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import type { ContinuousRows } from '../../contracts/results/tables/continuous-risk-table.ts';
import type { ValueRows } from '../../contracts/results/tables/variable-risk-table.ts';
import type { ValuePart, ValueSums } from '../../risk/attribute/value-risk.ts';
import { type FileValues, summarizeValues, type ValueSummary, ValueTotals } from '../../risk/attribute/value-summary.ts';
import { type AskedRows, commonestValue, type GuessedValue, guessedShare } from '../../risk/prior/commonest-share.ts';
import { naiveBayes } from '../../risk/prior/naive-bayes.ts';
import type { Store } from '../../storage/store.ts';
import { singles } from '../../table/combinations.ts';
import { hasChains } from '../rounds/chains-needed.ts';
import { askedSets, continuousFigures, continuousRows, readNumbers } from '../tables/continuous-rows.ts';
import { tableRows, variableRiskRows } from '../tables/risk-tables.ts';

/** The number of records of every row of a run. */
export const rowCounts = ({ records, table, synthesized }: ScenarioModel) => (synthesized ? singles(records) : table.combinations.counts);

/** What the summary says of the values of real records, and the rows of the continuous variables among them. */
interface SummarizedValues {
  readonly figures: VariableFigures;
  readonly continuous: ContinuousRows | null;
}

/** The values of a scenario, whose parts are gone through once, for their table and for what the summary says of them. */
export interface ScenarioValues {
  /** Rows of which those of some batches are in memory at a time; null where no value is asked for by itself. */
  readonly table: Parts<ValueRows> | null;
  /** Once, when the table, if there is one, has been gone through: RangeError else. */
  summarize(): Promise<SummarizedValues>;
}

/** Opens the values of real records in a scenario. */
export async function openValues(store: Store, context: ScenarioModel, round: number, beside: RowsBeside | null): Promise<ScenarioValues> {
  const { variables, counted, count, continuous } = askedSets(context);
  if (variables.length + continuous === 0) {
    return { table: null, summarize: async () => ({ figures: withoutValues('cells are not listed one by one'), continuous: null }) };
  }
  const single = [...variables.keys()].filter((s) => variables[s]!.length === 1);
  const sums = await readValueSums(store, context.scenario, round, count);
  // The rank of a value that is guessed at is no less than 1.
  const isGuessed = sums.sums.some((sum) => sum !== 0);
  let gone: ValueTotals | undefined;
  async function* parts(): AsyncGenerator<ValuePart> {
    const totals = new ValueTotals(rowCounts(context), { count, counted, single });
    for await (const part of readValueParts(store, context.scenario, round)) {
      totals.add(part);
      yield part;
    }
    gone = totals;
  }
  const table = variables.length > 0 && isGuessed ? await valueTable(store, context, beside, parts) : null;
  return {
    table,
    async summarize() {
      if (table === null) for await (const _ of parts());
      const totals = gone;
      if (totals === undefined) throw new RangeError('values are summarized once, when all of them have been seen');
      gone = undefined;
      return summarizeTotals(store, context, round, { totals, sums });
    },
  };
}

/** What the summary says of values, from what all of them came to. */
async function summarizeTotals(
  store: Store,
  context: ScenarioModel,
  round: number,
  { totals, sums }: { readonly totals: ValueTotals; readonly sums: ValueSums },
): Promise<SummarizedValues> {
  const { plan, table, space } = context;
  const { variables } = askedSets(context);
  const { counts, sets } = totals;
  const rows = totals.riskiest();
  const gains = await readGains(store, context.scenario, round, rows.rows);
  const found = summarizeValues(totals, sums, { rows, gains }, hasChains(plan.config));
  if (found === null) return { figures: withoutValues('no record has a value to be guessed'), continuous: null };
  const { bySet, ...ofFile } = found;
  const { codesOf } = await tableRows(store, context);
  const guess = (how: (asked: AskedRows, variable: number) => GuessedValue) =>
    sets.single.map((s) => how({ counts, codesOf, isAsked: (row) => totals.isAsked(row, s) }, variables[s]![0]!));
  const commonest = guess(commonestValue);
  // Of several unknown variables an intruder has none.
  const together = variables.find((set) => set.length > 1) ?? [];
  const simple = guess((asked, variable) => {
    const known = [...space.sizes.keys()].filter((one) => one !== variable && !together.includes(one));
    return naiveBayes(asked, space.sizes, variable, known);
  });
  const numbers = await readNumbers(store, context, round);
  const figures = {
    ...withReason(ofFile),
    commonestShare: guessedShare(commonest),
    naiveBayesShare: guessedShare(simple),
    ...(ofFile.gainBitsMeanSe === null ? { gainBitsSeReason: plan.datasets.count === 1 ? SINGLE_DATASET : NOT_BY_DATASET } : {}),
    variables: sets.single.flatMap((s, i) => {
      const own = bySet[s];
      const variable = table.schema.variables[variables[s]![0]!]!.name;
      return own
        ? [{ variable, ...withReason(own), commonestShare: guessedShare([commonest[i]!])!, naiveBayesShare: guessedShare([simple[i]!])! }]
        : [];
    }),
    ...continuousFigures(context, sums, numbers),
  };
  return { figures, continuous: continuousRows(context, numbers) };
}

/** The rows of a scenario's values, part after part. */
async function valueTable(
  store: Store,
  context: ScenarioModel,
  beside: RowsBeside | null,
  parts: () => AsyncIterable<ValuePart>,
): Promise<Parts<ValueRows>> {
  const valueRows = await variableRiskRows(store, context, beside);
  const ofPart = ({ from, columns }: Pick<ValuePart, 'from' | 'columns'>) => valueRows({ columns, rowAt: (place) => from + place });
  return {
    like: ofPart({ from: 0, columns: new Float64Array(0) }),
    async *parts() {
      for await (const part of parts()) {
        const rows = ofPart(part);
        yield rowsOf(rows.rows, rows);
      }
    },
  };
}

/** Figures with the reason for which no share of the uncertainty is resolved, where there was none. */
const withReason = <Values extends ValueSummary>(values: Values) =>
  values.uncertaintyResolved === null ? { ...values, uncertaintyResolvedReason: NOTHING_LACKED } : values;

/** Why errors over releases are null. */
export const SINGLE_DATASET = 'a single dataset does not tell how releases differ';
const NOT_BY_DATASET = 'what each dataset reveals by itself is not known for all synthesized variables';

const NOTHING_LACKED = 'the intruder lacked nothing: the true values were certain before the release';

/** The fields of an attribute risk that are about the values of real records. */
export type VariableFigures = Pick<
  AttributeRiskSummary,
  | keyof Omit<FileValues, 'bySet'>
  | 'uncertaintyResolvedReason'
  | 'commonestShare'
  | 'naiveBayesShare'
  | 'gainBitsReason'
  | 'gainBitsSeReason'
  | 'variables'
  | 'continuousVariables'
>;

/** A figure that is not there, with its errors. */
const noFigure = <Name extends string>(name: Name) => withErrors(name, null, { se: null, simulationSe: null, releaseSe: null });

/** The same where there are none. */
function withoutValues(reason: string): VariableFigures {
  return {
    ...noFigure('gainBitsMean'),
    ...noFigure('gainBitsRiskiest'),
    gainBitsClaimed: null,
    gainBitsHalfLength: null,
    lackedBitsMean: null,
    lackedBitsMeanSe: null,
    ...noFigure('uncertaintyResolved'),
    uncertaintyResolvedReason: reason,
    gainBitsExcess: null,
    gainBitsExcessSe: null,
    gainBitsExcessHalfWidth: null,
    ruledOutShare: null,
    firstGuessRightBefore: null,
    firstGuessRightBeforeSe: null,
    ...noFigure('firstGuessRightAfter'),
    probabilityTrueBefore: null,
    probabilityTrueBeforeSe: null,
    ...noFigure('probabilityTrueAfter'),
    ...noFigure('valuesGivenAway'),
    commonestShare: null,
    naiveBayesShare: null,
    gainBitsReason: reason,
    variables: [],
  };
}
