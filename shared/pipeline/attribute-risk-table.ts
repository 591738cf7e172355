import { InvalidTableError } from '../contracts/errors.ts';
import { ATTRIBUTE_RISK_COLUMNS, type AttributeRiskRow, CANDIDATE_COLUMNS } from '../contracts/results.ts';
import type { TableSchema } from '../contracts/schema.ts';
import { isDistinguishable } from '../risk/attribute-summary.ts';
import { type CandidateSpace, candidateChanges, candidateSpace } from '../risk/candidate-space.ts';
import { considerCandidates } from '../risk/considered-candidates.ts';
import type { Store } from '../storage/store.ts';
import { type Combinations, uniqueCombinations } from '../table/combinations.ts';
import { variablesByPlace } from '../table/variables-by-place.ts';
import type { ParquetColumn } from '../table/write-parquet.ts';
import { categoryText } from './category-text.ts';
import type { RunModel } from './run-context.ts';
import { readRecordTable } from './stored-columns.ts';
import type { RiskFigures } from './stored-part.ts';

/** Between the variables of a guess that differs in several: `A; B`. */
const SEPARATOR = '; ';

/** What the rows of a run are read from. */
interface RowSource {
  readonly figures: RiskFigures;
  readonly schema: TableSchema;
  readonly combinations: Combinations;
  /** For each row, its combination (from 0), where rows are records; null where they are the combinations. */
  readonly combinationOfRecord: Uint32Array | null;
  readonly space: CandidateSpace;
  /** Of each combination; those of the space where all consider all. */
  readonly candidates: Uint32Array | null;
}

/** One row, which holds nothing but its place: its fields are read from the columns when they are looked at. */
class Row implements AttributeRiskRow {
  readonly #from: RowSource;
  readonly #at: number;

  constructor(from: RowSource, at: number) {
    this.#from = from;
    this.#at = at;
  }

  /** From 0. */
  get #combination() {
    return this.#from.combinationOfRecord?.[this.#at] ?? this.#at;
  }
  get #codes() {
    const { codes, variables } = this.#from.combinations;
    return codes.subarray(this.#combination * variables, (this.#combination + 1) * variables);
  }
  get #guess() {
    return candidateChanges(this.#from.space, this.#codes, this.#from.figures.firstGuess[this.#at]!);
  }
  get record() {
    return this.#from.combinationOfRecord && this.#at + 1;
  }
  get combination() {
    return this.#combination + 1;
  }
  get count() {
    return this.#from.combinationOfRecord ? 1 : this.#from.combinations.counts[this.#at]!;
  }
  get values() {
    return Array.from(this.#codes, (code, k) => categoryText(this.#from.schema, k, code));
  }
  get candidates() {
    return this.#from.candidates?.[this.#at] ?? this.#from.space.perCombination;
  }
  get rank() {
    return this.#from.figures.rank[this.#at]!;
  }
  get rank_low() {
    return this.#from.figures.rankLow[this.#at]!;
  }
  get rank_high() {
    return this.#from.figures.rankHigh[this.#at]!;
  }
  get probability() {
    return this.#from.figures.probability[this.#at]!;
  }
  get probability_se() {
    return this.#from.figures.probabilitySe[this.#at]!;
  }
  get ratio_to_uniform() {
    return this.probability * this.candidates;
  }
  get information_bits() {
    return this.#from.figures.informationBits[this.#at]!;
  }
  get prior_odds_to_first() {
    return this.#from.figures.priorOddsToFirst[this.#at]!;
  }
  get first_guess_variable() {
    const { variables } = this.#from.schema;
    return this.#guess.map(({ variable }) => variables[variable]!.name).join(SEPARATOR);
  }
  get first_guess_value() {
    const { schema } = this.#from;
    return this.#guess
      .map(({ variable, code }) => categoryText(schema, variable, code) ?? 'NA')
      .join(SEPARATOR);
  }
  get first_guess_probability() {
    return this.#from.figures.firstGuessProbability[this.#at]!;
  }
  get distinguishable() {
    return isDistinguishable(this.rank_low, this.rank_high, this.candidates);
  }
  get effective_draws() {
    return this.#from.figures.effectiveDraws[this.#at]!;
  }
}

