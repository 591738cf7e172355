/** Writes the pages that are made from contracts: npm run docs:pages */
import { readFileSync, writeFileSync } from 'node:fs';
import { renderApi } from './api-page.ts';
import { renderFields } from './fields-page.ts';
import { renderGlossary } from './glossary-page.ts';
import { renderStarterRules } from './starter-rules-page.ts';

const MEANING = 'docs/explanation/meaning.md';

writeFileSync('docs/reference/fields.md', renderFields());
writeFileSync('docs/reference/api.md', renderApi(readFileSync('packages/npm/api.d.ts', 'utf8')));
writeFileSync('docs/reference/starter-rules.md', renderStarterRules());
writeFileSync(MEANING, renderGlossary(readFileSync(MEANING, 'utf8')));
