import { estimate, figure, quantity } from '../figures/figure.ts';
import { riskiestScenario } from '../figures/matched-figures.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { boundsSection } from '../sections/bounds-section.ts';
import { continuousSection } from '../sections/continuous-section.ts';
import { disclosuresSection } from '../sections/disclosures-section.ts';
import { givenAwaySection } from '../sections/given-away-section.ts';
import { identificationSection } from '../sections/identification-section.ts';
import type { ReportInput } from './report-input.ts';

/** Which records, which values, against which intruder? */
export async function exposedSection(input: ReportInput): Promise<Section> {
  const { summary, values, continuous, inherent } = input;
  const { attributeRisk, identificationRisk, attributeDisclosures, uniqueValues } = summary;
  const [risk] = attributeRisk;
  return {
    id: 'exposed',
    title: 'Which records, which values, against which intruder?',
    answer: answer(input),
    body: html``,
    parts: [
      ...(risk && values ? [givenAwaySection(risk, values)] : []),
      ...(risk?.continuousVariables && continuous ? [continuousSection(risk.continuousVariables, continuous)] : []),
      ...(identificationRisk.length > 0 ? [await identificationSection(identificationRisk)] : []),
      ...(attributeDisclosures ? [disclosuresSection(attributeDisclosures, uniqueValues ?? [])] : []),
      ...(inherent ? [await boundsSection(inherent, null)] : []),
    ],
  };
}

function answer({ summary }: ReportInput): Html {
  const most = riskiestScenario(summary);
  const [risk] = summary.attributeRisk;
  const disclosed =
    risk === undefined || risk.gainBitsMean === null || risk.valuesGivenAway === null
      ? []
      : html`${estimate(risk, 'valuesGivenAway')} values are newly disclosed. `;
  const matched =
    most === undefined
      ? []
      : html`By matching, about ${figure(most.mean, 'expectedMatchRisk')} of ${quantity(summary.table, 'records', 'record')} would be found.`;
  return html`${disclosed}${matched}`;
}
