import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { VERSION } from '../../shared/contracts/version.ts';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const packageJson = JSON.parse(read('package.json'));

describe('CITATION.cff', () => {
  const citation = parse(read('CITATION.cff'));

  it('has the keys that the Citation File Format 1.2.0 requires, and no other than it knows', () => {
    expect(citation['cff-version']).toBe('1.2.0');
    for (const key of ['message', 'title', 'authors']) expect(citation).toHaveProperty(key);
    const known = [
      ...['abstract', 'authors', 'cff-version', 'commit', 'contact', 'date-released', 'doi', 'identifiers'],
      ...['keywords', 'license', 'license-url', 'message', 'preferred-citation', 'references', 'repository'],
      ...['repository-artifact', 'repository-code', 'title', 'type', 'url', 'version'],
    ];
    expect(Object.keys(citation).filter((key) => !known.includes(key))).toEqual([]);
    expect(citation.authors.length).toBeGreaterThan(0);
    for (const author of citation.authors) {
      expect('name' in author || 'family-names' in author || 'alias' in author).toBe(true);
    }
    for (const reference of citation.references) {
      for (const key of ['authors', 'title', 'type']) expect(reference).toHaveProperty(key);
    }
    expect(citation['date-released']).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('is of this version, under its licence', () => {
    expect(citation.version).toBe(VERSION);
    expect(citation.version).toBe(packageJson.version);
    expect(citation.license).toBe(packageJson.license);
    expect(citation.type).toBe('software');
  });
});

describe('CHANGELOG.md', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$/gm)];

  it('has this version after what is unreleased, the newest first, each with its date', () => {
    const versions = headings.map(([, version]) => version);
    expect(versions.slice(0, 2)).toEqual(['Unreleased', VERSION]);
    expect(headings.slice(1).filter(([, , date]) => date === undefined)).toEqual([]);
    const released = versions.slice(1);
    expect(released).toEqual(released.toSorted((a, b) => b!.localeCompare(a!, 'en', { numeric: true })));
    expect(headings[1]![2]).toBe(parse(read('CITATION.cff'))['date-released']);
  });

  it('has the kinds of change that the form has', () => {
    const kinds = [...read('CHANGELOG.md').matchAll(/^### (.+)$/gm)].map(([, kind]) => kind!);
    const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
    expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
  });
});
