import { isSimulated } from '../../contracts/config/config.ts';
import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';
import {
  type AttributeRiskSummary,
  GOOD_REPRODUCIBILITY,
  type Summary,
} from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { beliefShift, priorInShort } from '../words/belief-shift.ts';
import {
  estimateParts,
  formatCount,
  formatEstimate,
  formatFigure,
  formatPercent,
  formatQuantity,
  formatRank,
  formatSupported,
} from '../words/format-number.ts';

/** The answer in words, with the numbers that carry it. */
export function verdictSection(
  summary: Summary,
  risk: AttributeRiskSummary,
  table: AttributeRiskTable,
): Section {
  const guessing = risk.priorFirstShare;
  const before = risk.priorProbabilityMean;
  const uniform = risk.prior === 'uniform';
  const { prior_probability, probability, probability_se } = table.columns;
  const mostProbable = probability.reduce((most, value, row) => (value > probability[most]! ? row : most), 0);
  const firstSe = risk.truthRankedFirstShareSe;
  const body = html`
${realRecordsInWords(risk)}
${provenInWords(risk)}
<h3>${beliefShift(risk)}</h3>
${addedInWords(risk)}
<p>${uniform ? 'Where all candidates are equally likely beforehand' : `Under the ${priorInShort(risk.prior)}`}, the intruder’s first guess is right for ${formatSupported(risk.truthRankedFirst, risk.records * firstSe)} of
${formatQuantity(risk.records, 'record')} (${formatPercent(risk.truthRankedFirstShare, firstSe)}). ${uniform ? 'Guessing at random among the candidates' : 'The first guess by that prior alone'}
would be right for about ${formatFigure(Math.round(guessing * risk.records))} (${formatPercent(guessing)}).</p>
<dl class="figures">
${keyEstimate('Truth ranked first, percent', 100 * risk.truthRankedFirstShare, 100 * firstSe, `${uniform ? 'random guessing' : 'prior alone'}: ${formatFigure(100 * guessing)}`)}
${keyEstimate('Probability of the truth, mean', risk.probabilityMean, risk.probabilityMeanSe, `${uniform ? 'uniform' : 'prior'}: ${formatFigure(before)}`)}
${keyEstimate('Shift of belief in bits, mean', risk.informationBitsMean, risk.informationBitsMeanSe, `largest: ${formatFigure(risk.informationBitsMax)}`)}
${keyFigure('Reproducibility', risk.reproducibility === null ? 'undefined' : formatFigure(risk.reproducibility), '1 = a repeat gives the same order')}
</dl>
<p>${!isSimulated(risk.estimator) ? 'These figures are exact: nothing is simulated, and every Monte Carlo error is 0.' : 'The figure after each ± is its Monte Carlo standard error: what another simulation of the same release would change.'}
After the release the intruder gives the truth a probability of
${formatSupported(risk.probabilityMean, risk.probabilityMeanSe)} on average, after ${formatFigure(before)} before it${uniform ? ', when all candidates were equally likely' : []}. The largest probability of any record is ${formatSupported(risk.probabilityMax, probability_se[mostProbable]!)} (${uniform ? 'uniform' : 'prior'}:
${formatFigure(prior_probability[mostProbable]!)}). The median rank of the truth is
${formatRank(risk.truthRankMedian)} among up to ${formatQuantity(risk.candidatesPerCombinationMax, 'candidate')}.</p>
<p>The release shifts the intruder’s belief about a record’s values by ${formatSupported(risk.informationBitsMean, risk.informationBitsMeanSe)} bits on average, and
${formatFigure(risk.informationBitsMax)} bits at most, towards the truth or away from it. One bit is worth as much
as striking out half of the candidates when all were equally likely. Zero bits mean that nothing was shifted.</p>
${!isSimulated(risk.estimator) ? [] : html`<p>${reproducibilityInWords(risk)} ${distinguishableInWords(risk)}</p>`}
${matchedInWords(summary)}
${acceptanceInWords(summary)}`;
  return { id: 'verdict', title: 'Verdict', body };
}

