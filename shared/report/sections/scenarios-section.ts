import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatEstimate, formatFigure, formatPercent, formatSupported } from '../words/format-number.ts';

/** Several intruders side by side, of whom the rest of the page is about the first. */
export function scenariosSection(risks: readonly AttributeRiskSummary[]): Section {
  const body = html`
<p>All scenarios are of one release, and those whose intruders have the same records of one fit. The rest of this page is about the first; <code>attribute-risk.csv</code>
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
</table>
${risks.some(({ separately }) => separately) ? lesserTable(risks) : ''}`;
  return { id: 'scenarios', title: 'Scenarios', body };
}

/** Intruders who do not have all records but one: how many they do not have, and what each dataset tells by itself. */
function lesserTable(risks: readonly AttributeRiskSummary[]) {
  return html`
<p>Some intruders do not have all records but one, and have a risk for those that they do not have. Of several datasets
the figures above are of the mean of their log-likelihoods, which is an approximation: the datasets are of the same
records, so that most of what they tell is the same. Here is what single datasets tell, that of them which gives each record's
truth the largest probability, and the product of their likelihoods, an approximation that claims too much.</p>
<table>
<thead><tr><th>Scenario</th><th>Records</th><th>Probability of the truth by single datasets</th><th>By the largest</th><th>By the product</th><th>Together</th></tr></thead>
<tbody>${risks.flatMap(({ scenario, records, separately, largestOfDatasets, productOfDatasets, together }) =>
    separately && largestOfDatasets && productOfDatasets
      ? [
          html`<tr><td>${scenario}</td><td>${String(records)}</td>
<td>${separately.map((one) => formatEstimate(one.probabilityMean, one.probabilityMeanSe)).join('; ')}</td>
<td>${formatEstimate(largestOfDatasets.probabilityMean, largestOfDatasets.probabilityMeanSe)}</td>
<td>${formatEstimate(productOfDatasets.probabilityMean, productOfDatasets.probabilityMeanSe)}</td><td>${together ?? ''}</td></tr>`,
        ]
      : [],
  )}</tbody>
</table>`;
}
