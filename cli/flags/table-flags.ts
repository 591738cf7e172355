import { type Command, InvalidArgumentError, Option } from 'commander';
import { decimalsSchema } from '../../shared/contracts/continuous.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import type { Settings } from '../../shared/contracts/settings/settings.ts';
import { decimalNumber, names, numberOf } from './parse-flag.ts';

/** Flags of how the columns of a table are read. */
export interface TableFlags {
  readonly drop?: readonly string[];
  readonly categorical?: readonly string[];
  readonly continuous?: readonly string[];
  readonly breaks?: Readonly<Record<string, readonly number[]>>;
  readonly range?: Readonly<Record<string, readonly number[]>>;
  readonly scale?: Readonly<Record<string, string>>;
  readonly masses?: Readonly<Record<string, readonly number[]>>;
  readonly decimals?: Readonly<Record<string, number>>;
  readonly missingCodes?: MissingCodes;
  readonly count?: string;
  readonly decimalComma?: boolean;
  readonly thousands?: string;
}

/** Codes of all variables, and of those that have their own. */
interface MissingCodes {
  readonly all?: readonly string[];
  readonly own: Readonly<Record<string, readonly string[]>>;
}

const codes = (text: string, before?: readonly string[]) => {
  const found = names(text, before);
  if (found.includes('')) throw new InvalidArgumentError('expected codes between commas, such as -9,99');
  return found;
};

/** A flag that says something of one column, `AGE=0,18,65`, again for another: adds to what it has said so far. */
const ofColumn =
  <Said>(expected: string, read: (text: string) => Said) =>
  (text: string, before?: Readonly<Record<string, Said>>): Record<string, Said> => {
    const at = text.lastIndexOf('=');
    if (at < 1) throw new InvalidArgumentError(`expected ${expected}`);
    const name = text.slice(0, at);
    if (before && Object.hasOwn(before, name)) throw new InvalidArgumentError(`expected once of ${name}`);
    return { ...before, [name]: read(text.slice(at + 1)) };
  };

const numbersIn = (text: string) => names(text).map(decimalNumber);

/** Where bands of a column begin, `AGE=0,18,65`, again for another. */
export const breaksOfColumn = ofColumn('where bands begin, such as AGE=0,18,65', numbersIn);

/** Adds to the codes so far: `-9,99` of all variables, `AGE=-9,99` of one. */
function addMissingCodes(text: string, before: MissingCodes | undefined): MissingCodes {
  const at = text.lastIndexOf('=');
  if (at < 1) return { own: {}, ...before, all: codes(text, before?.all) };
  const name = text.slice(0, at);
  return { ...before, own: { ...before?.own, [name]: codes(text.slice(at + 1), before?.own[name]) } };
}

/** Adds the flags of how columns are read, for every command that reads a table. */
export function addTableFlags(command: Command): Command {
  return command
    .addOption(new Option('--drop <columns>', 'leave these columns out, A,B: identifiers, survey weights').argParser(names))
    .addOption(new Option('--categorical <columns>', 'read these columns as categories, A,B, whatever they hold').argParser(names))
    .addOption(new Option('--continuous <columns>', 'read these columns as numbers, A,B').argParser(names))
    .addOption(
      new Option('--breaks <column=numbers>', 'band a number: where each band begins, AGE=0,18,65; again for another column').argParser(
        breaksOfColumn,
      ),
    )
    .addOption(
      new Option(
        '--range <column=low,high>',
        'the lowest and the highest value that a number can have, AGE=0,120, as its questionnaire says; again for another column',
      ).argParser(ofColumn('the lowest and the highest value, such as AGE=0,120', numbersIn)),
    )
    .addOption(
      new Option('--scale <column=scale>', 'of the model mixed: none, log, asinh or sqrt, INCOME=log; again for another column').argParser(
        ofColumn('a scale, such as INCOME=log', String),
      ),
    )
    .addOption(
      new Option('--masses <column=numbers>', 'of the model mixed: values that many records share, INCOME=0; again for another').argParser(
        ofColumn('values that many records share, such as INCOME=0', numbersIn),
      ),
    )
    .addOption(
      new Option('--decimals <column=n>', 'of the model mixed: decimals of a number, INCOME=2 (default: 0); again for another').argParser(
        ofColumn('a number of decimals, such as INCOME=2', numberOf(decimalsSchema)),
      ),
    )
    .addOption(
      new Option(
        '--missing-codes <codes>',
        'values that stand for missing ones, -9,. in all columns or AGE=-9,99 in one; again for another',
      ).argParser(addMissingCodes),
    )
    .option('--count <column>', 'the column that says how many records each row stands for')
    .option('--decimal-comma', 'numbers of the table are written as 12,5')
    .addOption(new Option('--thousands <separator>', 'separator between thousands in the table').choices([',', '.', ' ', "'"]));
}

/** The settings that these flags give, by the config's names. Throws InvalidConfigError `two-types`. */
export function tableSettings(flags: TableFlags): Settings {
  const { drop = [], categorical = [], continuous = [], breaks = {}, missingCodes, decimalComma, thousands } = flags;
  const { range = {}, scale = {}, masses = {}, decimals = {} } = flags;
  const variables: Record<string, Settings> = {};
  const declare = (name: string, fields: Settings) => {
    variables[name] = { ...variables[name], ...fields };
  };
  const both = categorical.find((name) => continuous.includes(name));
  if (both !== undefined)
    throw new InvalidConfigError('two-types', `${both} is named by --categorical and by --continuous: expected one of them.`);
  for (const name of categorical) declare(name, { type: 'categorical' });
  for (const name of continuous) declare(name, { type: 'continuous' });
  for (const [name, from] of Object.entries(breaks)) declare(name, { breaks: from });
  for (const [field, said] of Object.entries({ range, scale, masses, decimals })) {
    for (const [name, value] of Object.entries(said)) declare(name, { [field]: value });
  }
  for (const [name, own] of Object.entries(missingCodes?.own ?? {})) declare(name, { missingCodes: own });
  for (const name of drop) declare(name, { drop: true });
  const isWritten = decimalComma || thousands !== undefined;
  return {
    variables: Object.keys(variables).length === 0 ? undefined : variables,
    missingCodes: missingCodes?.all,
    count: flags.count,
    numbers: isWritten ? { decimal: decimalComma ? ',' : '.', thousands } : undefined,
  };
}
