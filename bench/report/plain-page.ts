import { html } from '../../shared/report/page/html.ts';

/** A page with one table of all rows, and a search that hides those without a word: what the report is measured against. */
export function plainPage([heads, ...rows]: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]) => row.map((text) => html`<td>${text}</td>`);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>All combinations</title></head>
<body><input type="search" aria-label="Search">
<table><thead><tr>${heads!.map((name) => html`<th>${name}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr>${cells(row)}</tr>
`,
)}</tbody></table>
<script>
const search = document.querySelector('input');
search.addEventListener('input', () => {
  for (const row of document.querySelectorAll('tbody tr')) {
    row.hidden = ![...row.cells].some((cell) => cell.textContent.includes(search.value));
  }
});
</script></body></html>`.markup;
}
