/**
 * A page with its tables made anew: each stands between `<!-- table: NAME -->` and `<!-- end -->`.
 *
 * @param tables by name, in Markdown
 * @throws RangeError if the page has no place for one of them
 */
export function insertTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`);
    if (!place.test(text)) throw new RangeError(`the page has no place for the table ${name}`);
    return text.replace(place, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
  }, page);
}

/**
 * A page with the tables made anew that it has a place for, and all others by their names, in Markdown: what a study prints.
 *
 * @param tables by name, in Markdown
 */
export function divideTables(page: string, tables: Readonly<Record<string, string>>): { readonly page: string; readonly apart: string } {
  const hasPlace = ([name]: readonly [string, string]) => page.includes(`<!-- table: ${name} -->`);
  const all = Object.entries(tables);
  const apart = all.filter((one) => !hasPlace(one)).map(([name, table]) => `## ${name}\n\n${table}\n`);
  return { page: insertTables(page, Object.fromEntries(all.filter(hasPlace))), apart: apart.join('\n') };
}

/** A table in Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