/** The number of candidates of each combination, or null where all have those of the plan. */
export function candidateNumbers({ plan, table, support, synthesized }: RunModel): Uint32Array | null {
  const { candidates } = plan.config.attributeRisk;
  if (candidates === 'all-cells' || synthesized !== null) return null;
  const names = table.schema.variables.map(({ name }) => name);
  const space = candidateSpace(candidates, names, table.sizes);
  const considered = considerCandidates(space, table.combinations.codes, support);
  return considered ? Uint32Array.from(considered, ({ length }) => length) : null;
}

/**
 * The rows of `attribute-risk.csv`: one a combination, in order of first appearance, or one a record. Their fields
 * cannot be copied by spreading.
 */
export async function attributeRiskRows(
  store: Store,
  context: RunModel,
  figures: RiskFigures,
): Promise<AttributeRiskRow[]> {
  const { plan, table, synthesized } = context;
  const { schema, sizes, combinations } = table;
  const combinationOfRecord =
    synthesized && uniqueCombinations(await readRecordTable(store, plan.runId)).combinationOfRecord;
  const names = schema.variables.map(({ name }) => name);
  const space = candidateSpace(plan.config.attributeRisk.candidates, names, sizes);
  const candidates = candidateNumbers(context);
  const from = { figures, schema, combinations, combinationOfRecord, space, candidates };
  return Array.from({ length: figures.rank.length }, (_, at) => new Row(from, at));
}

/**
 * The columns of `attribute-risk.csv` and `.parquet`, named and ordered by the contract.
 *
 * @param ofRecords whether rows are records
 */
export function attributeRiskColumns(
  rows: readonly AttributeRiskRow[],
  schema: TableSchema,
  ofRecords: boolean,
): ParquetColumn[] {
  type Field = Exclude<keyof AttributeRiskRow, 'values'>;
  const ofContract = (columns: Partial<Record<Field, ParquetColumn['type']>>) =>
    Object.entries(columns).map(([name, type]) => {
      // An empty text, such as the guess of a change where the truth comes first, is none.
      const values = rows.map((row) => (row[name as Field] === '' ? null : row[name as Field]));
      return { name, type, values } as ParquetColumn;
    });
  const values = rows.map((row) => row.values);
  return [
    ...(ofRecords ? ofContract(ATTRIBUTE_RISK_COLUMNS.ofRecords) : []),
    ...ofContract(ATTRIBUTE_RISK_COLUMNS.beforeVariables),
    ...schema.variables.map(
      ({ name }, k): ParquetColumn => ({ name, type: 'string', values: values.map((row) => row[k]!) }),
    ),
    ...ofContract(ATTRIBUTE_RISK_COLUMNS.afterVariables),
  ];
}

/**
 * Refuses variables that are named like a column of `attribute-risk.csv` or of a candidate table, which would then have
 * two.
 *
 * @param ofRecords whether the rows of the former are records, and numbered as such
 * @throws InvalidTableError `reserved-variable-name`
 */
export function refuseReservedNames({ variables }: TableSchema, ofRecords: boolean): void {
  const { ofRecords: record, beforeVariables, afterVariables } = ATTRIBUTE_RISK_COLUMNS;
  const reserved = [
    ...new Set([
      ...Object.keys({ ...(ofRecords ? record : {}), ...beforeVariables, ...afterVariables }),
      ...CANDIDATE_COLUMNS,
    ]),
  ];
  const named = [...variables.keys()].filter((v) => reserved.includes(variables[v]!.name));
  if (named.length === 0) return;
  throw new InvalidTableError(
    'reserved-variable-name',
    `${variablesByPlace(named)}: the tables of results have a column of such a name; expected any name but ${reserved.join(', ')}`,
  );
}
