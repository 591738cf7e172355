import { inCommand, inConfig, inList } from '../../contracts/in-command.ts';
import type { Variable } from '../../contracts/schema.ts';
import { distinctRows } from '../distinct-rows.ts';
import type { Column } from '../table.ts';
import type { ColumnTraits } from './column-traits.ts';

/** A column as it was read, and what its reader should know of it. */
export interface EncodedColumn {
  readonly variable: Variable;
  readonly column: Column;
  /** Whether nothing was declared of it: what a user has declared is not judged. */
  readonly inferred: boolean;
  /** What its texts have in common; null where its rule leaves no texts, as of numbers in bands. */
  readonly traits: ColumnTraits | null;
  /** Numbers that may stand for missing values, where nothing was declared. */
  readonly suspectedCodes: readonly number[];
}

/** Something odd about a column, and what to write. It holds no value of the column. */
export interface ColumnFinding {
  readonly variable: string;
  readonly code: string;
  /** Whether the answer would be wrong, so that the table is refused until the user decides. */
  readonly refused: boolean;
  readonly message: string;
  /** The flags that decide, the likelier first; empty where only the file can be changed. */
  readonly flags: readonly string[];
}

/** More distinct values than code lists have (see MAX_DISTINCT_CODES, on which the type of numbers turns). */
const MANY = 50;
/** From this share of distinct values on a column of texts is like a name. */
const IDENTIFIER_SHARE = 0.9;
/** From this share of distinct values on dates are nearly as good as a name. */
const DATES_SHARE = 0.5;
/** Fewest records of which distinct numbers under the name of an identifier are one. */
const FEWEST_IDENTIFIED = 10;

const IDENTIFIER_NAME =
  /^(?:id|uuid|guid|pid|hhid|ssn|idno|serial|caseid|recid|rowid|nr|no)$|(?:^|[_. -])(?:id|uuid|serial|nr)$|^(?:id|record|case|row|person|household|respondent)[_. -]?(?:id|no|nr|number)$/i;
const IDENTIFIER_IN_CAPITALS = /[a-z]I[Dd]$/;
const COUNT_NAME = /^(?:n|count|counts|freq|freqs|frequency|frequencies|reps|cnt|nobs|n_obs)$/i;
const WEIGHT_NAMES = [
  /(?:^|[_. -])(?:weights?|wgts?|wghts?|wts?)(?:[_. -]?\d+)?$/i,
  /^(?:survey|svy|final|person|household|hh|design|sampling|analysis|an|psp|p|h|d)?(?:weight|wgt|wght|wt)$/i,
  /^(?:weight|wgt|wt)[_. -]?(?:final|survey|svy|design|person|household|hh|sampling)$/i,
  // Of the CPS, the ACS, the GSS, NHANES, BRFSS and EU-SILC.
  /fnlwgt|perwt|hhwt|pwgtp|wtfinl|wgtp|asecwt|earnwt|wtsupp|marsupwt|wtss|wtmec|wtint|llcpwt|^(?:db090|rb050|pb040)$/i,
];

/** Names of variables as messages and flags give them. */
const quoted = (name: string) => `\`${name}\``;

/**
 * What is odd about the columns of a table, in their order. A declared column is as its user wants it. Of a table whose
 * rows seem to stand for several records each, that alone is found: its rows tell nothing of records.
 */
export function judgeColumns(columns: readonly EncodedColumn[], records: number): ColumnFinding[] {
  const counts = columns[countColumn(columns, records)];
  if (counts !== undefined) return [countFinding(counts.variable.name)];
  return columns.flatMap((column) => [
    ...(column.inferred ? [identityOf(column, records), numbersOf(column), missingCodes(column), surveyWeight(column)].flat() : []),
    ...spellingVariants(column),
  ]);
}

const finding = ({ variable }: EncodedColumn, code: string, refused: boolean, message: string, flags: readonly string[]) => [
  { variable: variable.name, code, refused, message, flags },
];

