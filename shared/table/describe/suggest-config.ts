import { stringify } from 'yaml';
import type { Config } from '../../contracts/config/config.ts';
import { DECLARE_DENSITY, DENSITY_FORM } from '../../contracts/continuous.ts';
import { inConfig } from '../../contracts/in-command.ts';
import { factsOf } from '../../contracts/models/models.ts';
import { type ColumnNotice, type DescribedColumn, type DescribedTable, describeTable } from './describe-table.ts';

/** A config under which a table can be evaluated, with what is to be said of its variables. */
interface SuggestedConfig {
  readonly config: Config;
  readonly described: DescribedTable;
  /** Why a variable has its settings, by its name. They hold no value of the table. */
  readonly reasons: ReadonlyMap<string, readonly string[]>;
}

/** Findings of columns that are better left out. */
const LEFT_OUT = ['identifier', 'dates', 'survey-weight', 'single-category', 'no-category', 'reserved-variable-name'];

const BANDED = 'Bands begin at rounded quantiles of the table. Put limits in their place that you publish anyway: a release shows them.';
const CODED = 'These codes seem to stand for missing values: take away those that do not.';

/** Settings of the columns decide what others are found, of which there are few layers. */
const MOST_PASSES = 6;

/**
 * Decides what a person would have to decide of each column before a table can be evaluated: what is dropped, which codes are
 * missing values, where bands begin. What the config declares stays as it is. Throws what {@link describeTable} does.
 */
export async function suggestConfig(bytes: Uint8Array, config: Config): Promise<SuggestedConfig> {
  const reasons = new Map<string, string[]>();
  let decided = config;
  let described = await describeTable(bytes, decided);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = decide(described, decided, (name, why) => {
      reasons.set(name, [...(reasons.get(name) ?? []), why]);
    });
    if (next === null) break;
    decided = next;
    described = await describeTable(bytes, decided);
  }
  const incomplete = described.columns.filter(({ missing }) => (missing ?? 0) > 0);
  if (decided.synthesis.missing === 'refuse' && incomplete.length > 0) {
    // A missing number is no category.
    const missing = incomplete.some(({ type }) => type === 'continuous') ? 'impute' : 'category';
    decided = { ...decided, synthesis: { ...decided.synthesis, missing } };
  }
  return { config: decided, described, reasons };
}

/** The config with what a description shows to be needed; null where nothing is. */
function decide({ columns, numbers }: DescribedTable, config: Config, explain: (name: string, why: string) => void): Config | null {
  const count = columns.find(({ notices }) => notices.some(({ code }) => code === 'count-column'));
  if (count !== undefined) return { ...config, count: count.name };
  if (numbers !== null && config.numbers === undefined) return { ...config, numbers };
  const variables = { ...config.variables };
  let changed = false;
  for (const column of columns) {
    const { name } = column;
    const own = Object.hasOwn(variables, name) ? variables[name]! : {};
    const found = decideColumn(column, own, config);
    if (found === null) continue;
    changed = true;
    Object.defineProperty(variables, name, { value: found.settings, enumerable: true, configurable: true });
    explain(name, found.why);
  }
  return changed ? { ...config, variables } : null;
}

function decideColumn(
  { notices, breaks, suspectedCodes, missing }: DescribedColumn,
  own: Config['variables'][string],
  { model }: Config,
): { settings: Config['variables'][string]; why: string } | null {
  const leftOut = notices.find(({ code, refused }) => LEFT_OUT.includes(code) && (refused || code === 'survey-weight'));
  if (leftOut !== undefined) return { settings: { drop: true }, why: leftOut.message };
  if (own.missingCodes === undefined && suspectedCodes.length > 0) {
    return { settings: { ...own, missingCodes: [...suspectedCodes] }, why: CODED };
  }
  const { fits, offers } = factsOf(model);
  if (breaks !== null && own.type === undefined && !offers.includes('densities') && (fits !== 'records' || missing! > 0)) {
    return { settings: { ...own, breaks: [...breaks] }, why: BANDED };
  }
  return null;
}