/** What the release adds to what everybody could model without the record; nothing under other priors. */
function addedInWords(risk: AttributeRiskSummary): Html | [] {
  if (risk.prior !== 'model') return [];
  return html`<p>Beyond what everybody could model without the record, the release moves the intruder’s belief by
${formatSupported(risk.informationBitsMean, risk.informationBitsMeanSe)} bits a record. The model of the other records alone gives the truth a probability of
${formatFigure(risk.priorProbabilityMean)} on average, and its first guess is right for ${formatPercent(risk.priorFirstShare)} of the records; with the release these are
${formatSupported(risk.probabilityMean, risk.probabilityMeanSe)} and ${formatPercent(risk.truthRankedFirstShare, risk.truthRankedFirstShareSe)}. The difference is what the release adds.</p>`;
}

/** The answer on the records that are there; nothing where no variable is asked for by itself. */
function realRecordsInWords(risk: AttributeRiskSummary): Html | [] {
  const { gainBitsMean, gainBitsMeanSe, gainBitsClaimed, gainBitsExcess, gainBitsExcessSe } = risk;
  if (gainBitsMean === null) return [];
  const gained =
    gainBitsMeanSe === null ? formatFigure(gainBitsMean) : formatEstimate(gainBitsMean, gainBitsMeanSe);
  const claimed = formatSupported(gainBitsClaimed!, gainBitsMeanSe);
  return html`<p class="lead">With the release an intruder who knows the rest of a record guesses
${formatPercent(risk.firstGuessRightAfter!, risk.firstGuessRightAfterSe)} of the records’ values right, one variable at a time;
without it, from the other records alone, ${formatPercent(risk.firstGuessRightBefore!, risk.firstGuessRightBeforeSe)}.</p>
<dl class="figures">
${keyFigure('Values guessed right, percent', formatSupported(100 * risk.firstGuessRightAfter!, percentError(risk.firstGuessRightAfterSe)), `before the release: ${formatSupported(100 * risk.firstGuessRightBefore!, percentError(risk.firstGuessRightBeforeSe))}`)}
${keyFigure('Gain at the truth, bits a record', formatSupported(gainBitsMean, gainBitsMeanSe), `claimed: ${claimed}`)}
${keyFigure('Values given away', formatFigure(risk.valuesGivenAway!), 'not guessed before, guessed now')}
</dl>
<p>On the records that are there the release adds ${gained} bits to the true values of a record, where the estimate
claims ${claimed}${
    gainBitsExcessSe === null
      ? html`. How surely they differ cannot be told: ${risk.gainBitsSeReason ?? ''}`
      : html`; they differ by ${formatEstimate(gainBitsExcess!, gainBitsExcessSe)}`
  }. The error after ± here holds the choice of the release too. <a href="#given-away">By variable, and which values</a>.</p>`;
}

/** What trees prove, and what holding their divisions would miss; nothing of other models. */
function provenInWords({
  provenRecords,
  provenShare,
  records,
  fixedStructure,
  estimator,
  bandedVariables,
}: AttributeRiskSummary): Html | [] {
  if (provenRecords === undefined) return [];
  const quick =
    estimator === 'fixed-structure'
      ? html` The divisions of the trees were held as they are (precision quick): other values would have divided records otherwise, so that more may be proven, and more is learned.`
      : [];
  const banded =
    bandedVariables === undefined
      ? []
      : html` Of ${bandedVariables.join(', ')} bands are guessed at, each by one value that stands for it, and by the true one: that a band is proven says that none of the other values could have led to the release.`;
  const fixed = fixedStructure
    ? html` With the divisions of the trees held as they are these would be ${formatPercent(fixedStructure.provenShare)}, with ${formatPercent(fixedStructure.firstGuessRightAfter)} of the values guessed right${fixedStructure.gainBitsMissedShare === null ? '' : ` and ${formatPercent(Math.max(0, fixedStructure.gainBitsMissedShare))} of the gain missed`}.`
    : [];
  return html`<p>For <strong>${formatCount(provenRecords)} of ${formatQuantity(records, 'record')}</strong> (${formatPercent(provenShare!)}) the release proves a value: no other one could have led to it, given the rest.${banded}${fixed}${quick}</p>`;
}