/** Findings of a column that tells each record apart: a name, a number, a date. */
function identityOf(judged: EncodedColumn, records: number): ColumnFinding[] {
  const { variable, column, traits } = judged;
  const name = variable.name;
  const distinct = traits?.distinct ?? 0;
  if (traits?.form === 'dates' || traits?.form === 'compact-dates') {
    const asNumbers = variable.type === 'continuous';
    const refused = asNumbers || (distinct > MANY && distinct > DATES_SHARE * records);
    const read = asNumbers ? 'would be read as numbers' : 'would each be a category';
    return finding(
      judged,
      'dates',
      refused,
      refused
        ? `Column ${quoted(name)} holds dates, which ${read} and make most records unique. Drop it, put a year or an age into the file in its place, or take the dates as categories on purpose.`
        : `Column ${quoted(name)} holds dates: each is a category of its own, without an order. A year or an age may serve better.`,
      [`--drop ${inList(name)}`, `--categorical ${inList(name)}`],
    );
  }
  const onPurpose = [`--drop ${inList(name)}`, `--${variable.type} ${inList(name)}`];
  if (traits?.form === 'numbers' && traits.marks.length === 0) {
    // Fewer categories than records: some number occurs twice.
    if (variable.type === 'categorical' && variable.categories.length < records) return [];
    return numberRecords(name, numbersIn(variable, column)) ? finding(judged, 'identifier', true, identifierMessage(name), onPurpose) : [];
  }
  const isNamed = hasIdentifierName(name) && records >= FEWEST_IDENTIFIED && distinct === records;
  const isMany = distinct > MANY && distinct > IDENTIFIER_SHARE * records;
  return (isNamed || isMany) && !isWrittenNumber(traits) ? finding(judged, 'identifier', true, identifierMessage(name), onPurpose) : [];
}

const identifierMessage = (name: string) =>
  `Column ${quoted(name)} has another value in nearly every record, as an identifier has. As a variable it would make every record unique. Drop it, or keep it on purpose.`;

/** Whether texts would be numbers if they were read as they are meant. */
const isWrittenNumber = (traits: ColumnTraits | null) =>
  traits?.form === 'decimal-comma' || traits?.form === 'thousands' || (traits?.form === 'numbers' && traits.marks.length > 0);

const hasIdentifierName = (name: string) => IDENTIFIER_IN_CAPITALS.test(name) || IDENTIFIER_NAME.test(name);

/** Whether numbers number the records: whole ones, none twice, without wide gaps or under such a name. */
function numberRecords(name: string, values: Float64Array): boolean {
  const isNamed = hasIdentifierName(name);
  if (values.length < (isNamed ? FEWEST_IDENTIFIED : MANY + 1)) return false;
  if (!values.every(Number.isInteger)) return false;
  const sorted = values.slice().sort();
  for (let i = 1; i < sorted.length; i++) if (sorted[i] === sorted[i - 1]) return false;
  return isNamed || sorted.at(-1)! - sorted[0]! < 2 * sorted.length;
}

/** Findings of numbers that are written otherwise than as 1234.5. */
function numbersOf(judged: EncodedColumn): ColumnFinding[] {
  const { variable, traits } = judged;
  if (traits === null) return [];
  const { name } = variable;
  const refused = traits.distinct - traits.marks.length > MANY;
  const asText = 'and would be read as text, each a category';
  if (traits.form === 'decimal-comma') {
    return finding(
      judged,
      'decimal-comma',
      refused,
      `Column ${quoted(name)} holds numbers with a decimal comma, ${asText}. Read them as numbers, or as categories on purpose.`,
      ['--decimal-comma', `--categorical ${inList(name)}`],
    );
  }
  if (traits.form === 'thousands') {
    const { thousands } = traits;
    const other = thousands === ',' ? ' If the comma is the decimal mark, say so (--decimal-comma).' : '';
    return finding(
      judged,
      'thousands-separator',
      refused,
      `Column ${quoted(name)} holds numbers with a separator between thousands, ${asText}. Read them as numbers, or as categories on purpose.${other}`,
      [`--thousands "${thousands}"${thousands === '.' ? ' --decimal-comma' : ''}`, `--categorical ${inList(name)}`],
    );
  }
  if (traits.form === 'numbers' && traits.marks.length > 0) {
    const codes = traits.marks.map((mark) => mark.trim()).join(',');
    return finding(
      judged,
      'marked-numbers',
      refused,
      `Column ${quoted(name)} holds numbers and a mark that often stands for a missing value, ${asText}. Declare the mark, or read them as categories on purpose.`,
      [`--missing-codes ${inCommand(`${name}=${codes}`)}`, `--categorical ${inList(name)}`],
    );
  }
  return [];
}

