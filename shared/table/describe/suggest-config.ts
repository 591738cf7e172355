import type { Config } from '../../contracts/config/config.ts';
import { factsOf } from '../../contracts/models/models.ts';
import type { DescribedColumn, DescribedTable } from './describe-table.ts';
import { describeTable } from './describe-table.ts';

/** A config under which a table can be evaluated, with what is to be said of its variables. */
export interface SuggestedConfig {
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
 * Decides what a person would have to decide of each column before a table can be evaluated: what is dropped, which codes
 * are missing values, where bands begin. What the config declares stays as it is.
 *
 * @throws what {@link describeTable} throws
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
  if (decided.synthesis.missing === 'refuse' && described.columns.some(({ missing }) => (missing ?? 0) > 0)) {
    decided = { ...decided, synthesis: { ...decided.synthesis, missing: 'category' } };
  }
  return { config: decided, described, reasons };
}

/** The config with what a description shows to be needed; null where nothing is. */
function decide({ columns, numbers }: DescribedTable, config: Config, explain: (name: string, why: string) => void): Config | null {
  const count = columns.find(({ notices }) => notices.some(({ code }) => code === 'count-column'));
  if (count !== undefined) return { ...config, count: count.name };
  if (numbers !== null && config.numbers === undefined) return { ...config, numbers };
  const variables = { ...config.variables };
  const declare = (name: string, settings: Config['variables'][string]) => {
    Object.defineProperty(variables, name, { value: settings, enumerable: true, configurable: true });
  };
  let changed = false;
  for (const column of columns) {
    const { name } = column;
    const own = Object.hasOwn(variables, name) ? variables[name]! : {};
    const found = decideColumn(column, own, config);
    if (found === null) continue;
    changed = true;
    declare(name, found.settings);
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
  if (breaks !== null && own.type === undefined && (factsOf(model).fits !== 'records' || missing! > 0)) {
    return { settings: { ...own, breaks: [...breaks] }, why: BANDED };
  }
  return null;
}
