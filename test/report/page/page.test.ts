import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { html } from '../../../shared/report/page/html.ts';
import { renderPage } from '../../../shared/report/page/page.ts';
import type { PageScript } from '../../../shared/report/page/page-script.ts';

const pageWith = (scripts: readonly PageScript[]) =>
  renderPage({
    title: 'A page',
    confidentiality: null,
    heading: 'A page',
    subtitle: 'of a test',
    sections: [{ id: 'one', title: 'One', body: html`<p>Text.</p>` }],
    scripts,
    run: { version: '0.0.0' },
  });

/** The hashes of a policy, by directive. */
function allowedBy(page: string): Map<string, string[]> {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
  const directives = policy.split('; ');
  return new Map(directives.map((directive) => [directive.split(' ')[0]!, directive.split(' ').slice(1)]));
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('a page', () => {
  it('allows its style and its scripts by hash, and nothing else', async () => {
    const code = 'document.title = "grün & <b>";';
    const page = await pageWith([{ code, data: [] }]);
    const style = /<style>(.*?)<\/style>/s.exec(page)![1]!;
    expect(Object.fromEntries(allowedBy(page))).toEqual({
      'default-src': ["'none'"],
      'script-src': [hashOf(code)],
      'style-src': [hashOf(style)],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
    });
    expect(page).toContain(`<script>${code}</script>`);
    expect(allowedBy(await pageWith([])).has('script-src')).toBe(false);
  });

  it('holds data for its scripts that no label can end', async () => {
    const value = { label: '</script><script>alert(1)</script><!--' };
    const page = await pageWith([{ code: 'void 0', data: [{ id: 'rows', value }] }]);
    const stored = /<script type="application\/json" id="rows">(.*?)<\/script>/s.exec(page)![1]!;
    expect(stored).not.toContain('<');
    expect(JSON.parse(stored)).toEqual(value);
  });

  it('refuses a script that would end before its end', async () => {
    for (const code of ['"</script>"', '"<!--"', 'a\r\nb']) {
      await expect(pageWith([{ code, data: [] }])).rejects.toThrow(RangeError);
    }
  });
});
