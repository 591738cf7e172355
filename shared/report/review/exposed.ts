import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';
import type { FoundBounds } from '../../contracts/results/bounds.ts';
import type { RiskiestRows } from '../../contracts/results/record-details.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import type { VariableRiskTable } from '../../contracts/results/variable-risk-table.ts';
import { derived, figure, quantity } from '../figures/figure.ts';
import { riskiestScenario } from '../figures/matched-figures.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { boundsSection } from '../sections/bounds-section.ts';
import { disclosuresSection } from '../sections/disclosures-section.ts';
import { givenAwaySection } from '../sections/given-away-section.ts';
import { identificationSection } from '../sections/identification-section.ts';
import { riskiestSection } from '../sections/riskiest-section.ts';
import { weightsSection } from '../sections/weights-section.ts';
import { formatFigure } from '../words/format-number.ts';

/** What the section of exposed records is made of. */
export interface Exposed {
  readonly summary: Summary;
  /** Null where there is no attribute risk. */
  readonly risk: AttributeRiskSummary | null;
  readonly table: AttributeRiskTable | null;
  readonly values: VariableRiskTable | null;
  readonly riskiest: readonly RiskiestRows[];
  readonly inherent: FoundBounds | null;
}

/** A truth that is more probable than this is more likely known than not. */
const LIKELIER_THAN_NOT = 0.5;

/** Which records, which values, against which intruder? */
export async function exposedSection(found: Exposed): Promise<Section> {
  const { summary, risk, table, values, riskiest, inherent } = found;
  const { identificationRisk, attributeDisclosures, uniqueValues } = summary;
  return {
    id: 'exposed',
    title: 'Which records, which values, against which intruder?',
    answer: answer(found),
    body: html``,
    parts: [
      ...(table ? [await riskiestSection(table, riskiest)] : []),
      ...(risk && values ? [givenAwaySection(risk, values)] : []),
      ...(risk && table ? await weightsSection(risk, table) : []),
      ...(identificationRisk.length > 0 ? [await identificationSection(identificationRisk)] : []),
      ...(attributeDisclosures ? [disclosuresSection(attributeDisclosures, uniqueValues ?? [])] : []),
      ...(inherent ? [await boundsSection(inherent, null)] : []),
    ],
  };
}

function answer({ summary, table }: Exposed): Html {
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
