import type { Summary } from '../../contracts/results/summary.ts';
import type { UniqueValuesSummary } from '../../contracts/results/unique-values.ts';
import { figure, percent, quantity, supportedBy, worded } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import { label } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { framedTable } from '../page/table.ts';
import { roundToError } from '../words/format-number.ts';
import { radiusInWords } from '../words/identification-in-words.ts';
import { uniqueInWords } from '../words/unique-in-words.ts';

/**
 * Exact attribute disclosures of a release: records whose synthetic values are the true ones (Hu & Savitsky 2018, section 4.3).
 *
 * @param unique values that one record alone has, where trees synthesize continuous variables
 */
export function disclosuresSection(found: NonNullable<Summary['attributeDisclosures']>, unique: readonly UniqueValuesSummary[]): Section {
  const { all, byVariable, radii } = found;
  const near = Object.entries(radii).map(([name, radius]) => `${name} within ${radiusInWords(radius)}`);
  const measures = [
    ...(byVariable.length > 1 ? [{ name: html`All of them at once`, own: all }] : []),
    ...byVariable.map((own) => ({ name: label(own.variable), own })),
  ];
  const rows = measures.map(({ name, own }) => {
    const { mean, standardDeviation } = own;
    return html`<tr><th scope="row">${name}</th>
<td>${standardDeviation === null ? figure(own, 'mean') : supportedBy(own, 'mean', standardDeviation)}</td>
<td>${percent(own, 'meanShare')}</td>
<td>${standardDeviation === null ? 'undefined' : worded(own, 'standardDeviation', roundToError(mean, standardDeviation)[1])}</td>
<td>${figure(own, 'smallest')} to ${figure(own, 'largest')}</td></tr>
`;
  });
  const body = html`
<p>Of ${quantity(found, 'records', 'record')}, these have their true values in the place of synthetic ones. An intruder who
finds a person’s row by what is kept reads them off, without knowing which of them are true.
${near.length === 0 ? [] : html`Numbers count as true when near: ${near.join(', ')}.`}</p>
${framedTable(
  'disclosures-caption',
  'Records by dataset whose synthetic values are the true ones',
  html`<tr><th scope="col">Synthesized</th><th scope="col">Mean</th><th scope="col">Share</th>
<th scope="col">Standard deviation</th><th scope="col">Least to most</th></tr>`,
  rows,
)}
${unique.length === 0 ? [] : uniqueInDetail(unique)}`;
  return {
    id: 'disclosures',
    title: 'True values that came out',
    answer: html`The synthetic values of ${figure(all, 'mean')} of ${quantity(found, 'records', 'record')} are the true ones, on average over datasets.`,
    body,
  };
}

function uniqueInDetail(unique: readonly UniqueValuesSummary[]): Html {
  return html`<h3>Values that one record alone has</h3>
<p>Trees give a synthetic record the value of some record of the table. Where one record alone has a value and it comes
out, whoever knows all other records knows whose it is, and that its record is in the table.</p>
<ul>
${unique.map((own) => html`<li>${worded(own, '*', uniqueInWords(own))}.</li>`)}
</ul>`;
}
