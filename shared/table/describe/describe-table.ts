import { type Config, hasReconstruction } from '../../contracts/config/config.ts';
import type { NumberFormat } from '../../contracts/config/reading.ts';
import { DECLARE_DENSITY, declarationForm } from '../../contracts/continuous.ts';
import { inCommand, inList } from '../../contracts/in-command.ts';
import { factsOf } from '../../contracts/models/models.ts';
import { reservedNames } from '../../contracts/settings/reserved-names.ts';
import { plainSpelling } from '../columns/column-traits.ts';
import { MAX_DISTINCT_CODES } from '../files/column-encoder.ts';
import { type InspectedColumn, type InspectedTable, inspectTable, readingOf, type TableReading } from '../files/read-table.ts';
import { type HistogramBar, histogramBars } from './histogram-bars.ts';
import { suggestedBreaks } from './suggested-breaks.ts';

/** What is odd about a column, and what to write. */
export interface ColumnNotice {
  readonly code: string;
  readonly message: string;
  /** Whether a run would refuse the table until it is decided. */
  readonly refused: boolean;
  /** Flags, or lines of a config, the likelier first. They may hold values of the column. */
  readonly write: readonly string[];
}

/** A column as a run would read it. Its commonest values are confidential. */
export interface DescribedColumn {
  readonly name: string;
  readonly type: 'categorical' | 'continuous' | 'count' | 'dropped';
  readonly reason: string;
  /** Values, missing ones aside; null where the column is not read. */
  readonly distinct: number | null;
  readonly missing: number | null;
  readonly commonest: readonly { readonly value: string; readonly count: number }[];
  readonly notices: readonly ColumnNotice[];
  /** Where bands may begin; null but for numbers that are not banded. */
  readonly breaks: readonly number[] | null;
  /** Codes that may stand for missing values. */
  readonly suspectedCodes: readonly string[];
  /** How numbers that are not banded are distributed, without what may stand for missing values; null for other columns. */
  readonly bars: readonly HistogramBar[] | null;
}

/** A table, column by column. */
export interface DescribedTable {
  readonly records: number;
  /** How the file seems to write its numbers; null where as 1234.5, or as the config says. */
  readonly numbers: NumberFormat | null;
  readonly columns: readonly DescribedColumn[];
}

/** Refused columns that are better left out. */
const LEFT_OUT: ReadonlySet<string> = new Set(['identifier', 'dates', 'count-column']);

/** Commonest values that are shown. */
const COMMONEST = 5;

/**
 * Describes the columns of a table as a run would read them, and what it would refuse of them.
 *
 * @throws InvalidTableError for a file that cannot be read at all; InvalidConfigError for a config that contradicts itself
 */
export async function describeTable(bytes: Uint8Array, config: Config): Promise<DescribedTable> {
  const reading = readingOf(config);
  const inspected = await inspectTable(bytes, reading);
  const byName = new Map(inspected.columns.map((column) => [column.variable.name, column]));
  const columns = inspected.names.flatMap((name): DescribedColumn[] => {
    if (name === undefined) return [];
    const column = byName.get(name);
    if (column === undefined) return [unread(name, reading)];
    return [described(column, inspected, config)];
  });
  return { records: inspected.records, numbers: suspectedFormat(inspected), columns };
}

/** The separators of the columns whose numbers were read as text. */
function suspectedFormat({ columns, findings }: InspectedTable): NumberFormat | null {
  const codes = new Set(findings.map(({ code }) => code));
  const separators = columns.flatMap(({ traits }) => traits?.thousands ?? []);
  if (codes.has('decimal-comma')) {
    const thousands = separators.find((separator) => separator !== ',');
    return { decimal: ',', ...(thousands === undefined ? {} : { thousands }) };
  }
  if (!codes.has('thousands-separator')) return null;
  const thousands = separators[0]!;
  return { decimal: thousands === '.' ? ',' : '.', thousands };
}

function unread(name: string, { count }: TableReading): DescribedColumn {
  const isCount = name === count;
  return {
    name,
    type: isCount ? 'count' : 'dropped',
    reason: isCount ? 'says how many records each row stands for' : 'dropped, as the config or --drop says',
    distinct: null,
    missing: null,
    commonest: [],
    notices: [],
    breaks: null,
    suspectedCodes: [],
    bars: null,
  };
}

function described(column: InspectedColumn, { findings, contradicted }: InspectedTable, config: Config): DescribedColumn {
  const { variable } = column;
  const { name } = variable;
  const own = valueCounts(column);
  const codes = [...column.suspectedCodes.map(String), ...(column.traits?.marks ?? [])];
  const isDistinct = column.column.type === 'continuous' && own.size > 1;
  const breaks = isDistinct ? suggestedBreaks(plainValues(column)) : null;
  const contradiction = contradicted.get(name);
  const found: ColumnNotice[] = [
    ...(contradiction === undefined ? [] : [{ code: contradiction.code, message: contradiction.message, refused: true, write: [] }]),
    ...findings
      .filter((finding) => finding.variable === name)
      .map(({ code, message, refused, flags }) => ({
        code,
        message,
        refused,
        write: code === 'spelling-variants' ? [mergedVariants(name, own)] : flags,
      })),
  ];
  // What is to be dropped needs no bands.
  const decidesAll = found.some(({ code, refused }) => code === 'survey-weight' || (refused && LEFT_OUT.has(code)));
  return {
    name,
    type: variable.type,
    reason: reasonOf(column, config.variables, own.size),
    distinct: own.size,
    missing: column.missing,
    commonest: [...own]
      .sort(([, a], [, b]) => b - a)
      .slice(0, COMMONEST)
      .map(([value, count]) => ({ value, count })),
    notices: [...found, ...(decidesAll ? [] : unusable(column, config, { distinct: own.size, breaks }))],
    breaks,
    suspectedCodes: codes,
    bars: column.column.type === 'continuous' ? histogramBars(plainValues(column)) : null,
  };
}

