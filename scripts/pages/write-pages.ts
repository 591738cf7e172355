/** Writes the pages that are made from contracts and examples: npm run docs:pages */
import { readFileSync, writeFileSync } from 'node:fs';
import { renderExamples } from './examples-page.ts';
import { renderFields } from './fields-page.ts';
import { renderStarterRules } from './starter-rules-page.ts';

const RESULTS = 'docs/how-to/read-results.md';

writeFileSync('docs/reference/fields.md', renderFields());
writeFileSync('docs/reference/starter-rules.md', renderStarterRules());
writeFileSync(RESULTS, renderExamples(readFileSync(RESULTS, 'utf8')));
