import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { readCsv } from '../../shared/table/files/read-csv.ts';
import { readUserFile } from './read-config.ts';

/** Whether a flag holds numbers rather than the name of a file. */
const holdsNumbers = (text: string) => /^\d+(\s*,\s*\d+)*$/.test(text.trim());

/**
 * The combinations that a flag names, or that the column `combination` of its file holds.
 *
 * @param flag what it is called, for messages
 * @param text undefined where it is not given
 *
 * @throws InvalidConfigError when there is no such file or column, or it holds something else than numbers from 1; neither
 * what it holds nor where is told
 */
export async function readCombinations(flag: string, text: string | undefined): Promise<number[] | undefined> {
  if (text === undefined) return undefined;
  return numbersOf(flag, holdsNumbers(text) ? text.split(',') : await columnOf(flag, text));
}

function numbersOf(flag: string, texts: readonly string[]): number[] {
  const numbers = texts.map((text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : 0));
  if (numbers.length > 0 && numbers.every((number) => Number.isSafeInteger(number) && number > 0)) {
    return numbers;
  }
  throw new InvalidConfigError(
    'malformed-combinations',
    `${flag}: expected numbers of combinations, whole ones from 1, between commas or in the column \`combination\` of a CSV file.`,
  );
}

/** The cells of the column `combination` of a CSV file. */
async function columnOf(flag: string, path: string): Promise<string[]> {
  const cells: string[] = [];
  let isThere = false;
  readCsv(await readUserFile(path), (header) =>
    header.map((name) => {
      if (name !== 'combination') return undefined;
      isThere = true;
      return { add: (text: string) => void cells.push(text) };
    }),
  );
  if (isThere) return cells;
  throw new InvalidConfigError('malformed-combinations', `${flag}: the file has no column \`combination\`, as attribute-risk.csv has it.`);
}