/** What a run refuses of a column that is read as it should be. */
function unusable(
  { variable, missing }: InspectedColumn,
  config: Config,
  { distinct, breaks }: { distinct: number; breaks: readonly number[] | null },
): ColumnNotice[] {
  const { model, synthesis, variables } = config;
  const { name } = variable;
  const declared = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const notices: ColumnNotice[] = [];
  const refuse = (code: string, message: string, write: string[]) => notices.push({ code, message, refused: true, write });
  if (distinct === 0) refuse('no-category', 'No record has a value.', [`--drop ${inList(name)}`]);
  else if (distinct === 1 && missing === 0) {
    refuse('single-category', 'Every record has the same value, which leaves nothing to guess.', [`--drop ${inList(name)}`]);
  }
  if (reservedNames(synthesis.synthesized !== 'all', factsOf(model).fits === 'records', hasReconstruction(config)).includes(name)) {
    refuse('reserved-variable-name', 'The tables of results have a column of this name. Rename the column in the file, or drop it.', [
      `--drop ${inList(name)}`,
    ]);
  }
  if (missing > 0 && synthesis.missing === 'refuse') {
    refuse('missing-values', 'Missing values are refused unless they are a category, or left to the model.', [
      '--missing category',
      '--missing impute',
    ]);
  }
  const { fits, offers } = factsOf(model);
  if (offers.includes('densities')) {
    if (breaks !== null && declared?.range === undefined) {
      refuse('no-range', `The model ${model.name} needs the range of a continuous variable. ${DECLARE_DENSITY}`, [
        `variables: { ${declarationForm(name)} }`,
        `--breaks ${inCommand(`${name}=${breaks.join(',')}`)}`,
        `--categorical ${inList(name)}`,
      ]);
    }
  } else if (breaks !== null && (fits !== 'records' || missing > 0)) {
    refuse('continuous-variable', 'Band the numbers, or declare them categorical.', [
      `--breaks ${inCommand(`${name}=${breaks.join(',')}`)}`,
      `--categorical ${inList(name)}`,
      ...(missing > 0 ? [] : ['--model cart']),
    ]);
  }
  return notices;
}

function reasonOf({ variable, inferred, traits }: InspectedColumn, variables: Config['variables'], distinct: number): string {
  const override = Object.hasOwn(variables, variable.name) ? variables[variable.name]! : {};
  if (!inferred) {
    if (override.breaks !== undefined) return 'numbers in the bands that are declared';
    if (override.categories !== undefined) return 'its categories are declared';
    return 'declared so';
  }
  if (variable.type === 'continuous') return `numbers with more than ${MAX_DISTINCT_CODES} distinct values`;
  if (distinct === 0) return 'no value at all';
  switch (traits?.form) {
    case 'numbers':
    case 'compact-dates':
      return traits.marks.length > 0
        ? 'numbers, but for a text that may stand for a missing value'
        : `numbers with at most ${MAX_DISTINCT_CODES} distinct values`;
    case 'zero-codes':
      return 'codes: numbers that begin with zeros';
    case 'dates':
      return 'text: dates';
    case 'decimal-comma':
      return 'text: numbers with a decimal comma';
    case 'thousands':
      return 'text: numbers with a separator between thousands';
    default:
      return 'text';
  }
}

/** How often each value occurs, in the order of the categories or of the records. */
function valueCounts({ variable, column }: InspectedColumn): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (value: string) => counts.set(value, (counts.get(value) ?? 0) + 1);
  if (column.type === 'continuous') {
    for (const value of column.values) if (!Number.isNaN(value)) add(String(value));
    return counts;
  }
  if (variable.type === 'continuous') throw new RangeError(`${variable.name} has codes and is continuous`);
  const ofCode = new Float64Array(variable.categories.length + 1);
  for (const code of column.codes) ofCode[code]!++;
  for (const [code, category] of variable.categories.entries()) {
    if (code !== variable.missingCode && ofCode[code]! > 0) counts.set(category, ofCode[code]!);
  }
  return counts;
}

/** The numbers of a column without missing ones and those that may stand for them. */
function plainValues({ column, suspectedCodes }: InspectedColumn): Float64Array {
  if (column.type !== 'continuous') return new Float64Array(0);
  const left = column.values.filter((value) => !Number.isNaN(value) && !suspectedCodes.includes(value));
  return left.length > 0 ? left : column.values.filter((value) => !Number.isNaN(value));
}

/** The line of a config that merges categories of one {@link plainSpelling}, into the commonest of them. */
function mergedVariants(name: string, counts: ReadonlyMap<string, number>): string {
  const groups = new Map<string, string[]>();
  for (const category of [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!)) {
    const key = plainSpelling(category);
    groups.set(key, [...(groups.get(key) ?? []), category]);
  }
  const merge = Object.fromEntries([...groups.values()].filter(({ length }) => length > 1).map(([common, ...others]) => [common!, others]));
  return `variables: { ${JSON.stringify(name)}: { merge: ${JSON.stringify(merge)} } }`;
}
