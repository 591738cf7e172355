import type { AttributeRiskRow } from '../contracts/results.ts';
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
  const number = (name: Field, type: 'double' | 'int32'): ParquetColumn => ({
    name,
    type,
    values: rows.map((row) => row[name] as number),
  });
  const text = (name: Field): ParquetColumn => ({
    name,
    type: 'string',
    values: rows.map((row) => (row[name] === '' ? null : (row[name] as string))),
  });
  return [
    number('combination', 'int32'),
    number('count', 'int32'),
    ...schema.variables.map(
      ({ name }, k): ParquetColumn => ({ name, type: 'string', values: rows.map((row) => row.values[k]!) }),
    ),
    number('candidates', 'int32'),
    number('rank', 'double'),
    number('rank_low', 'double'),
    number('rank_high', 'double'),
    number('probability', 'double'),
    number('probability_se', 'double'),
    number('ratio_to_uniform', 'double'),
    number('information_bits', 'double'),
    number('prior_odds_to_first', 'double'),
    text('first_guess_variable'),
    text('first_guess_value'),
    number('first_guess_probability', 'double'),
    { name: 'distinguishable', type: 'boolean', values: rows.map((row) => row.distinguishable) },
    number('effective_draws', 'double'),
  ];
}
