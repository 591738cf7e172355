/** Reads under way at once unless a caller says otherwise: objects may be large, and are in memory until their turn. */
const READS_AT_ONCE = 8;

/**
 * What is read for each item, in the order of the items, with so many reads under way at once. When one fails or the
 * loop over the results is left, no other begins, and those under way are waited for.
 *
 * @throws what the first read that fails throws, first in the order of the items
 */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
  atOnce = READS_AT_ONCE,
): AsyncGenerator<Result, void, undefined> {
  const underWay: Promise<Result>[] = [];
  try {
    for (const item of items) {
      const result = read(item);
      // A failure is thrown in its turn; until then, nobody waits for it.
      result.catch(() => undefined);
      underWay.push(result);
      if (underWay.length >= atOnce) yield await underWay.shift()!;
    }
    while (underWay.length > 0) yield await underWay.shift()!;
  } finally {
    await Promise.allSettled(underWay);
  }
}
