import type { AttributeRiskTable } from '../../shared/contracts/results/attribute-risk-table.ts';
import { html } from '../../shared/report/page/html.ts';

/** A page with one table of all rows, and a search that hides those without a word: what the report is measured against. */
export function plainPage({ rows, columns, variables }: AttributeRiskTable): string {
  const { combination, count, prior_probability, probability, ratio_to_uniform, rank } = columns;
  const figures = [combination, count, prior_probability, probability, ratio_to_uniform, rank];
  const heads = ['Combination', 'Records', 'Before', 'After', '× uniform', 'Rank'];
  const body = Array.from({ length: rows }, (_, row) => {
    const numbers = figures.map((column) => html`<td>${String(Number(column[row]!.toPrecision(3)))}</td>`);
    return html`<tr>${numbers}${variables.map(({ text }) => html`<td>${text(row) ?? ''}</td>`)}</tr>
`;
  });
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>All combinations</title></head>
<body><input type="search" aria-label="Search">
<table><thead><tr>${[...heads, ...variables.map(({ name }) => name)].map((name) => html`<th>${name}</th>`)}</tr></thead><tbody>
${body}</tbody></table>
<script>
const search = document.querySelector('input');
search.addEventListener('input', () => {
  for (const row of document.querySelectorAll('tbody tr')) {
    row.hidden = ![...row.cells].some((cell) => cell.textContent.includes(search.value));
  }
});
</script></body></html>`.markup;
}
