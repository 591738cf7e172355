import { writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { mayHaveZeros, ZEROS_NEED } from '../../shared/contracts/config/attribute-risk-reason.ts';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError, SynthriskError, UnsupportedOptionError } from '../../shared/contracts/errors.ts';
import { inCommand } from '../../shared/contracts/in-command.ts';
import { completeConfig, parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import { isSection, type Settings } from '../../shared/contracts/settings/settings.ts';
import { formatQuantity } from '../../shared/report/words/format-number.ts';
import { type DescribedColumn, describeTable } from '../../shared/table/describe/describe-table.ts';
import { configText, suggestConfig } from '../../shared/table/describe/suggest-config.ts';
import { readingOf, readTable } from '../../shared/table/files/read-table.ts';
import { draftZeros, skipPatterns } from '../../shared/table/support/skip-patterns.ts';
import { synthesizedVariables } from '../../shared/table/synthesized-variables.ts';
import { writeLines } from './write-lines.ts';

/** Plans a run under a config; it throws what a run would be refused for. */
type PlanUnder = (config: Config) => Promise<unknown>;

/** What a run would be refused for; null where it would not. */
async function refusalOf(plan: () => Promise<unknown>): Promise<SynthriskError | null> {
  try {
    await plan();
    return null;
  } catch (error) {
    if (error instanceof SynthriskError) return error;
    throw error;
  }
}

/**
 * Prints each column of a table as a run would read it, on standard output alone: it shows the commonest values.
 *
 * @throws what `describeTable` throws
 */
export async function printColumns(table: Uint8Array, config: Config, plan: PlanUnder, json: boolean): Promise<void> {
  const { records, columns } = await describeTable(table, config);
  const refusal = await refusalOf(() => plan(config));
  if (json) {
    const shown = columns.map(({ suspectedCodes: _, breaks: __, bars: ___, ...column }) => column);
    const refused = refusal && { code: refusal.code, message: refusal.message };
    process.stdout.write(`${JSON.stringify({ records, columns: shown, refused }, null, 2)}\n`);
    return;
  }
  const lines = [
    `${formatQuantity(records, 'record')}, ${formatQuantity(columns.length, 'column')}. The values shown are confidential.`,
    '',
    ...columns.flatMap(columnLines),
    refusal === null ? 'A run reads the table as described.' : `A run would be refused: ${refusal.message}`,
  ];
  writeLines(lines);
}

function columnLines({ name, type, reason, distinct, missing, commonest, notices }: DescribedColumn): string[] {
  const values = commonest.map(({ value, count }) => `${JSON.stringify(value)} (${count})`).join(', ');
  return [
    `${name}: ${type} (${reason})`,
    ...(distinct === null ? [] : [`  ${distinct} distinct, ${missing} missing`]),
    ...(values === '' ? [] : [`  commonest: ${values}`]),
    ...notices.flatMap(({ message, refused, write }) => [
      `  ${refused ? 'Refused' : 'Notice'}: ${message}`,
      ...write.map((line, place) => `    ${place === 0 ? 'write' : 'or   '} ${line}`),
    ]),
    '',
  ];
}

/**
 * Writes a config with which the table can be evaluated as it is, to edit; ranges that a model needs are to be filled in first.
 *
 * @param given settings that flags give
 * @throws InvalidConfigError `file-exists`; what a run under the config would be refused for
 */
export async function writeSuggestedConfig(
  path: string,
  table: Uint8Array,
  config: Config,
  given: Settings,
  plan: PlanUnder,
): Promise<void> {
  const suggested = await suggestConfig(table, config);
  const fromConfig = relative(dirname(resolve(path)), resolve(config.table!))
    .split(sep)
    .join('/');
  const file = inCommand(path);
  const text = configText(suggested, { file, table: fromConfig, others: otherSettings(given) });
  const read = async () => plan({ ...completeConfig(parseSettings(new TextEncoder().encode(text), path)), table: config.table });
  const refusal = await refusalOf(read);
  // What nobody but the user can say stands in it to be filled in.
  const asks = refusal?.code === 'no-range';
  if (refusal !== null && !asks) throw refusal;
  await writeNew(path, text);
  process.stderr.write(
    `Wrote ${path}. Look through it${asks ? ', fill in the ranges of its numbers' : ''}, then: synthrisk evaluate --config ${file}\n`,
  );
}

/** Writes a file to edit, which only its owner may read: what it says comes from the table. Throws InvalidConfigError `file-exists`. */
async function writeNew(path: string, text: string | Uint8Array): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new InvalidConfigError('file-exists', `${path} is there already, and is not overwritten. Name another file, or move it away.`);
  }
}

/**
 * Writes the combinations that the skip patterns of a table leave without a record, to edit and declare as structural zeros.
 *
 * @throws UnsupportedOptionError `zeros-not-possible` where a run could not have them
 * @throws InvalidConfigError `zeros-before-zeros`, `no-skip-patterns` where there are none, `file-exists`; what a run would be refused for
 */
export async function writeDraftZeros(path: string, bytes: Uint8Array, config: Config, plan: PlanUnder): Promise<void> {
  if (!mayHaveZeros(config)) throw new UnsupportedOptionError('zeros-not-possible', `Impossible combinations need ${ZEROS_NEED}.`);
  if (config.synthesis.structuralZeros !== undefined) {
    throw new InvalidConfigError(
      'zeros-before-zeros',
      '--write-zeros is for a table of which no combination is declared impossible yet: leave synthesis.structuralZeros (--structural-zeros) out, and add what is drafted to your file.',
    );
  }
  await plan(config);
  const { table } = await readTable(bytes, readingOf(config));
  const patterns = skipPatterns(table, synthesizedVariables(config.synthesis.synthesized, table.schema), null);
  const zeros = draftZeros(patterns, table.schema);
  if (zeros === null) {
    throw new InvalidConfigError(
      'no-skip-patterns',
      'No variable has one value alone for a whole category of another, where that matters: there is nothing to draft. Write impossible combinations by hand, one a row under the names of their variables.',
    );
  }
  await writeNew(path, zeros);
  process.stderr.write(
    `Wrote ${path}: combinations that no record has. Delete those that could be, since a release would show that nobody here has them. Then run with --structural-zeros ${inCommand(path)}\n`,
  );
}

/** Settings that say nothing of the table and its columns, without those that are not given. */
function otherSettings({ table: _, variables, missingCodes, count, numbers, synthesis, ...others }: Settings): Settings {
  const ofSynthesis = isSection(synthesis) ? { ...synthesis, missing: undefined } : synthesis;
  return given({ ...others, synthesis: ofSynthesis });
}

function given(settings: Settings): Settings {
  const entries = Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined) return [];
    if (!isSection(value)) return [[name, value]];
    const fields = given(value);
    return Object.keys(fields).length === 0 ? [] : [[name, fields]];
  });
  return Object.fromEntries(entries);
}