/** A first evaluation is to be finished soon. */
const FIRST_LOOK = [
  '# A first look. Take this line away for an evaluation to rely on: chains are then added until ranks agree.',
  'mcmc: { precision: quick }',
];

/** Columns of a line of the file. */
const WIDTH = 110;

const TITLE = 'How synthrisk reads this table. Look through it, change what is wrong, then run:';

const UNDECLARED = 'Numbers need what stands behind their #: move it into the braces, and fill it in. Nothing of it is taken from a table.';

const lacksRange = (notices: readonly ColumnNotice[]) => notices.some(({ code }) => code === 'no-range');

const RANGE = 'To have wrong codes found, add the lowest and the highest value of the questionnaire: range: [0, 120].';

/**
 * The text of a suggested config, with a comment for each decision, to edit.
 *
 * @param file where the text is to be written, as the user calls it
 * @param table its path, from the folder of the config
 * @param others settings beside those of the table and its columns, as they were given
 */
export function configText(
  { config, described, reasons }: SuggestedConfig,
  { file, table, others }: { readonly file: string; readonly table: string; readonly others: object },
): string {
  const { count, numbers, missingCodes, variables, synthesis, model } = config;
  const lines = described.columns.flatMap(({ name, type, notices }) => {
    const isUndeclared = lacksRange(notices);
    const own = Object.hasOwn(variables, name) ? variables[name]! : {};
    const settings = isUndeclared ? { ...own, type: 'continuous' as const } : own;
    const said = notices.filter(({ code, refused }) => !refused && code !== 'missing-codes');
    const isNumber = settings.breaks !== undefined || type === 'continuous';
    const why = [
      ...(reasons.get(name) ?? []),
      ...said.map(({ message }) => message),
      ...(isNumber && settings.range === undefined && !isUndeclared ? [RANGE] : []),
    ];
    return [
      ...new Set(why.flatMap((text) => commented(text, '  '))),
      ...(Object.keys(settings).length === 0
        ? []
        : [`${indented(flow({ [name]: settings }))}${isUndeclared ? `  # ${DENSITY_FORM}` : ''}`]),
    ];
  });
  const hasSettings = lines.some((line) => !line.trim().startsWith('#'));
  const { missing } = synthesis;
  const sections = [
    [...commented(TITLE, ''), `#   synthrisk evaluate --config ${file}`, flow({ table })],
    count === undefined ? [] : ['# The column that says how many records each row stands for.', flow({ count })],
    numbers === undefined ? [] : ['# How the table writes numbers.', flow({ numbers })],
    missingCodes === undefined ? [] : ['# Missing values of every variable.', flow({ missingCodes })],
    described.columns.some(({ notices }) => lacksRange(notices)) ? commented(`${UNDECLARED} ${DECLARE_DENSITY}`, '') : [],
    lines.length === 0 ? [] : [hasSettings ? 'variables:' : '# Variables:', ...lines],
    missing === 'refuse'
      ? []
      : ['# Missing values: a category of their own, or left to the model (impute).', flow({ synthesis: { missing } })],
    ...(factsOf(model).method === 'sampled' && !('mcmc' in others) ? [FIRST_LOOK] : []),
    Object.keys(others).length === 0 ? [] : [stringify(others).trimEnd()],
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => `${section.join('\n')}\n`)
    .join('\n');
}

/** Settings whose values stand on one line. JSON is YAML, and quotes what could be taken for something else. */
const flow = (settings: object) =>
  Object.entries(settings)
    .map(([name, value]) => `${inConfig(name)}: ${inline(value)}`)
    .join('\n');

const indented = (line: string) => `  ${line}`;

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{ ${fields.map(([name, field]) => `${inConfig(name)}: ${inline(field)}`).join(', ')} }`;
}

/** A text in lines of comments. */
function commented(text: string, indent: string): string[] {
  const lines = [''];
  for (const word of text.replace(/\s+/g, ' ').split(' ')) {
    const last = lines.at(-1)!;
    if (last !== '' && indent.length + last.length + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `${indent}# ${line}`);
}
