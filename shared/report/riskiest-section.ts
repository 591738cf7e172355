import type { AttributeRiskRow } from '../contracts/results.ts';
import { renderChart } from './chart.ts';
import { renderFigure } from './figure.ts';
import {
  formatCount,
  formatEstimate,
  formatFigure,
  formatQuantity,
  formatRank,
  formatSupported,
} from './format-number.ts';
import { type Html, html } from './html.ts';
import { rankIntervalsChart, rankIntervalsHeight } from './rank-intervals.ts';
import type { Section } from './section.ts';

/** How many rows the report lists; all of them are in attribute-risk.csv. */
const ROWS_LISTED = 30;

const COLUMNS = [
  'Rank of the truth (90 % interval)',
  'Probability ± standard error',
  'Ratio to uniform',
  'Bits',
  'First guess',
  'Count',
  'Candidates',
  'Distinguishable',
] as const;

/** Number of a row: of the record where every one has a row of its own, or of the combination. */
const numberOf = ({ record, combination }: AttributeRiskRow) => record ?? combination;

/** The rows most at risk: by the probability of the truth relative to uniform, ties by their number. */
export function riskiestRows(rows: readonly AttributeRiskRow[]): AttributeRiskRow[] {
  return rows
    .toSorted(
      (left, right) => right.ratio_to_uniform - left.ratio_to_uniform || numberOf(left) - numberOf(right),
    )
    .slice(0, ROWS_LISTED);
}

/** The combinations most at risk, one by one; the records, where each has values of its own in the release. */
export async function riskiestSection(
  rows: readonly AttributeRiskRow[],
  variables: readonly string[],
): Promise<Section> {
  const riskiest = riskiestRows(rows);
  const ofRecords = rows[0]!.record !== null;
  const noun = ofRecords ? 'record' : 'combination';
  const shared = ofRecords
    ? 'Records with equal values have risks of their own, since other values were synthesized for them.'
    : 'Records with equal values share a combination and its risk.';
  const intervals = renderFigure({
    title: 'Rank of the truth with its 90 % interval',
    chart: await renderChart(rankIntervalsChart(riskiest), rankIntervalsHeight(riskiest.length)),
    legend: [
      { swatch: 'mark', text: 'Distinguishable' },
      { swatch: 'hollow', text: 'Not distinguishable: the interval spans half of the candidates or more' },
    ],
    caption:
      'In the order of the table above. A short line near the left edge is a record that the intruder finds with confidence; a long line is one on which the simulation cannot decide.',
  });
  const body = html`
<p>The ${formatQuantity(riskiest.length, noun)} whose truth is most probable relative to uniform guessing, in that order; ties by the number
of the ${noun}. ${shared} All are in
<code>attribute-risk.csv</code>.</p>
<div class="table-scroll" role="region" aria-labelledby="riskiest-caption" tabindex="0">
<table class="riskiest">
<caption id="riskiest-caption">${ofRecords ? 'Records' : 'Combinations'} most at risk, with their values below each row of numbers</caption>
<thead><tr>${[ofRecords ? 'Record' : 'Combination', ...COLUMNS].map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
${riskiest.map((row) => combinationRows(row, variables))}
</table>
</div>
<div class="figures-grid">${intervals}</div>`;
  return { id: 'riskiest', title: 'Records most at risk', body };
}

function combinationRows(row: AttributeRiskRow, variables: readonly string[]): Html {
  const interval = `${formatRank(row.rank_low)} to ${formatRank(row.rank_high)}`;
  const rank = row.distinguishable
    ? html`<strong>${formatRank(row.rank)}</strong>`
    : html`not distinguishable`;
  const values = variables.map((variable, column) => {
    const value = row.values[column] ?? null;
    return html`<li><span>${variable}</span> ${value === null ? html`<em>missing</em>` : value}</li>`;
  });
  return html`<tbody>
<tr><th scope="row">${formatCount(numberOf(row))}</th>
<td>${rank} <span class="interval">(${interval})</span></td>
<td>${formatEstimate(row.probability, row.probability_se)}</td>
<td>${formatSupported(row.ratio_to_uniform, row.probability_se * row.candidates)}</td>
<td>${formatFigure(row.information_bits)}</td>
<td class="words">${firstGuess(row)}</td>
<td>${formatCount(row.count)}</td>
<td>${formatCount(row.candidates)}</td>
<td class="words">${row.distinguishable ? 'yes' : 'no'}</td></tr>
<tr class="values"><td colspan="${formatCount(1 + COLUMNS.length)}"><ul aria-label="Values">${values}</ul></td></tr>
</tbody>
`;
}

function firstGuess(row: AttributeRiskRow): Html {
  if (row.first_guess_variable === '') return html`<strong>the truth</strong>`;
  return html`${row.first_guess_variable}&nbsp;= ${row.first_guess_value}`;
}
