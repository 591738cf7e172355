import { type Html, html } from './html.ts';
import { type Head, headRow } from './table.ts';

/** A table with its caption, which scrolls by itself where it is wide; the first cell of each row is its header. */
export function labelledTable(id: string, caption: string, heads: readonly Head[], rows: readonly (readonly (string | Html)[])[]): Html {
  const cell = (content: string | Html, column: number) =>
    typeof heads[column] === 'string' ? html`<td>${content}</td>` : html`<td class="words">${content}</td>`;
  return html`<div class="table-scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead>${headRow(heads)}</thead>
<tbody>
${rows.map(
  ([first, ...cells]) =>
    html`<tr><th scope="row">${first!}</th>${cells.map((content, index) => cell(content, index + 1))}</tr>
`,
)}
</tbody>
</table>
</div>`;
}
