import type { RiskiestRows } from '../../contracts/results/riskiest-rows.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import {
  formatCount,
  formatEstimate,
  formatFigure,
  formatPercent,
  formatQuantity,
  formatRank,
  formatSupported,
} from '../words/format-number.ts';

/** Several intruders side by side, of whom the rest of the page is about the first. */
export function scenariosSection(
  risks: readonly AttributeRiskSummary[],
  riskiest: readonly RiskiestRows[],
): Section {
  const body = html`
<p>All scenarios are of one release, and those whose intruders have the same records of one fit. The rest of this page is about the first; <code>attribute-risk.csv</code>
has the rows of all, one scenario below the other. Before is what the prior alone says of the truth.</p>
<table>
<thead><tr><th>Scenario</th><th>Candidates</th><th>Prior</th><th>Truth ranked first</th><th>Prior alone</th><th>Guessing</th><th>Probability of the truth, mean</th><th>Before</th>
<th>Shift of belief, bits</th><th>Gain at the truth, bits</th>
<th>Privacy loss, nats: median</th><th>Largest</th><th>Break the acceptance region</th><th>Agreement of ranks</th></tr></thead>
<tbody>${risks.map(
    (risk) => html`<tr><td>${risk.scenario}</td><td>${risk.candidates}</td><td>${risk.prior}</td>
<td>${formatPercent(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe)}</td><td>${formatPercent(risk.priorFirstShare)}</td><td>${formatPercent(risk.randomGuessingShare)}</td>
<td>${formatEstimate(risk.probabilityMean, risk.probabilityMeanSe)}</td><td>${formatFigure(risk.priorProbabilityMean)}</td>
<td>${formatEstimate(risk.informationBitsMean, risk.informationBitsMeanSe)}</td>
<td>${risk.gainBitsMean === null ? 'not asked for' : formatSupported(risk.gainBitsMean, risk.gainBitsMeanSe)}</td>
<td>${withError(risk.privacyLossMedian, risk.privacyLossMedianSe)}</td><td>${withError(risk.privacyLossMax, risk.privacyLossMaxSe)}</td>
<td>${risk.acceptanceRegion === null ? 'none asked for' : formatPercent(risk.acceptanceRegion.brokenShare)}</td>
<td>${risk.rankReproducibility === null ? 'undefined' : formatFigure(risk.rankReproducibility)}</td></tr>`,
  )}</tbody>
</table>
${risks.some(({ separately }) => separately) ? lesserTable(risks) : ''}
${riskiest.map(riskiestTable)}`;
  return { id: 'scenarios', title: 'Scenarios', body };
}

const withError = (value: number | null, standardError: number | null) => {
  if (value === null || standardError === null) return 'not measured';
  return standardError === 0 ? formatFigure(value) : formatEstimate(value, standardError);
};

/**
 * The rows most at risk under one scenario. The Bayes factor is the relative risk of whoever all but excludes the truth
 * beforehand, and holds the absolute one for every belief.
 */
function riskiestTable({ scenario, ofRecords, rows }: RiskiestRows): Html {
  const noun = ofRecords ? 'record' : 'combination';
  return html`
<div class="table-scroll" role="region" aria-label="Most at risk: ${scenario}" tabindex="0">
<table>
<caption>${scenario}: the ${formatQuantity(rows.length, noun)} whose truth is most probable relative to uniform guessing</caption>
<thead><tr><th scope="col">${ofRecords ? 'Record' : 'Combination'}</th><th scope="col">Count</th><th scope="col">Rank (90 % interval)</th><th scope="col">Candidates</th>
<th scope="col">Probability before</th><th scope="col">Probability after</th><th scope="col">Bayes factor</th></tr></thead>
<tbody>${rows.map(
    (row) => html`<tr><th scope="row">${formatCount(row.number)}</th><td>${formatCount(row.count)}</td>
<td>${formatRank(row.rank)} (${formatRank(row.rankLow)} to ${formatRank(row.rankHigh)})</td><td>${formatCount(row.candidates)}</td>
<td>${formatFigure(row.priorProbability)}</td><td>${withError(row.probability, row.probabilitySe)}</td>
<td>${withError(row.bayesFactor, row.bayesFactorSe)}</td></tr>`,
  )}</tbody>
</table>
</div>`;
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
