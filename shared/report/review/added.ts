import { halfWidthOf } from '../../contracts/figure-errors.ts';
import { isRanked, type RankedRisk } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { beforeAfterChart } from '../charts/before-after.ts';
import { renderFigure } from '../charts/figure.ts';
import { resolvedScaleChart } from '../charts/resolved-scale.ts';
import { count, estimate, figure, percent, percentEstimate, quantity, rank, supported, supportedBy } from '../figures/figure.ts';
import { RESOLVED_SCALE, resolvedInWords } from '../figures/resolved.ts';
import { type Html, html } from '../page/html.ts';
import { label, labels } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { distributionSection } from '../sections/distribution-section.ts';
import { privacySection } from '../sections/privacy-section.ts';
import { scenariosSection } from '../sections/scenarios-section.ts';
import { priorInShort } from '../words/belief-shift.ts';
import { errorsInWords, shownError } from '../words/errors-in-words.ts';

/** Variables that are drawn at most; the table beside the chart has all. */
const DRAWN_VARIABLES = 20;

/** What does the release add to what could be guessed anyway, by how much, for whom? */
export async function addedSection(summary: Summary, risk: AttributeRiskSummary, table: AttributeRiskTable | null): Promise<Section> {
  const several = summary.attributeRisk.length > 1 || risk.separately !== undefined;
  return {
    id: 'added',
    title: 'What does the release add to what could be guessed anyway?',
    answer: answer(risk),
    body: html`<p>In this section ${errorsInWords(risk)}.</p>${await scale(risk)}${claimed(risk)}${isRanked(risk) ? html`${besideModel(risk)}${proven(risk)}${wholeRecord(risk)}` : []}`,
    parts: [
      ...(risk.variables.length === 0 ? [] : [await variablesPart(risk)]),
      ...(several ? [scenariosSection(summary.attributeRisk)] : []),
      ...(isRanked(risk) && table ? [await distributionSection(risk, table)] : []),
      ...privacySection(summary, risk),
    ],
  };
}

function answer(risk: AttributeRiskSummary): Html {
  if (risk.gainBitsMean === null) {
    return html`It shifts the intruder’s belief about a record by ${estimate(risk, 'informationBitsMean')} bits on average, and by ${figure(risk, 'informationBitsMax')} bits at most.`;
  }
  const added = html`It adds ${estimate(risk, 'gainBitsMean')} bits to the true values of a record, ${estimate(risk, 'gainBitsRiskiest')} to those of the riskiest 1\u00a0%`;
  if (risk.valuesGivenAway === null) return html`${added}.`;
  return html`${added}, and gives away ${figure(risk, 'valuesGivenAway')} ${risk.valuesGivenAway === 1 ? 'value' : 'values'} that could not be guessed before.`;
}

/** Where the release lies between one that tells nothing and the table itself; nothing where that is undefined. */
async function scale(risk: AttributeRiskSummary): Promise<Html | []> {
  const { uncertaintyResolved } = risk;
  if (uncertaintyResolved === null) return [];
  const halfWidth = halfWidthOf(risk, 'uncertaintyResolved');
  const interval = halfWidth === null ? '' : ', with its 95\u00a0% interval';
  return html`<p>${resolvedInWords(risk)} Before the release the true values of a record lacked ${estimate(risk, 'lackedBitsMean')} bits of being
certain; the release gives ${estimate(risk, 'gainBitsMean')} of them (of the riskiest 1\u00a0% of the records, those of which the estimate claims most, ${estimate(risk, 'gainBitsRiskiest')}). A release that does not depend on the table gives none, the table itself gives all.</p>
<div class="figures-grid">
${await renderFigure({
  title: 'Uncertainty resolved, between nothing and all',
  chart: resolvedScaleChart(uncertaintyResolved, { halfWidth, standardError: shownError(risk, 'uncertaintyResolved') }),
  legend: { mark: `This release${interval}` },
  caption: `${RESOLVED_SCALE}, which leaves an intruder with all other records a single row. Below 0 a release leads away from the truth.`,
})}
</div>
`;
}

/** What the estimate claims beside what it finds on the records that are there. */
function claimed(risk: AttributeRiskSummary): Html | [] {
  if (risk.gainBitsMean === null) return [];
  const differ =
    risk.gainBitsExcessSe === null
      ? html`. How surely they differ cannot be told: ${risk.gainBitsSeReason ?? ''}`
      : html`; they differ by ${estimate(risk, 'gainBitsExcess')}`;
  return html`<p>That is what is found on the records that are there, one variable at a time, where the estimate itself
claims ${supported(risk, 'gainBitsClaimed')} bits${differ}. Before the release the intruder has what the model of the other records
tells; one bit is worth as much as striking out half of the candidates when all were equally likely.</p>
`;
}

