import type { Summary } from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatRuled } from '../words/format-number.ts';

/** Measures other than attribute risk, with the reason where one does not apply, and the agency's own rules. */
export function otherMeasuresSection(summary: Summary): Section {
  const body = html`
<h3>Identification risk</h3>
${identification(summary)}
<h3>Utility</h3>
<p>${summary.utility ? html`It has <a href="#utility">a section of its own</a>.` : html`Not measured here: ${summary.utilityReason ?? ''}`}</p>
<h3>Acceptance rules</h3>
${acceptance(summary)}`;
  return { id: 'other', title: 'Other measures and acceptance', body };
}

function identification({ identificationRisk, identificationRiskReason }: Summary): Html {
  if (identificationRisk.length === 0)
    return html`<p>Not measured here: ${identificationRiskReason ?? ''}</p>`;
  return html`<ul>
${identificationRisk.map((risk) => html`<li><strong>${risk.scenario}</strong> ${risk.applies ? html`has <a href="#identification">a section of its own</a>` : html`does not apply: ${risk.reason}`}</li>`)}
</ul>`;
}

function acceptance({ acceptance, attributeRisk, identificationRisk }: Summary): Html {
  if (acceptance.length === 0) return html`<p>The run was given no acceptance rules.</p>`;
  const hasSeveral = attributeRisk.length > 1 || identificationRisk.length > 1;
  const rows = acceptance.map(
    ({ rule, scenario, value, met }) => html`<tr><th scope="row"><code>${rule}</code></th>
${hasSeveral ? html`<td class="words">${scenario ?? 'of none'}</td>` : []}
<td>${value === null ? 'undefined' : formatRuled(value)}</td>
<td class="words">${met ? html`<span class="met">met</span>` : html`<strong class="not-met">not met</strong>`}</td></tr>
`,
  );
  return html`<div class="table-scroll" role="region" aria-labelledby="acceptance-caption" tabindex="0">
<table>
<caption id="acceptance-caption">Rules set for this run</caption>
<thead><tr><th scope="col">Rule</th>${hasSeveral ? html`<th scope="col">Scenario</th>` : []}<th scope="col">Value</th><th scope="col">Outcome</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>`;
}
