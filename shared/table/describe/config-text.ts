import { stringify } from 'yaml';
import { factsOf } from '../../contracts/models/models.ts';
import type { SuggestedConfig } from './suggest-config.ts';

/** A first evaluation is to be finished soon. */
const FIRST_LOOK = [
  '# A first look. Take this line away for an evaluation to rely on: chains are then added until ranks agree.',
  'mcmc: { precision: quick }',
];

/** Columns of a line of the file. */
const WIDTH = 110;

const TITLE = 'How synthrisk reads this table. Look through it, change what is wrong, then run:';

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
    const settings = Object.hasOwn(variables, name) ? variables[name]! : {};
    const said = notices.filter(({ code, refused }) => !refused && code !== 'missing-codes');
    const isNumber = settings.breaks !== undefined || type === 'continuous';
    const why = [
      ...(reasons.get(name) ?? []),
      ...said.map(({ message }) => message),
      ...(isNumber && settings.range === undefined ? [RANGE] : []),
    ];
    return [
      ...new Set(why.flatMap((text) => commented(text, '  '))),
      ...(Object.keys(settings).length === 0 ? [] : [indented(flow({ [name]: settings }))]),
    ];
  });
  const hasSettings = lines.some((line) => !line.trim().startsWith('#'));
  const { missing } = synthesis;
  const sections = [
    [...commented(TITLE, ''), `#   synthrisk evaluate --config ${file}`, flow({ table })],
    count === undefined ? [] : ['# The column that says how many records each row stands for.', flow({ count })],
    numbers === undefined ? [] : ['# How the table writes numbers.', flow({ numbers })],
    missingCodes === undefined ? [] : ['# Missing values of every variable.', flow({ missingCodes })],
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
    .map(([name, value]) => `${scalar(name)}: ${inline(value)}`)
    .join('\n');

const indented = (line: string) => `  ${line}`;

/** Names that other readers of YAML take for truth values are quoted as well. */
const scalar = (name: string) =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name) ? name : JSON.stringify(name);

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{ ${fields.map(([name, field]) => `${scalar(name)}: ${inline(field)}`).join(', ')} }`;
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
