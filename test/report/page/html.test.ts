import { describe, expect, it } from 'vitest';
import { escapeHtml, Html, html } from '../../../shared/report/page/html.ts';

describe('escapeHtml', () => {
  it('replaces every character with a meaning, and nothing else', () => {
    expect(escapeHtml(`<b title="a" lang='b'>R&D</b> é 1/2`)).toBe('&lt;b title=&quot;a&quot; lang=&#39;b&#39;&gt;R&amp;D&lt;/b&gt; é 1/2');
  });
});

describe('html', () => {
  it('escapes text and leaves markup as it is', () => {
    const cells = ['<1', 'a & b'].map((text) => html`<td>${text}</td>`);
    expect(html`<tr>${cells}${new Html('<td></td>')}</tr>`.markup).toBe('<tr><td>&lt;1</td><td>a &amp; b</td><td></td></tr>');
  });
});
