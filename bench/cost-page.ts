import { concurrencyTable, costTable } from './cost-study.ts';

const TABLES = { cost: costTable, concurrency: concurrencyTable };

/** The page with its tables made anew: each stands between `<!-- table: NAME -->` and `<!-- end -->`. */
export function insertTables(page: string): string {
  return Object.entries(TABLES).reduce((text, [name, make]) => {
    const place = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`);
    if (!place.test(text)) throw new RangeError(`the page has no place for the table ${name}`);
    return text.replace(place, (_, begin: string, end: string) => `${begin}\n${make()}\n\n${end}`);
  }, page);
}
