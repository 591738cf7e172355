import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALL_REFERENCES } from '../../shared/report/review/references.ts';

/** The paragraphs of docs/reference/references.md without their marks, each on one line. */
const paragraphs = readFileSync('docs/reference/references.md', 'utf8')
  .split('\n\n')
  .map((paragraph) => paragraph.replaceAll('*', '').replace(/\s+/g, ' '));

describe('the references of the report', () => {
  it.each(ALL_REFERENCES.map(({ key, text }) => [key, text]))('cite %s as docs/reference/references.md does', (key, text) => {
    expect(paragraphs.some((paragraph) => paragraph.startsWith(`${key} ${text}`))).toBe(true);
  });
});
