import { attributeRiskReason } from '../../../contracts/config/attribute-risk-reason.ts';
import type { Config } from '../../../contracts/config/config.ts';
import { factsOf } from '../../../contracts/models/models.ts';
import type { Warning } from '../../../contracts/run/warning.ts';
import { variableNames } from '../../../table/names-in-text.ts';
import { isPossiblePair, type Support } from '../../../table/support/support.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import type { Table } from '../../../table/table.ts';

/** Share of the records that are released with another value than all records like them have, from which on it is said. */
const NOTICED = 0.01;

/**
 * Says before a run which variables have one value for a whole category of another, as where a question is not asked. A class of n records
 * gives each of a variable's d categories a probability of at least 1 / (n + d), and no class learns that the others cannot be.
 */
export function skipPatterns({ model, synthesis }: Config, table: Table, support: Support | null): Warning[] {
  const pairs = synthesizedVariables(synthesis.synthesized, table.schema).flatMap((decided) => {
    const by = table.columns.findIndex((_, other) => other !== decided && decides(table, other, decided, support));
    return by < 0 ? [] : [`${variableNames(table.schema, [decided])} given ${variableNames(table.schema, [by])}`];
  });
  if (pairs.length === 0) return [];
  const withZeros = { synthesis: { ...synthesis, structuralZeros: 'zeros.csv' } };
  const declarable = factsOf(model).offers.includes('structural-zeros') && attributeRiskReason(withZeros) === null;
  const remedy = declarable ? 'declare the impossible ones (--structural-zeros FILE)' : 'try --model cart, whose trees learn it';
  return [
    {
      code: 'skip-patterns',
      message: `All records of one category have the same value of another variable, as where a question is not asked: ${pairs.join(', ')}. The model releases other values there as well, and the run will claim more risk than a release brings. Where they cannot be, ${remedy}.`,
    },
  ];
}

/** Whether the model is to release many records of some category of one variable with values of another that none of them has. */
function decides({ schema, columns, records }: Table, by: number, decided: number, support: Support | null): boolean {
  const [given, found] = [columns[by]!, columns[decided]!];
  const [categories, values] = [schema.variables[by]!, schema.variables[decided]!].map((variable) =>
    variable.type === 'categorical' ? variable.categories.length : 0,
  ) as [number, number];
  if (given.type === 'continuous' || found.type === 'continuous' || values < 2) return false;
  const counts = new Uint32Array(categories);
  for (const code of given.codes) if (code < categories) counts[code]!++;
  const most = [...counts].map((count) => (count * (values - 1)) / (count + values));
  const only = new Int32Array(categories).fill(-1);
  const open = new Set(most.flatMap((expected, code) => (expected >= NOTICED * records ? [code] : [])));
  for (let record = 0; record < records && open.size > 0; record++) {
    const [code, value] = [given.codes[record]!, found.codes[record]!];
    if (value === values || !open.has(code)) continue;
    if (only[code] === -1) only[code] = value;
    else if (only[code] !== value) open.delete(code);
  }
  return [...open].some((code) => {
    const others = Array.from({ length: values }, (_, value) => value).filter(
      (value) => value !== only[code] && (support === null || isPossiblePair(support, [by, code], [decided, value])),
    );
    return (counts[code]! * others.length) / (counts[code]! + values) >= NOTICED * records;
  });
}