const percentError = (standardError: number | null) => (standardError === null ? null : 100 * standardError);

/** What matching and equal values come to, in a sentence each; nothing where they were not measured. */
export function matchedInWords({ identificationRisk, attributeDisclosures, table }: Summary): Html | [] {
  if (attributeDisclosures === null) return [];
  const applied = identificationRisk.filter((risk) => risk.applies);
  const most = applied.toSorted((a, b) => b.mean.expectedMatchRisk - a.mean.expectedMatchRisk)[0];
  const { all, synthesized } = attributeDisclosures;
  const matched =
    most === undefined
      ? html`How many records an intruder could find by matching was not measured.`
      : html`An intruder who matches would find about ${formatFigure(most.mean.expectedMatchRisk)} of
${formatQuantity(table.records, 'record')} in a dataset${applied.length > 1 ? html`, under the scenario of most risk` : []} (<a href="#identification">identification risk</a>).`;
  return html`<p>${matched} The synthetic ${synthesized.length === 1 ? 'value is' : 'values are'} the true
${synthesized.length === 1 ? 'one' : 'ones'} for ${formatFigure(all.mean)} records on average
(${formatPercent(all.meanShare)}; <a href="#disclosures">true values that came out</a>).</p>`;
}

/** A key figure with its Monte Carlo standard error. */
function keyEstimate(term: string, estimate: number, standardError: number, comparison: string): Html {
  const [value, error] = estimateParts(estimate, standardError);
  return keyFigure(term, value, `${error}; ${comparison}`);
}

/** A key figure with what it is to be compared with. */
export function keyFigure(term: string, value: string, comparison: string): Html {
  return html`<div><dt>${term}</dt><dd class="value">${value}</dd><dd class="comparison">${comparison}</dd></div>`;
}

/** How many ranks the simulation settles, in words. */
function distinguishableInWords({ distinguishableShare }: AttributeRiskSummary): string {
  return distinguishableShare === 1
    ? 'The simulation settles the rank of the truth for every record.'
    : `The simulation settles the rank of the truth for ${formatPercent(distinguishableShare)} of records; for the others its 90 % interval spans half of the candidates or more, and this page says “not distinguishable” in place of a rank.`;
}

/** Reproducibility in words. */
function reproducibilityInWords({ reproducibility, reproducibilityReason }: AttributeRiskSummary): string {
  if (reproducibility === null) {
    return `How well a second evaluation would agree could not be determined${
      reproducibilityReason === undefined ? '' : `: ${reproducibilityReason}`
    }.`;
  }
  const correlation = `rank correlation ${formatFigure(reproducibility)}`;
  if (reproducibility >= GOOD_REPRODUCIBILITY) {
    return `A second, independent evaluation of the same release would put the records in nearly the same order (${correlation}).`;
  }
  if (reproducibility >= 0.8) {
    return `A second, independent evaluation of the same release would broadly agree, but the order of single records would change (${correlation}).`;
  }
  return `A second, independent evaluation of the same release would order the records differently (${correlation}): rely on the file as a whole, not on single records, or run more chains.`;
}

/** Whether the acceptance rules are met; nothing where there are none. */
export function acceptanceInWords({ acceptance }: Summary): Html | [] {
  if (acceptance.length === 0) return [];
  const missed = acceptance.filter((result) => !result.met).length;
  if (missed === 0) {
    return html`<p>${acceptance.length === 1 ? 'The acceptance rule is' : `All ${formatCount(acceptance.length)} acceptance rules are`} met.</p>`;
  }
  return html`<p><strong class="not-met">${formatCount(missed)} of ${formatQuantity(acceptance.length, 'acceptance rule')} not met</strong>
(<a href="#other">see the rules</a>).</p>`;
}
