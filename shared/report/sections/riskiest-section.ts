import type { RiskiestRows } from '../../contracts/results/record-details.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { renderFigure } from '../charts/figure.ts';
import { rankIntervalsChart } from '../charts/rank-charts.ts';
import { bound, count, derived, estimate, figure, rank } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import { label } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { headRow, renderTable } from '../page/table.ts';
import { formatCount, formatFigure, formatMeasured, formatQuantity, formatRank, formatSupported } from '../words/format-number.ts';

/** How many rows the report lists; all of them are in attribute-risk.csv. */
const ROWS_LISTED = 15;

const COLUMNS = [
  'Rank of the truth (90 % interval)',
  'Probability ± standard error',
  'Ratio to uniform',
  'Bits',
  { words: 'First guess' },
  'Count',
  'Candidates',
  { words: 'Distinguishable' },
] as const;

/** Number of a row: of the record where every one has a row of its own, or of the combination. */
const numberOf = ({ ofRecords, columns }: AttributeRiskTable, row: number) => (ofRecords ? columns.record : columns.combination)[row]!;

/** A cell of attribute-risk.csv as the page shows it; rows are counted from 0 there. */
const cell = (row: number, column: string, text: string) => bound(`attribute-risk.csv#/${row}/${column}`, text);

/** The number of a row, which opens its view in the section of all records. */
const linked = (number: number, shown: Html): Html => html`<a href="#record=${String(number)}">${shown}</a>`;

/**
 * The rows most at risk (from 0): by the probability of the truth relative to uniform, ties in their order, which is
 * that of their numbers.
 */
export function riskiestRows({ rows, columns }: AttributeRiskTable): number[] {
  const ratio = columns.ratio_to_uniform;
  return Array.from({ length: rows }, (_, row) => row)
    .sort((left, right) => ratio[right]! - ratio[left]! || left - right)
    .slice(0, ROWS_LISTED);
}

/** The combinations most at risk, one by one; the records, where each has values of its own in the release. */
export async function riskiestSection(table: AttributeRiskTable, others: readonly RiskiestRows[]): Promise<Section> {
  const riskiest = riskiestRows(table);
  const { ofRecords, columns } = table;
  const noun = ofRecords ? 'record' : 'combination';
  const shared = ofRecords
    ? 'Records with equal values have risks of their own, since other values were synthesized for them.'
    : 'Records with equal values share a combination and its risk.';
  const intervals = await renderFigure({
    title: 'Rank of the truth with its 90 % interval',
    chart: rankIntervalsChart(table, riskiest),
    legend: { mark: 'Distinguishable', hollow: 'Not distinguishable: the interval spans half of the candidates or more' },
    caption:
      'In the order of the table above. A short line near the left edge is a record that the intruder finds with confidence; a long line is one on which the simulation cannot decide.',
  });
  const body = html`
<p>The ${derived('rows-listed', formatQuantity(riskiest.length, noun))} whose truth is most probable relative to uniform guessing, in that order; ties by the number
of the ${noun}. ${shared} All are in
<code>attribute-risk.csv</code>; a number opens all that is known of its ${noun}.</p>
<div class="table-scroll" role="region" aria-labelledby="riskiest-caption" tabindex="0">
<table class="riskiest">
<caption id="riskiest-caption">${ofRecords ? 'Records' : 'Combinations'} most at risk, with their values below each row of numbers</caption>
<thead>${headRow([ofRecords ? 'Record' : 'Combination', ...COLUMNS])}</thead>
${riskiest.map((row) => combinationRows(table, row))}
</table>
</div>
<div class="figures-grid">${intervals}</div>
${others.map(ofScenario)}`;
  const first = riskiest[0]!;
  const error = columns.probability_se[first]!;
  return {
    id: 'riskiest',
    title: 'Records most at risk',
    answer: html`Most at risk is ${noun} ${cell(first, noun, formatCount(numberOf(table, first)))}, whose truth has a probability of ${cell(first, 'probability', formatMeasured(columns.probability[first]!, error))}, ${cell(first, 'ratio_to_uniform', formatSupported(columns.ratio_to_uniform[first]!, error * columns.candidates[first]!))} times the uniform one.`,
    body,
  };
}

function combinationRows(table: AttributeRiskTable, row: number): Html {
  const { columns, variables, ofRecords } = table;
  const noun = ofRecords ? 'record' : 'combination';
  const number = (column: 'rank' | 'rank_low' | 'rank_high') => cell(row, column, formatRank(columns[column][row]!));
  const distinguishable = columns.distinguishable(row);
  const place = distinguishable ? html`<strong>${number('rank')}</strong>` : html`not distinguishable`;
  const error = columns.probability_se[row]!;
  const candidates = columns.candidates[row]!;
  const values = variables.map(({ name, text }) => {
    const value = text(row);
    return html`<li><span>${label(name)}</span> ${value === null ? html`<em>missing</em>` : label(value)}</li>`;
  });
  return html`<tbody>
<tr><th scope="row">${linked(numberOf(table, row), cell(row, noun, formatCount(numberOf(table, row))))}</th>
<td>${place} <span class="interval">(${number('rank_low')} to ${number('rank_high')})</span></td>
<td>${cell(row, 'probability', formatMeasured(columns.probability[row]!, error))}</td>
<td>${cell(row, 'ratio_to_uniform', formatSupported(columns.ratio_to_uniform[row]!, error * candidates))}</td>
<td>${cell(row, 'information_bits', formatFigure(columns.information_bits[row]!))}</td>
<td class="words">${firstGuess(table, row)}</td>
<td>${cell(row, 'count', formatCount(columns.count[row]!))}</td>
<td>${cell(row, 'candidates', formatCount(candidates))}</td>
<td class="words">${distinguishable ? 'yes' : 'no'}</td></tr>
<tr class="values"><td colspan="${formatCount(1 + COLUMNS.length)}"><ul aria-label="Values">${values}</ul></td></tr>
</tbody>
`;
}

function firstGuess({ columns }: AttributeRiskTable, row: number): Html {
  const variable = columns.first_guess_variable(row);
  if (variable === null) return html`<strong>the truth</strong>`;
  return html`${label(variable)}&nbsp;= ${label(columns.first_guess_value(row) ?? '')}`;
}

/**
 * The rows most at risk under one of several scenarios. The Bayes factor is the relative risk of whoever all but excludes the
 * truth beforehand, and holds the absolute one for every belief.
 */
function ofScenario({ scenario, ofRecords, rows }: RiskiestRows, index: number): Html {
  const noun = ofRecords ? 'Record' : 'Combination';
  return html`<h3>Under the scenario ${label(scenario)}</h3>
${renderTable(
  `riskiest-${index + 1}-caption`,
  `${ofRecords ? 'Records' : 'Combinations'} most at risk under this scenario`,
  [noun, 'Records', 'Candidates', 'Rank (90 % interval)', 'Before', 'Probability', 'Bayes factor'],
  rows.map(
    (row) => html`<tr><th scope="row">${linked(row.number, count(row, 'number'))}</th>
<td>${count(row, 'count')}</td><td>${count(row, 'candidates')}</td>
<td>${rank(row, 'rank')} (${rank(row, 'rankLow')} to ${rank(row, 'rankHigh')})</td>
<td>${figure(row, 'priorProbability')}</td><td>${estimate(row, 'probability')}</td>
<td>${estimate(row, 'bayesFactor')}</td></tr>
`,
  ),
)}`;
}
