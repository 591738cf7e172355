import { type Html, html } from './html.ts';

/** A table with a caption and heads of its columns, which scrolls by itself where it is wide; `rows` are `tr` elements. */
export function renderTable(
  id: string,
  caption: string,
  heads: readonly string[],
  rows: readonly Html[],
): Html {
  return html`
<div class="table-scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>`;
}
