/** What fields mean, by the end of their path: `rules.rule` is a field `rule` below `rules`; `*` is any name. */
export type Descriptions = Readonly<Record<string, string>>;

/** The ending of a path by which a field is described, the longest first; null where none is. */
export function descriptionKey(path: readonly string[], descriptions: Descriptions): string | null {
  for (let from = 0; from < path.length; from++) {
    const key = keyOf(path.slice(from), descriptions);
    if (key !== null) return key;
  }
  return null;
}

/** The key that is a path, a star of which stands for one of its names. */
function keyOf(path: readonly string[], descriptions: Descriptions): string | null {
  const exact = path.join('.');
  if (Object.hasOwn(descriptions, exact)) return exact;
  const inner = path.slice(1, -1).map((_, i) => path.toSpliced(i + 1, 1, '*').join('.'));
  return inner.find((key) => Object.hasOwn(descriptions, key)) ?? null;
}
