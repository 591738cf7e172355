import { NOT_MEANT, TERMS } from '../../shared/report/sections/glossary.ts';
import { insertTables, markdownTable } from './insert-tables.ts';

/** The page of what the numbers mean, as it is to be: with the terms of the report's glossary. */
export function renderGlossary(page: string): string {
  return insertTables(page, {
    terms: markdownTable(
      ['term', 'meaning'],
      TERMS.map(([term, meaning]) => [`**${term}**`, meaning]),
    ),
    'not-meant': NOT_MEANT.map((one) => `- ${one}`).join('\n'),
  });
}
