import { mayHaveZeros, ZEROS_NEED } from '../../../contracts/config/attribute-risk-reason.ts';
import type { Config } from '../../../contracts/config/config.ts';
import { inList } from '../../../contracts/in-command.ts';
import type { Warning } from '../../../contracts/run/warning.ts';
import { namesInText, variableNames } from '../../../table/names-in-text.ts';
import { follows, skipPatterns, skipsMatter } from '../../../table/support/skip-patterns.ts';
import type { Support } from '../../../table/support/support.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import type { Table } from '../../../table/table.ts';

/** Pairs of variables that a notice lists; a wide survey can have hundreds. */
const MOST_LISTED = 20;

/**
 * Says before a run that the classes of its model will not learn where a question is not asked, or what codes are nested in which.
 *
 * @param states the table as the model has categories of it, where it has some of numbers
 */
export function skipNotice(config: Config, table: Table, support: Support | null, states: Table = table): Warning[] {
  const patterns = skipPatterns(states, synthesizedVariables(config.synthesis.synthesized, table.schema), support);
  if (!skipsMatter(patterns, table.records)) return [];
  const isNumber = (v: number) => table.columns[v]!.type === 'continuous';
  const name = (v: number) => variableNames(table.schema, [v]);
  const pairs = new Map(patterns.map(({ by, decided }) => [`${name(decided)} given ${name(by)}`, { by, decided }]));
  const listed = [...pairs.keys()].slice(0, MOST_LISTED).join(', ');
  const more = pairs.size > MOST_LISTED ? `, and ${pairs.size - MOST_LISTED} more` : '';
  const remedy = mayHaveZeros(config)
    ? '`synthrisk plan TABLE --write-zeros zeros.csv` drafts them, to declare as impossible (--structural-zeros)'
    : `they can be declared as impossible (--structural-zeros) in a run that has ${ZEROS_NEED}`;
  const following = new Set<number>();
  for (const { by, decided } of pairs.values()) {
    // Of two variables that follow from each other one has to stay; of a number no more than its masses follow.
    if (!following.has(by) && !isNumber(decided) && follows(states, decided, by)) following.add(decided);
  }
  const ofNumbers = patterns.some(({ by, decided }) => isNumber(by) || isNumber(decided))
    ? ' (of a number: each mass, or all other values)'
    : '';
  const names = [...following].map((v) => table.schema.variables[v]!.name);
  const shorter =
    names.length === 0
      ? ''
      : ` ${namesInText(names)} ${names.length === 1 ? 'follows' : 'follow'} from another variable in every record: leave ${names.length === 1 ? 'it' : 'them'} out (--drop ${inList(...names)}) and add ${names.length === 1 ? 'it' : 'them'} to the release from that, which is quicker.`;
  return [
    {
      code: 'skip-patterns',
      message: `All records of one category${ofNumbers} have the same value of another variable, as where a question is not asked or codes are nested: ${listed}${more}. The model releases other values there as well, and the run may claim more risk than a release brings. Where these values cannot be, ${remedy}.${shorter}`,
    },
  ];
}
