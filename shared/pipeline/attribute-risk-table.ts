import { InvalidTableError } from '../contracts/errors.ts';
import { ATTRIBUTE_RISK_COLUMNS, type AttributeRiskRow } from '../contracts/results.ts';
import type { TableSchema } from '../contracts/schema.ts';
import type { AttributeRisk } from '../risk/attribute-risk.ts';
import { isDistinguishable } from '../risk/attribute-summary.ts';
import { candidateChanges, candidateSpace } from '../risk/candidate-space.ts';
import type { ParquetColumn } from '../table/write-parquet.ts';
import { categoryText } from './category-text.ts';
import type { RunContext } from './run-context.ts';

/** Between the variables of a guess that differs in several: `A; B`. */
const SEPARATOR = '; ';

/** The rows of `attribute-risk.csv` from the parts of a run: one a combination, in order of first appearance. */
export function attributeRiskRows(
  parts: readonly AttributeRisk[],
  { plan, table }: RunContext,
): AttributeRiskRow[] {
  const { schema, sizes, combinations } = table;
  const names = schema.variables.map(({ name }) => name);
  const space = candidateSpace(plan.config.attributeRisk.candidates, names, sizes);
  const candidates = space.perCombination;
  return parts.flatMap((part, p) => {
    const { from } = plan.batches[p]!;
    return Array.from(part.rank, (rank, i): AttributeRiskRow => {
      const row = from + i;
      const codes = combinations.codes.subarray(
        row * combinations.variables,
        (row + 1) * combinations.variables,
      );
      const guess = candidateChanges(space, codes, part.firstGuess[i]!);
      return {
        combination: row + 1,
        count: combinations.counts[row]!,
        values: Array.from(codes, (code, k) => categoryText(schema, k, code)),
        candidates,
        rank,
        rank_low: part.rankLow[i]!,
        rank_high: part.rankHigh[i]!,
        probability: part.probability[i]!,
        probability_se: part.probabilitySe[i]!,
        ratio_to_uniform: part.probability[i]! * candidates,
        information_bits: part.informationBits[i]!,
        prior_odds_to_first: part.priorOddsToFirst[i]!,
        first_guess_variable: guess.map(({ variable }) => names[variable]!).join(SEPARATOR),
        first_guess_value: guess
          .map(({ variable, code }) => categoryText(schema, variable, code) ?? 'NA')
          .join(SEPARATOR),
        first_guess_probability: part.firstGuessProbability[i]!,
        distinguishable: isDistinguishable(part.rankLow[i]!, part.rankHigh[i]!, candidates),
        effective_draws: part.effectiveDraws[i]!,
      };
    });
  });
}

/** The columns of `attribute-risk.csv` and `.parquet`, named and ordered by the contract. */
export function attributeRiskColumns(
  rows: readonly AttributeRiskRow[],
  schema: TableSchema,
): ParquetColumn[] {
  type Field = Exclude<keyof AttributeRiskRow, 'values'>;
  const ofContract = (columns: Partial<Record<Field, ParquetColumn['type']>>) =>
    Object.entries(columns).map(([name, type]) => {
      // An empty text, such as the guess of a change where the truth comes first, is none.
      const values = rows.map((row) => (row[name as Field] === '' ? null : row[name as Field]));
      return { name, type, values } as ParquetColumn;
    });
  return [
    ...ofContract(ATTRIBUTE_RISK_COLUMNS.beforeVariables),
    ...schema.variables.map(
      ({ name }, k): ParquetColumn => ({ name, type: 'string', values: rows.map((row) => row.values[k]!) }),
    ),
    ...ofContract(ATTRIBUTE_RISK_COLUMNS.afterVariables),
  ];
}

/**
 * Refuses variables that are named like a column of `attribute-risk.csv`, which would then have two.
 *
 * @throws InvalidTableError `reserved-variable-name`
 */
export function refuseReservedNames({ variables }: TableSchema): void {
  const { beforeVariables, afterVariables } = ATTRIBUTE_RISK_COLUMNS;
  const reserved = Object.keys({ ...beforeVariables, ...afterVariables });
  const variable = variables.find(({ name }) => reserved.includes(name))?.name;
  if (variable === undefined) return;
  throw new InvalidTableError(
    'reserved-variable-name',
    `variable ${variable}: attribute-risk.csv has a column of this name; expected any name but ${reserved.join(', ')}`,
    { variable },
  );
}
