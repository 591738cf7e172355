import { mayHaveZeros, ZEROS_NEED } from '../../../contracts/config/attribute-risk-reason.ts';
import type { Config } from '../../../contracts/config/config.ts';
import type { Warning } from '../../../contracts/run/warning.ts';
import { variableNames } from '../../../table/names-in-text.ts';
import { skipPatterns, skipsMatter } from '../../../table/support/skip-patterns.ts';
import type { Support } from '../../../table/support/support.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import type { Table } from '../../../table/table.ts';

/** Says before a run that the classes of its model will not learn where a question is not asked. */
export function skipNotice(config: Config, table: Table, support: Support | null): Warning[] {
  const patterns = skipPatterns(table, synthesizedVariables(config.synthesis.synthesized, table.schema), support);
  if (!skipsMatter(patterns, table.records)) return [];
  const name = (v: number) => variableNames(table.schema, [v]);
  const pairs = new Set(patterns.map(({ by, decided }) => `${name(decided)} given ${name(by)}`));
  const remedy = mayHaveZeros(config)
    ? '`synthrisk plan TABLE --write-zeros zeros.csv` drafts them, to declare as impossible (--structural-zeros)'
    : `they can be declared as impossible (--structural-zeros) in a run that has ${ZEROS_NEED}`;
  return [
    {
      code: 'skip-patterns',
      message: `All records of one category have the same value of another variable, as where a question is not asked: ${[...pairs].join(', ')}. The model releases other values there as well, and the run will claim more risk than a release brings. Where these values cannot be, ${remedy}.`,
    },
  ];
}
