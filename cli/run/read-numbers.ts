import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { readCsv } from '../../shared/table/files/read-csv.ts';
import { readUserFile } from './read-config.ts';

/** Whether a flag holds numbers rather than the name of a file. */
const holdsNumbers = (text: string) => /^[\d\s,]*$/.test(text);

/** What the numbers of rows are of, as a column of `attribute-risk.csv` is called. */
type Numbered = 'combination' | 'record';

/**
 * The combinations, or records, that a flag names, or that the column of that name of its file holds.
 *
 * @param flag what it is called, for messages
 * @param text undefined where it is not given
 *
 * @throws InvalidConfigError when there is no such file or column, or it holds something else than numbers from 1; neither
 * what it holds nor where is told
 */
export async function readNumbers(flag: string, text: string | undefined, column: Numbered): Promise<number[] | undefined> {
  if (text === undefined) return undefined;
  return numbersOf(flag, holdsNumbers(text) ? text.split(',') : await cellsOf(flag, text, column), column);
}

function numbersOf(flag: string, texts: readonly string[], column: Numbered): number[] {
  const numbers = texts.map((text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : 0));
  if (numbers.length > 0 && numbers.every((number) => Number.isSafeInteger(number) && number > 0)) {
    return numbers;
  }
  throw new InvalidConfigError(
    `malformed-${column}s`,
    `${flag}: expected numbers of ${column}s, whole ones from 1, between commas or in the column \`${column}\` of a CSV file.`,
  );
}

/** The cells of a column of a CSV file. */
async function cellsOf(flag: string, path: string, column: Numbered): Promise<string[]> {
  const cells: string[] = [];
  let isThere = false;
  readCsv(await readUserFile(path), (header) =>
    header.map((name) => {
      if (name !== column) return undefined;
      isThere = true;
      return { add: (text: string) => void cells.push(text) };
    }),
  );
  if (isThere) return cells;
  throw new InvalidConfigError(
    `malformed-${column}s`,
    `${flag}: the file has no column \`${column}\`, which the rows of this run have in attribute-risk.csv.`,
  );
}
