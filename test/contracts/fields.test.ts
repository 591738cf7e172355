import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderApi } from '../../scripts/pages/api-page.ts';
import { DOCUMENTS } from '../../scripts/pages/documents.ts';
import { renderFields } from '../../scripts/pages/fields-page.ts';
import { renderGlossary } from '../../scripts/pages/glossary-page.ts';
import { renderStarterRules } from '../../scripts/pages/starter-rules-page.ts';
import { TABLES } from '../../scripts/pages/tables.ts';
import { listFields } from '../../shared/contracts/settings/list-fields.ts';
import { acceptanceFigures } from '../../shared/contracts/settings/summary-figures.ts';

describe.each(DOCUMENTS)('%s', (_, __, schema) => {
  it('has a meaning for every field', () => {
    const without = listFields(schema).filter(({ meaning }) => meaning === null);
    expect(without.map(({ path }) => path)).toEqual([]);
  });
});

describe.each(TABLES)('$file.csv', ({ columns }) => {
  it('has a meaning for every column', () => {
    const without = Object.entries(columns).filter(([, { meaning }]) => !/^.+[.?]$/.test(meaning));
    expect(without.map(([name]) => name)).toEqual([]);
  });
});

it('every table of results is in the reference', () => {
  const sources = readdirSync('shared', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const files = sources.flatMap((path) => {
    const source = readFileSync(`shared/${path}`, 'utf8');
    return source.includes('ResultTable<') ? [...source.matchAll(/^ {2}file: '(.+)',$/gm)].map(([, file]) => file!) : [];
  });
  expect(files.sort()).toEqual(TABLES.map(({ file }) => file).sort());
});

it('every figure that rules can name has a meaning', () => {
  expect(acceptanceFigures().filter(({ meaning }) => meaning === null)).toEqual([]);
});

it('pages that are made are what `npm run docs:pages` writes', () => {
  expect(readFileSync('docs/reference/fields.md', 'utf8')).toBe(renderFields());
  expect(readFileSync('docs/reference/api.md', 'utf8')).toBe(renderApi(readFileSync('packages/npm/api.d.ts', 'utf8')));
  expect(readFileSync('docs/reference/starter-rules.md', 'utf8')).toBe(renderStarterRules());
  const meaning = readFileSync('docs/explanation/meaning.md', 'utf8');
  expect(renderGlossary(meaning)).toBe(meaning);
});
