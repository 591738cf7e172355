import type { Summary } from '../contracts/results.ts';
import {
  formatFigure,
  formatPercent,
  formatQuantity,
  formatSupported,
  roundToError,
} from './format-number.ts';
import { html } from './html.ts';
import { radiusInWords } from './identification-in-words.ts';
import type { Section } from './section.ts';

/** Exact attribute disclosures of a release: records whose synthetic values are the true ones (001 section 4.3). */
export function disclosuresSection(found: NonNullable<Summary['attributeDisclosures']>): Section {
  const { records, all, byVariable, radii } = found;
  const near = Object.entries(radii).map(([name, radius]) => `${name} within ${radiusInWords(radius)}`);
  const measures = [
    ...(byVariable.length > 1 ? [{ variable: 'All of them at once', ...all }] : []),
    ...byVariable,
  ];
  const rows = measures.map(
    ({
      variable,
      mean,
      meanShare,
      standardDeviation,
      smallest,
      largest,
    }) => html`<tr><th scope="row">${variable}</th>
<td>${formatSupported(mean, standardDeviation)}</td>
<td>${formatPercent(meanShare)}</td>
<td>${standardDeviation === null ? 'undefined' : roundToError(mean, standardDeviation)[1]}</td>
<td>${formatFigure(smallest)} to ${formatFigure(largest)}</td></tr>
`,
  );
  const body = html`
<p>Of ${formatQuantity(records, 'record')}, these have their true values in the place of synthetic ones. An intruder who
finds a person’s row by what is kept reads them off, without knowing which of them are true.
${near.length === 0 ? [] : html`Numbers count as true when near: ${near.join(', ')}.`}</p>
<div class="table-scroll" role="region" aria-labelledby="disclosures-caption" tabindex="0">
<table>
<caption id="disclosures-caption">Records by dataset whose synthetic values are the true ones</caption>
<thead><tr><th scope="col">Synthesized</th><th scope="col">Mean</th><th scope="col">Share</th>
<th scope="col">Standard deviation</th><th scope="col">Least to most</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>`;
  return { id: 'disclosures', title: 'True values that came out', body };
}
