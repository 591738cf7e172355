import type { RankedRisk } from '../../contracts/results/ranked-figures.ts';
import type { RiskiestRows } from '../../contracts/results/record-details.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { derived, figure, percent, quantity, rank, supported, supportedBy } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { distributionSection } from '../sections/distribution-section.ts';
import { riskiestSection } from '../sections/riskiest-section.ts';
import { weightsSection } from '../sections/weights-section.ts';
import { priorInShort } from '../words/belief-shift.ts';
import { shownError } from '../words/errors-in-words.ts';
import { formatFigure } from '../words/format-number.ts';

/** A truth that is more probable than this is more likely known than not. */
const LIKELIER_THAN_NOT = 0.5;

/** Ranks, probabilities and changes in them: whole records among their candidates, under the prior of the scenario. */
export async function ranksSection(risk: RankedRisk, table: AttributeRiskTable, riskiest: readonly RiskiestRows[]): Promise<Section> {
  const prior = priorInShort(risk.prior);
  const folded = (section: Section): Section => ({ ...section, folded: true });
  return {
    id: 'ranks',
    title: `Ranks and probabilities of whole records, under the ${prior}`,
    answer: answer(risk, table),
    body: html`${besideModel(risk)}${wholeRecord(risk)}`,
    parts: [await distributionSection(risk, table), await riskiestSection(table, riskiest), ...(await weightsSection(risk, table))].map(
      folded,
    ),
  };
}

/** What this prior assumes, so that nobody holds its figures against those of single values. */
function answer(risk: RankedRisk, { columns: { count, probability } }: AttributeRiskTable): Html {
  const assumed =
    risk.prior === 'uniform'
      ? 'The uniform prior takes every candidate for equally likely before the release, so that these figures are smaller than those of the other sections and not comparable with them.'
      : `These figures are of whole records among their candidates, under the ${priorInShort(risk.prior)}: they are not comparable with those of single values.`;
  const known = count.reduce((sum, records, row) => sum + (probability[row]! > LIKELIER_THAN_NOT ? records : 0), 0);
  return html`${assumed} Here the true record has a probability above 50\u00a0% for ${derived('records-likelier-known', formatFigure(known))} of ${quantity(risk, 'records', 'record')}.`;
}

/** What the release adds to what everybody could model without the record; nothing under other priors. */
function besideModel(risk: RankedRisk): Html | [] {
  if (risk.prior !== 'model') return [];
  return html`<p>Beyond what everybody could model without the record, the release changes the intruder’s probabilities by
${supported(risk, 'informationBitsMean')} bits a record. The model of the other records alone gives the truth a probability of
${figure(risk, 'priorProbabilityMean')} on average, and its first guess is right for ${percent(risk, 'priorFirstShare')} of the records; with the release these are
${supported(risk, 'probabilityMean')} and ${percent(risk, 'truthRankedFirstShare')}. The difference is what the release adds.</p>
`;
}

/** The same for whole records: what the release makes of the candidates. */
function wholeRecord(risk: RankedRisk): Html {
  const uniform = risk.prior === 'uniform';
  return html`<p>${uniform ? 'Where all candidates are equally likely beforehand' : `Under the ${priorInShort(risk.prior)}`}, the intruder’s first guess at the record is right for ${supportedBy(risk, 'truthRankedFirst', risk.records * shownError(risk, 'truthRankedFirstShare')!)} of
${quantity(risk, 'records', 'record')} (${percent(risk, 'truthRankedFirstShare')}); ${uniform ? 'guessing at random among the candidates' : 'the first guess by that prior alone'} would be right for
${percent(risk, 'priorFirstShare')}. The truth has a probability of ${supported(risk, 'probabilityMean')} on average, after ${figure(risk, 'priorProbabilityMean')} before the
release, and of ${figure(risk, 'probabilityMax')} at most; its median rank is ${rank(risk, 'truthRankMedian')} among up to ${quantity(risk, 'candidatesPerCombinationMax', 'candidate')}. The release
changes the intruder’s probabilities by ${supported(risk, 'informationBitsMean')} bits a record, towards the truth or away from it.</p>
`;
}
