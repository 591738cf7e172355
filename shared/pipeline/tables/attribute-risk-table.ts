import type { RunModel } from '../../artifacts/run-context.ts';
import { readRecordTable } from '../../artifacts/stored-columns.ts';
import type { RiskFigures } from '../../artifacts/stored-part.ts';
import { ATTRIBUTE_RISK_COLUMNS, type AttributeRiskRow } from '../../contracts/results/attribute-risk-row.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { isDistinguishable } from '../../risk/attribute/attribute-summary.ts';
import { type CandidateSpace, candidateChanges } from '../../risk/intruder/candidate-space.ts';
import { considerCandidates } from '../../risk/intruder/considered-candidates.ts';
import type { Store } from '../../storage/store.ts';
import { categoryText } from '../../table/category-text.ts';
import type { Combinations } from '../../table/combinations.ts';
import { uniqueCombinations } from '../../table/distinct-rows.ts';
import type { ParquetColumn } from '../../table/files/write-parquet.ts';

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
export function candidateNumbers({ table, space, support, synthesized }: RunModel): Uint32Array | null {
  if (space.kind === 'all-cells' || synthesized !== null) return null;
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
  const { plan, table, space, synthesized } = context;
  const { schema, combinations } = table;
  const combinationOfRecord =
    synthesized && uniqueCombinations(await readRecordTable(store, plan)).combinationOfRecord;
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
