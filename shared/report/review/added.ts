import { isRanked } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { renderFigure } from '../charts/figure.ts';
import { gainsChart } from '../charts/gains-chart.ts';
import { count, estimate, percent, percentEstimate, quantity, supported } from '../figures/figure.ts';
import { resolvedInWords } from '../figures/resolved.ts';
import { type Html, html } from '../page/html.ts';
import { label, labels } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { privacySection } from '../sections/privacy-section.ts';
import { scenariosSection } from '../sections/scenarios-section.ts';

/** Variables that are drawn at most; the table beside the chart has all. */
const DRAWN_VARIABLES = 20;

/** What does the release add to what could be guessed anyway, by how much, for whom? */
export async function addedSection(summary: Summary, risk: AttributeRiskSummary): Promise<Section> {
  const several = summary.attributeRisk.length > 1 || risk.separately !== undefined;
  return {
    id: 'added',
    title: 'What does the release add to what could be guessed anyway?',
    answer: answer(risk),
    body: html`${resolved(risk)}${claimed(risk)}${isRanked(risk) ? proven(risk) : []}`,
    parts: [
      ...(risk.variables.length === 0 ? [] : [await variablesPart(risk)]),
      ...(several ? [scenariosSection(summary.attributeRisk)] : []),
      ...privacySection(summary, risk),
    ],
  };
}

function answer(risk: AttributeRiskSummary): Html {
  if (risk.gainBitsMean === null) return html`Single values were not asked for: ${risk.gainBitsReason ?? ''}.`;
  const gained = html`About the true values of a record an intruder gains ${estimate(risk, 'gainBitsMean')} bits, ${estimate(risk, 'gainBitsRiskiest')} about those of the riskiest 1\u00a0%`;
  if (risk.valuesGivenAway === null) return html`${gained}.`;
  return html`${gained}; ${estimate(risk, 'valuesGivenAway')} values are newly disclosed.`;
}

/** What the intruder lacked before the release, and how much of it the release resolves; nothing where that is undefined. */
function resolved(risk: AttributeRiskSummary): Html | [] {
  if (risk.uncertaintyResolved === null) return [];
  return html`<p>${resolvedInWords(risk)} Before the release the intruder lacks ${estimate(risk, 'lackedBitsMean')} bits about the
true values of a record; the release reveals ${estimate(risk, 'gainBitsMean')} of them. A release that is independent of the table reveals none, the table
itself all. One bit rules out half of the candidates, where all were equally likely.</p>
`;
}

/** What the estimate claims beside what it finds on the observed records. */
function claimed(risk: AttributeRiskSummary): Html | [] {
  if (risk.gainBitsMean === null) return [];
  const differ =
    risk.gainBitsExcessSe === null
      ? html`. The error of the difference is not known: ${risk.gainBitsSeReason ?? ''}`
      : html`, a difference of ${estimate(risk, 'gainBitsExcess')}`;
  return html`<p>These gains are found at the true values of the observed records. The estimate itself expects
${supported(risk, 'gainBitsClaimed')} bits${differ}.</p>
`;
}

/** What trees prove, and what holding their divisions would miss; nothing of other models. */
function proven(risk: AttributeRiskSummary): Html | [] {
  const { provenRecords, fixedStructure, estimator, bandedVariables } = risk;
  if (provenRecords === undefined) return [];
  const quick =
    estimator === 'fixed-structure'
      ? html` The divisions of the trees were held as they are (precision quick): other values would have divided records otherwise, so that more may be proven, and more is learned.`
      : [];
  const banded =
    bandedVariables === undefined
      ? []
      : html` Of ${labels(bandedVariables)} bands are guessed at, each by one value that stands for it, and by the true one: that a band is proven says that none of the other values could have led to the release.`;
  const missed =
    fixedStructure === undefined || fixedStructure.gainBitsMissedShare === null
      ? []
      : html` and ${percent(fixedStructure, 'gainBitsMissedShare')} of the gain missed`;
  const fixed =
    fixedStructure === undefined
      ? []
      : html` With the divisions of the trees held as they are these would be ${percent(fixedStructure, 'provenShare')}, with ${percent(fixedStructure, 'firstGuessRightAfter')} of the values guessed right${missed}.`;
  return html`<p>For <strong>${count(risk, 'provenRecords')} of ${quantity(risk, 'records', 'record')}</strong> (${percent(risk, 'provenShare')}) the release proves a value: no other one could have led to it, given the rest.${banded}${fixed}${quick}</p>
`;
}

/** Variables: guessed right before and after, and the gain at the truth. */
async function variablesPart(risk: AttributeRiskSummary): Promise<Section> {
  const { variables } = risk;
  const ofTrees = variables.some(({ provenShare }) => provenShare !== undefined);
  const most = variables.toSorted((a, b) => b.gainBitsMean - a.gainBitsMean)[0]!;
  const body = html`
${renderTable(
  'variables-caption',
  'Values guessed correctly before and after the release, and information gained about the true values',
  [
    'Variable',
    'Commonest value',
    'Naive Bayes',
    'Correct before',
    'Correct after',
    'Gain, bits',
    'Resolved',
    'Claimed',
    'Newly disclosed',
    ...(ofTrees ? ['Proven'] : []),
  ],
  variables.map(
    (own) => html`<tr><th scope="row">${label(own.variable)}</th>
<td>${percent(own, 'commonestShare')}</td><td>${percent(own, 'naiveBayesShare')}</td><td>${percent(own, 'firstGuessRightBefore')}</td><td>${percent(own, 'firstGuessRightAfter')}</td>
<td>${estimate(own, 'gainBitsMean')}</td><td>${percentEstimate(own, 'uncertaintyResolved')}</td><td>${supported(own, 'gainBitsClaimed')}</td>
<td>${estimate(own, 'valuesGivenAway')}</td>${ofTrees ? html`<td>${percent(own, 'provenShare')}</td>` : []}</tr>
`,
  ),
)}
<div class="figures-grid">
${await renderFigure({
  title: 'Information gained, variable by variable',
  chart: gainsChart(risk, DRAWN_VARIABLES),
  legend: { mark: 'Gain with its 95 % interval', reference: 'Nothing gained' },
  caption: 'From the largest gain. An interval that crosses the line shows neither a gain nor protection.',
})}
</div>`;
  return {
    id: 'variables',
    title: 'Variable by variable',
    answer: html`Most is gained about ${label(most.variable)}: ${estimate(most, 'gainBitsMean')} bits; ${percent(most, 'firstGuessRightAfter')} of its values are guessed correctly, ${percent(most, 'firstGuessRightBefore')} without the release.`,
    body,
  };
}
