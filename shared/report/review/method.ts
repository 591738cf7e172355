import { isSimulated } from '../../contracts/config/config.ts';
import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { columnsSection, termsSection } from '../sections/glossary-section.ts';
import { intruderInWords, measurementSection } from '../sections/measurement-section.ts';
import { ATTRIBUTE_EQUATIONS, type Equation, LIKELIHOOD_EQUATION, MATCHING_EQUATION, UTILITY_EQUATION } from './equations.ts';
import { measuresPart } from './glossary.ts';
import { type Reference, referencesOf } from './references.ts';

/** How was it measured? Method, equations and references, settings and version, and what every number means. */
export function methodSection(summary: Summary, risk: AttributeRiskSummary | null): Section {
  return {
    id: 'method',
    title: 'How was it measured?',
    answer:
      risk === null
        ? html`Rows of the datasets were matched with what an intruder may know of the records that they belong to.`
        : html`${intruderInWords(summary, risk)}`,
    body: html``,
    parts: [
      measurementSection(summary, risk),
      equationsPart(summary, risk),
      termsSection(),
      measuresPart(),
      ...(risk === null ? [] : [columnsSection()]),
      referencesPart(referencesOf(summary, risk)),
    ].map((part) => ({ ...part, folded: true })),
  };
}

function equationsPart({ identificationRisk, utility }: Summary, risk: AttributeRiskSummary | null): Section {
  const equations: readonly Equation[] = [
    ...(risk === null ? [] : ATTRIBUTE_EQUATIONS),
    ...(risk !== null && isSimulated(risk.estimator) ? [LIKELIHOOD_EQUATION] : []),
    ...(identificationRisk.some(({ applies }) => applies) ? [MATCHING_EQUATION] : []),
    ...(utility === null ? [] : [UTILITY_EQUATION]),
  ];
  const body = html`${equations.map(
    ({ of, math, where }): Html => html`<h3>${of}</h3>
<div class="equation" tabindex="0">${math}</div>
<p class="note">${where}</p>
`,
  )}`;
  return { id: 'equations', title: 'Equations', body };
}

function referencesPart(references: readonly Reference[]): Section {
  const body = html`<ul class="references">
${references.map(
  ({ key, text }) => html`<li>${/^\d+$/.test(key) ? '' : html`<strong>${key}</strong> `}${text}</li>
`,
)}</ul>`;
  return { id: 'references', title: 'References', body };
}