/** What the release adds to what everybody could model without the record; nothing under other priors. */
function besideModel(risk: RankedRisk): Html | [] {
  if (risk.prior !== 'model') return [];
  return html`<p>Beyond what everybody could model without the record, the release moves the intruder’s belief by
${supported(risk, 'informationBitsMean')} bits a record. The model of the other records alone gives the truth a probability of
${figure(risk, 'priorProbabilityMean')} on average, and its first guess is right for ${percent(risk, 'priorFirstShare')} of the records; with the release these are
${supported(risk, 'probabilityMean')} and ${percent(risk, 'truthRankedFirstShare')}. The difference is what the release adds.</p>
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

/** The same for whole records: what the release makes of the candidates. */
function wholeRecord(risk: RankedRisk): Html {
  const uniform = risk.prior === 'uniform';
  return html`<p>${uniform ? 'Where all candidates are equally likely beforehand' : `Under the ${priorInShort(risk.prior)}`}, the intruder’s first guess at the record is right for ${supportedBy(risk, 'truthRankedFirst', risk.records * shownError(risk, 'truthRankedFirstShare')!)} of
${quantity(risk, 'records', 'record')} (${percent(risk, 'truthRankedFirstShare')}); ${uniform ? 'guessing at random among the candidates' : 'the first guess by that prior alone'} would be right for
${percent(risk, 'priorFirstShare')}. The truth has a probability of ${supported(risk, 'probabilityMean')} on average, after ${figure(risk, 'priorProbabilityMean')} before the
release, and of ${figure(risk, 'probabilityMax')} at most; its median rank is ${rank(risk, 'truthRankMedian')} among up to ${quantity(risk, 'candidatesPerCombinationMax', 'candidate')}. The release
shifts the belief by ${supported(risk, 'informationBitsMean')} bits a record, towards the truth or away from it.</p>
`;
}

/** Variables: guessed right before and after, and the gain at the truth. */
async function variablesPart(risk: AttributeRiskSummary): Promise<Section> {
  const { variables } = risk;
  const ofTrees = variables.some(({ provenShare }) => provenShare !== undefined);
  const drawn = variables.slice(0, DRAWN_VARIABLES);
  const most = variables.toSorted((a, b) => b.gainBitsMean - a.gainBitsMean)[0]!;
  const body = html`
${renderTable(
  'variables-caption',
  'Variables: guessed right before and after the release, and the gain at the truth',
  [
    'Variable',
    'Commonest value',
    'Naive Bayes',
    'Right before',
    'Right after',
    'Gain, bits',
    'Resolved',
    'Claimed',
    'Given away',
    ...(ofTrees ? ['Proven'] : []),
  ],
  variables.map(
    (own) => html`<tr><th scope="row">${label(own.variable)}</th>
<td>${percent(own, 'commonestShare')}</td><td>${percent(own, 'naiveBayesShare')}</td><td>${percent(own, 'firstGuessRightBefore')}</td><td>${percent(own, 'firstGuessRightAfter')}</td>
<td>${estimate(own, 'gainBitsMean')}</td><td>${percentEstimate(own, 'uncertaintyResolved')}</td><td>${supported(own, 'gainBitsClaimed')}</td>
<td>${figure(own, 'valuesGivenAway')}</td>${ofTrees ? html`<td>${percent(own, 'provenShare')}</td>` : []}</tr>
`,
  ),
)}
<div class="figures-grid">
${await renderFigure({
  title: 'Values guessed right, before and after',
  chart: beforeAfterChart(drawn),
  legend: { hollow: 'Before the release, from the other records', mark: 'With the release' },
  caption:
    'What is right beforehand follows from the other records, whatever is released. The line to the full dot is what the release adds.',
})}
</div>`;
  return {
    id: 'variables',
    title: 'Variable by variable',
    answer: html`Most is added to ${label(most.variable)}: ${estimate(most, 'gainBitsMean')} bits, with ${percent(most, 'firstGuessRightAfter')} of its values guessed right in place of ${percent(most, 'firstGuessRightBefore')}.`,
    body,
  };
}