/** Codes and marks that may stand for missing values. Which they are is for the user's eyes alone. */
function missingCodes(judged: EncodedColumn): ColumnFinding[] {
  const { variable, traits, suspectedCodes } = judged;
  const { name } = variable;
  const marks = traits?.form === 'text' ? traits.marks : [];
  if (marks.length === 0 && suspectedCodes.length === 0) return [];
  const codes = [...suspectedCodes, ...marks].join(',');
  return finding(
    judged,
    'missing-codes',
    false,
    `Column ${quoted(name)} has a value that often stands for a missing one, such as . or ? or -9 or 99. If it does, declare it (--missing-codes ${inCommand(`${name}=CODE`)}); \`plan --describe\` shows it.`,
    [`--missing-codes ${inCommand(`${name}=${codes}`)}`],
  );
}

function surveyWeight(judged: EncodedColumn): ColumnFinding[] {
  const { variable, column, traits } = judged;
  if (traits?.form !== 'numbers' || !WEIGHT_NAMES.some((names) => names.test(variable.name))) return [];
  if (!numbersIn(variable, column).every((value) => value > 0 || Number.isNaN(value))) return [];
  return finding(
    judged,
    'survey-weight',
    false,
    `Column ${quoted(variable.name)} may be a survey weight. It is no characteristic of a person: drop it unless it is a measurement, such as body weight.`,
    [`--drop ${inList(variable.name)}`],
  );
}

function spellingVariants(judged: EncodedColumn): ColumnFinding[] {
  if (!judged.traits?.hasVariants || judged.variable.type !== 'categorical') return [];
  const { name } = judged.variable;
  return finding(
    judged,
    'spelling-variants',
    false,
    `Some categories of ${quoted(name)} differ only in upper case, spaces or the encoding of accents (Unicode NFC, NFD), as Male and male do. Merge them in the config (variables: { ${inConfig(name)}: { merge: { ... } } }); \`plan --describe\` shows them.`,
    [],
  );
}

/**
 * The column of a table of frequencies that says how many records a row stands for: whole numbers under such a name,
 * where all other columns are categorical and no two rows agree in them. -1 where there is none.
 */
function countColumn(columns: readonly EncodedColumn[], records: number): number {
  return columns.findIndex(({ variable, column, inferred, traits }, v) => {
    if (!inferred || !COUNT_NAME.test(variable.name) || columns.length < 2 || traits?.form !== 'numbers') return false;
    const counts = numbersIn(variable, column);
    if (!counts.every((count) => Number.isInteger(count) && count >= 0) || !counts.some((count) => count > 1)) return false;
    const others = columns.filter((_, other) => other !== v);
    if (others.some((other) => other.variable.type === 'continuous')) return false;
    const schema = { variables: others.map((other) => other.variable) };
    return distinctRows({ schema, records, columns: others.map((other) => other.column) }).counts.length === records;
  });
}

/** The numbers of a column of numbers; NaN for a missing one. */
function numbersIn(variable: Variable, column: Column): Float64Array {
  if (column.type === 'continuous') return column.values;
  const categories = variable.type === 'categorical' ? variable.categories : [];
  const values = categories.map((category) => (category === '' ? Number.NaN : Number(category)));
  return Float64Array.from(column.codes, (code) => values[code] ?? Number.NaN);
}

const countFinding = (name: string): ColumnFinding => ({
  variable: name,
  code: 'count-column',
  refused: true,
  message: `Column ${quoted(name)} seems to say how many records each row stands for, as in a table of frequencies: no two rows agree in the other columns. Say that it does, or read it as a variable on purpose.`,
  flags: [`--count ${inCommand(name)}`, `--categorical ${inList(name)}`],
});
