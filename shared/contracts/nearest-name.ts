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

/** The name of which a text is most likely a slip, the first of several; undefined when it is too far from all. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  // Of a long text there is nothing to compare: it is no slip.
  const near = names.filter((name) => Math.abs(name.length - text.length) <= MOST_EDITS);
  const distances = near.map((name) => editDistance(text, name));
  const least = Math.min(...distances);
  return least <= MOST_EDITS ? near[distances.indexOf(least)] : undefined;
}
