import { derived, figure, quantity } from '../figures/figure.ts';
import { riskiestScenario } from '../figures/matched-figures.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { boundsSection } from '../sections/bounds-section.ts';
import { continuousSection } from '../sections/continuous-section.ts';
import { disclosuresSection } from '../sections/disclosures-section.ts';
import { givenAwaySection } from '../sections/given-away-section.ts';
import { identificationSection } from '../sections/identification-section.ts';
import { riskiestSection } from '../sections/riskiest-section.ts';
import { weightsSection } from '../sections/weights-section.ts';
import { formatFigure } from '../words/format-number.ts';
import type { ReportInput } from './report-input.ts';

/** A truth that is more probable than this is more likely known than not. */
const LIKELIER_THAN_NOT = 0.5;

/** Which records, which values, against which intruder? */
export async function exposedSection(input: ReportInput): Promise<Section> {
  const { summary, table, values, continuous, riskiest, inherent } = input;
  const { attributeRisk, identificationRisk, attributeDisclosures, uniqueValues } = summary;
  const [risk] = attributeRisk;
  return {
    id: 'exposed',
    title: 'Which records, which values, against which intruder?',
    answer: answer(input),
    body: html``,
    parts: [
      ...(table ? [await riskiestSection(table, riskiest)] : []),
      ...(risk && values ? [givenAwaySection(risk, values)] : []),
      ...(risk?.continuousVariables && continuous ? [continuousSection(risk.continuousVariables, continuous)] : []),
      ...(risk && table ? await weightsSection(risk, table) : []),
      ...(identificationRisk.length > 0 ? [await identificationSection(identificationRisk)] : []),
      ...(attributeDisclosures ? [disclosuresSection(attributeDisclosures, uniqueValues ?? [])] : []),
      ...(inherent ? [await boundsSection(inherent, null)] : []),
    ],
  };
}

function answer({ summary, table }: ReportInput): Html {
  const most = riskiestScenario(summary);
  const matched =
    most === undefined
      ? []
      : html` ${table === null ? 'About' : 'By matching, about'} ${figure(most.mean, 'expectedMatchRisk')} of ${quantity(summary.table, 'records', 'record')} would be found.`;
  if (table === null) return html`${matched}`;
  const { count, probability } = table.columns;
  const known = count.reduce((sum, records, row) => sum + (probability[row]! > LIKELIER_THAN_NOT ? records : 0), 0);
  const likely =
    known === 0
      ? html`For no record is the intruder more likely right than wrong.`
      : html`For ${derived('records-likelier-known', formatFigure(known))} of ${quantity(summary.table, 'records', 'record')} the intruder is more likely right than wrong.`;
  return html`${likely}${matched}`;
}
