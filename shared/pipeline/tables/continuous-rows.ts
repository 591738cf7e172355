import type { ScenarioModel } from '../../artifacts/run-context.ts';
import { readDensities, readValueParts } from '../../artifacts/stored-part.ts';
import type { VariableDensities } from '../../contracts/results/record-details.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import {
  type ContinuousNumber,
  type ContinuousRows,
  isDisclosed,
  toleranceInWords,
} from '../../contracts/results/tables/continuous-risk-table.ts';
import { VALUE_COLUMNS, type ValueSums, valueAt } from '../../risk/attribute/value-risk.ts';
import { INTERVALS } from '../../risk/continuous/continuous-figures.ts';
import { askedVariables } from '../../risk/intruder/value-sets.ts';
import { type ContinuousRisk, summarizeContinuous } from '../../risk/mixed/continuous-summary.ts';
import { spaceOfView } from '../../risk/mixed/record-candidates.ts';
import type { Store } from '../../storage/store.ts';

/** The value sets of the rows of a scenario: of variables whose values are listed, then of continuous ones. */
export function askedSets({ space, densities }: Pick<ScenarioModel, 'space' | 'densities'>) {
  const { variables, counted } = askedVariables(space);
  const continuous = densities?.guessed.length ?? 0;
  const count = variables.length + continuous;
  return { variables, count, continuous, counted: [...counted, ...Array.from({ length: continuous }, (_, j) => variables.length + j)] };
}

/** What the parts of a round say of the continuous variables of a scenario's rows; nothing where none is guessed at. */
export async function readNumbers(store: Store, context: ScenarioModel, round: number): Promise<ContinuousRisk> {
  const { count, continuous } = askedSets(context);
  const [columns, intervals] = [VALUE_COLUMNS, INTERVALS].map(({ length }) => new Float64Array(context.records * continuous * length));
  const numbers = { columns: columns!, intervals: intervals! };
  if (continuous === 0) return numbers;
  const [width, own] = [count * VALUE_COLUMNS.length, continuous * VALUE_COLUMNS.length];
  for await (const { from, to, ...part } of readValueParts(store, context.scenario, round, 'intervals')) {
    // They are the last sets of a row.
    for (let row = from; row < to; row++) {
      const end = (row - from + 1) * width;
      numbers.columns.set(part.columns.subarray(end - own, end), row * own);
    }
    numbers.intervals.set(part.intervals, from * continuous * INTERVALS.length);
  }
  return numbers;
}

/** Where the numbers of a row stand among the columns of value sets; the others are intervals. */
const COLUMNS: Partial<Record<ContinuousNumber, (typeof VALUE_COLUMNS)[number]>> = {
  withinBefore: 'probabilityBefore',
  withinAfter: 'probabilityAfter',
  withinSe: 'probabilitySe',
  gainBits: 'gainBits',
  claimedBits: 'claimedBits',
  crpsBefore: 'rankBefore',
  crpsAfter: 'rankAfter',
};

/** The continuous variables of a scenario, by their place in the view, with their true values. */
function variablesOf({ densities }: ScenarioModel) {
  return (densities?.guessed ?? []).map((j) => {
    const { variable, declared } = densities!.view.continuous[j]!;
    const column = densities!.records.columns[variable]!;
    if (column.type !== 'continuous') throw new RangeError('a continuous variable has numbers');
    return { name: densities!.view.schema.variables[variable]!.name, declared, values: column.values };
  });
}

/** The rows of a scenario, from what its parts tell of values; null where no continuous variable is guessed at. */
export function continuousRows(context: ScenarioModel, { columns, intervals }: ContinuousRisk): ContinuousRows | null {
  const variables = variablesOf(context);
  const { continuous } = askedSets(context);
  if (continuous === 0) return null;
  const places = Array.from({ length: context.records * continuous }, (_, place) => place).filter(
    (place) => !Number.isNaN(variables[place % continuous]!.values[Math.floor(place / continuous)]!),
  );
  const recordOf = (row: number) => Math.floor(places[row]! / continuous);
  const own = (row: number) => variables[places[row]! % continuous]!;
  return {
    rows: places.length,
    scenario: context.scenario.name,
    recordOf: (row) => (context.numbers?.[recordOf(row)] ?? recordOf(row)) + 1,
    variableOf: (row) => own(row).name,
    truthOf: (row) => own(row).values[recordOf(row)]!,
    figure(row, name) {
      const column = COLUMNS[name];
      const place = places[row]!;
      if (column === undefined) return intervals[place * INTERVALS.length + INTERVALS.indexOf(name as (typeof INTERVALS)[number])]!;
      return valueAt({ columns }, place, column);
    },
  };
}

/** What the intruder of a scenario believes of each continuous variable of a record; empty where its batches kept nothing of it. */
export async function readVariableDensities(store: Store, context: ScenarioModel, round: number): Promise<VariableDensities[]> {
  if (context.densities === undefined) return [];
  const { categorical, continuous, perRecord } = spaceOfView({ ...context.densities, listed: context.space });
  const entries = perRecord - categorical.perCombination;
  const densities = await readDensities(store, context.scenario, round, entries);
  if (densities === null) return [];
  const variables = variablesOf(context);
  const rowOfRecord = context.numbers && new Map(Array.from(context.numbers, (record, row) => [record, row]));
  return continuous.map(({ masses, cells, scale, first }, j) => {
    const { name, declared, values } = variables[j]!;
    const from = first - categorical.perCombination;
    const part = (row: number, when: 0 | 1) => {
      const start = (2 * row + when) * entries + from;
      return densities.subarray(start, start + masses.length + cells);
    };
    return {
      variable: name,
      near: toleranceInWords(declared.within),
      masses,
      bounds: Array.from({ length: cells + 1 }, (_, c) => scale.fromUnit(c / cells)),
      of(record) {
        const row = rowOfRecord ? rowOfRecord.get(record) : record;
        return row === undefined || Number.isNaN(values[row]!) ? null : { before: part(row, 0), after: part(row, 1) };
      },
    };
  });
}

/** What `summary.json` says of the continuous variables of a scenario. */
export function continuousFigures(
  context: ScenarioModel,
  { sums }: Pick<ValueSums, 'sums'>,
  numbers: ContinuousRisk,
): Pick<AttributeRiskSummary, 'continuousVariables'> {
  const { count, continuous } = askedSets(context);
  if (continuous === 0) return {};
  return {
    continuousVariables: variablesOf(context).flatMap(({ name, declared, values: truths }, j) => {
      const places = { sets: count, continuous, variable: j };
      const found = summarizeContinuous({ sums, ...numbers }, places, truths, isDisclosed);
      return found === null ? [] : [{ variable: name, near: toleranceInWords(declared.within), ...found }];
    }),
  };
}
