import { InvalidConfigError } from '../errors.ts';

/** Letters that may differ in a name that is meant: a slip or two, not another word. */
const MOST_EDITS = 2;

/** Letters to insert, delete or replace so that one text becomes the other (Levenshtein's distance). */
function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = before[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      row.push(Math.min(replaced, before[j]! + 1, row[j - 1]! + 1));
    }
    before = row;
  }
  return before[b.length]!;
}

/** A letter in the other case costs less than any other edit: `income` is a slip of INCOME. */
const CASE_EDIT = 0.01;

/** Edits that turn a text into a name; infinite where so little is common that it is another word. */
function slips(text: string, name: string): number {
  // Of a long text there is nothing to compare: it is no slip.
  if (Math.abs(name.length - text.length) > MOST_EDITS) return Number.POSITIVE_INFINITY;
  const edits = editDistance(text.toLowerCase(), name.toLowerCase());
  const isSlip = edits <= MOST_EDITS && edits < Math.min(text.length, name.length);
  return isSlip ? edits + CASE_EDIT * editDistance(text, name) : Number.POSITIVE_INFINITY;
}

/** The name of which a text is most likely a slip, the first of several; undefined when it is too far from all. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => slips(text, name));
  const least = Math.min(...distances);
  return Number.isFinite(least) ? names[distances.indexOf(least)] : undefined;
}

/** ` (did you mean INCOME?)`, to follow what was typed; empty where nothing is near. */
export function didYouMean(text: string, names: readonly string[]): string {
  const meant = nearestName(text, names);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/**
 * The error where a field or a flag, `place`, names a variable that the table does not have. The others are not listed: where
 * none of the names that a user gives is there, the header may be a record.
 */
export function unknownVariable(place: string, name: string, names: readonly string[]): InvalidConfigError {
  return new InvalidConfigError(
    'unknown-variable',
    `${place}: the table has no variable ${name}${didYouMean(name, names)}. \`synthrisk plan TABLE --describe\` shows those that it has.`,
    { field: place },
  );
}
