/** Writes the pages that are made from contracts and examples: npm run docs:pages */
import { readFileSync, writeFileSync } from 'node:fs';
import { renderExamples } from './examples-page.ts';
import { renderFields } from './fields-page.ts';

const RESULTS = 'docs/how-to/read-results.md';

writeFileSync('docs/reference/fields.md', renderFields());
writeFileSync(RESULTS, renderExamples(readFileSync(RESULTS, 'utf8')));
