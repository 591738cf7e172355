import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import type { VariableRiskTable } from '../../contracts/results/variable-risk-table.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import {
  formatCount,
  formatEstimate,
  formatFigure,
  formatPercent,
  formatQuantity,
  formatSupported,
} from '../words/format-number.ts';

/** How many values the report lists; all of them are in variable-risk.csv. */
const ROWS_LISTED = 10;

/** What the release tells by variable, and the values that it gives away. */
export function givenAwaySection(risk: AttributeRiskSummary, table: VariableRiskTable): Section {
  const listed = Array.from(table.givenAway.subarray(0, ROWS_LISTED), (row) => table.row(row));
  const noun = table.ofRecords ? 'Record' : 'Combination';
  const body = html`
<p>The intruder knows all of a record but its value of one variable, and begins with what the model tells from the
other records. The share of first guesses that are right, and the bits that the release adds to the true value, by
variable:</p>
<div class="table-scroll" role="region" aria-labelledby="variables-caption" tabindex="0">
<table>
<caption id="variables-caption">Variables: guessed right before and after the release, and the gain at the truth</caption>
<thead><tr><th scope="col">Variable</th><th scope="col">Right before</th><th scope="col">Right after</th>
<th scope="col">Gain, bits</th><th scope="col">Claimed</th><th scope="col">Given away</th>${table.ofTrees ? html`<th scope="col">Proven</th>` : []}</tr></thead>
<tbody>
${risk.variables.map(
  (own) => html`<tr><th scope="row">${own.variable}</th>
<td>${formatPercent(own.firstGuessRightBefore, own.firstGuessRightBeforeSe)}</td>
<td>${formatPercent(own.firstGuessRightAfter, own.firstGuessRightAfterSe)}</td>
<td>${gain(own.gainBitsMean, own.gainBitsMeanSe)}</td>
<td>${formatSupported(own.gainBitsClaimed, own.gainBitsMeanSe)}</td>
<td>${formatFigure(own.valuesGivenAway)}</td>${own.provenShare === undefined ? [] : html`<td>${formatPercent(own.provenShare)}</td>`}</tr>
`,
)}
</tbody>
</table>
</div>
<p>The release gives a value away when it was not the intruder’s first guess before the release, is it afterwards, and is
then more likely right than wrong. ${
    listed.length === 0
      ? 'There is none.'
      : `The ${formatQuantity(listed.length, 'value')} with the largest gains; all are in the table variable-risk.csv.`
  }</p>
${listed.length === 0 ? [] : givenAwayTable(noun, listed)}`;
  return { id: 'given-away', title: 'Values that the release gives away', body };
}

/** A gain with its error, where it has one. */
function gain(bits: number, standardError: number | null): string {
  return standardError === null ? formatFigure(bits) : formatEstimate(bits, standardError);
}

function givenAwayTable(noun: string, rows: readonly ReturnType<VariableRiskTable['row']>[]): Html {
  return html`<div class="table-scroll" role="region" aria-labelledby="given-away-caption" tabindex="0">
<table>
<caption id="given-away-caption">Values given away, from the largest gain</caption>
<thead><tr><th scope="col">${noun}</th><th scope="col">Records</th><th scope="col">Variable</th><th scope="col">True value</th>
<th scope="col">First guess before</th><th scope="col">Probability before</th><th scope="col">Probability after</th><th scope="col">Gain, bits</th></tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr><th scope="row">${formatCount(row.number)}</th>
<td>${formatCount(row.count)}</td>
<td class="words">${row.variable}</td>
<td class="words">${row.value}</td>
<td class="words">${row.first_guess_before}</td>
<td>${formatFigure(row.probability_before)}</td>
<td>${formatEstimate(row.probability_after, row.probability_se)}</td>
<td>${formatFigure(row.gain_bits)}</td></tr>
`,
)}
</tbody>
</table>
</div>`;
}
