import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatEstimate, formatFigure, formatPercent, formatSupported } from '../words/format-number.ts';

/** Several intruders side by side, of whom the rest of the page is about the first. */
export function scenariosSection(risks: readonly AttributeRiskSummary[]): Section {
  const body = html`
<p>All scenarios are of one fit and one release. The rest of this page is about the first; <code>attribute-risk.csv</code>
has the rows of all, one scenario below the other.</p>
<table>
<thead><tr><th>Scenario</th><th>Candidates</th><th>Prior</th><th>Truth ranked first</th><th>Guessing</th><th>Probability of the truth, mean</th>
<th>Shift of belief, bits</th><th>Gain at the truth, bits</th><th>Agreement of ranks</th></tr></thead>
<tbody>${risks.map(
    (risk) => html`<tr><td>${risk.scenario}</td><td>${risk.candidates}</td><td>${risk.prior}</td>
<td>${formatPercent(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe)}</td><td>${formatPercent(risk.randomGuessingShare)}</td>
<td>${formatEstimate(risk.probabilityMean, risk.probabilityMeanSe)}</td>
<td>${formatEstimate(risk.informationBitsMean, risk.informationBitsMeanSe)}</td>
<td>${risk.gainBitsMean === null ? 'not asked for' : formatSupported(risk.gainBitsMean, risk.gainBitsMeanSe)}</td>
<td>${risk.rankReproducibility === null ? 'undefined' : formatFigure(risk.rankReproducibility)}</td></tr>`,
  )}</tbody>
</table>`;
  return { id: 'scenarios', title: 'Scenarios', body };
}
