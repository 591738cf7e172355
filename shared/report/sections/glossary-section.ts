import { ATTRIBUTE_RISK } from '../../contracts/results/tables/attribute-risk-table.ts';
import { columnFacts, fact } from '../page/facts.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { NOT_MEANT, TERMS, wordsOfMarkdown } from './glossary.ts';

/** What the terms of the page mean, and what its numbers do not. */
export function termsSection(): Section {
  const body = html`<dl class="facts">
${TERMS.map(([term, meaning]) => fact(term, `${wordsOfMarkdown(meaning)}.`))}
</dl>
<h3>What the numbers do not mean</h3>
<ul>
${NOT_MEANT.map(
  (one) => html`<li>${wordsOfMarkdown(one)}</li>
`,
)}</ul>`;
  return { id: 'terms', title: 'What the terms mean', body };
}

/** What each column of attribute-risk.csv says. */
export function columnsSection(): Section {
  const meanings = Object.entries(ATTRIBUTE_RISK.columns).map(([name, { meaning }]) => [name, wordsOfMarkdown(meaning)]);
  return { id: 'columns', title: 'How to read the columns', body: columnFacts(Object.fromEntries(meanings)) };
}
