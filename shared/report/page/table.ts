import { Html, html } from './html.ts';

/** The head of a column of numbers, or of one of words, which begin at its left. */
export type Head = string | { readonly words: string };

/** The heads of a table. */
export function headRow(heads: readonly Head[]): Html {
  return html`<tr>${heads.map((head) => (typeof head === 'string' ? html`<th scope="col">${head}</th>` : html`<th scope="col" class="words">${head.words}</th>`))}</tr>`;
}

/** A table with a caption and heads of its columns, which scrolls by itself where it is wide; `rows` are `tr` elements. */
export function renderTable(id: string, caption: string | Html, heads: readonly Head[], rows: readonly Html[]): Html {
  return html`
<div class="table-scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead>${headRow(heads)}</thead>
<tbody>
${rows}</tbody>
</table>
</div>`;
}

/** A table with its caption, which scrolls by itself where it is wide; heads may be a `tr` element, and `rows` are such. */
export function framedTable(id: string, caption: string | Html, heads: readonly Head[] | Html, rows: readonly Html[]): Html {
  return html`<div class="table-scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead>${heads instanceof Html ? heads : headRow(heads)}</thead>
<tbody>
${rows}
</tbody>
</table>
</div>`;
}

/** The same of cells, of which the first of each row is its header. */
export function labelledTable(
  id: string,
  caption: string | Html,
  heads: readonly Head[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  const cell = (content: string | Html, column: number) =>
    typeof heads[column] === 'string' ? html`<td>${content}</td>` : html`<td class="words">${content}</td>`;
  const lines = rows.map(
    ([first, ...cells]) => html`<tr><th scope="row">${first!}</th>${cells.map((content, index) => cell(content, index + 1))}</tr>
`,
  );
  return framedTable(id, caption, heads, lines);
}
