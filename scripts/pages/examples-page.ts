import { readFileSync } from 'node:fs';
import { insertTables } from './insert-tables.ts';

const code = (language: string, file: string) => `\`\`\`${language}\n${readFileSync(file, 'utf8')}\`\`\``;

/** The page on reading results, as it is to be, with the programs of the examples: from the root of the repository. */
export function renderExamples(page: string): string {
  return insertTables(page, { r: code('r', 'examples/read-risk.R'), python: code('python', 'examples/read_risk.py') });
}
