import { type Html, html } from './html.ts';

/** A table with its caption, which scrolls by itself where it is wide; the first cell of each row is its header. */
export function labelledTable(
  id: string,
  caption: string,
  header: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
): Html {
  return html`<div class="table-scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead><tr>${header.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([
    first,
    ...cells
  ]) => html`<tr><th scope="row">${first!}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}
</tbody>
</table>
</div>`;
}
