import { halfWidth, NORMAL_QUANTILE } from '../../contracts/figure-errors.ts';
import type { MembershipSummary } from '../../contracts/results/membership.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { renderFigure } from '../charts/figure.ts';
import { membershipChart } from '../charts/membership-chart.ts';
import { bound, derived, estimate, percentEstimate, quantity } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { formatCount, formatMeasured, formatQuantity, formatSupported } from '../words/format-number.ts';
import { AUC_SCALE, othersInWords } from '../words/membership-in-words.ts';

/** How many rows the report lists; all of them are in attribute-risk.csv. */
const ROWS_LISTED = 10;

/** Could somebody tell who is in the table? */
export async function membershipSection(risk: AttributeRiskSummary, table: AttributeRiskTable | null): Promise<Section> {
  const title = 'Could somebody tell who is in the table?';
  const { membership } = risk;
  if (membership === null) {
    return { id: 'membership', title, answer: html`This was not found: ${risk.membershipReason ?? ''}.`, body: html`` };
  }
  const chart = await renderFigure({
    title: 'Members found against false alarms',
    chart: membershipChart(membership, bandOf(risk)),
    legend: { mark: 'The optimal test, with its band of 95 %', hollow: 'Guessing' },
    caption:
      'The optimal test classifies those with the largest likelihood ratios as members. No other test by somebody who knows all other records finds more members at the same share of false alarms, as far as the model is the one that made the release.',
  });
  return {
    id: 'membership',
    title,
    answer: html`Somebody who knows all other records tells a member from ${othersInWords(membership)}, with a probability of ${percentEstimate(membership, 'auc')} (${AUC_SCALE}). If one in a hundred false alarms is allowed, ${percentEstimate(membership, 'foundAt1Percent')} of the records are found.`,
    body: html`
<p>The likelihood ratio of a person says how much more probable the release is with that person in the table than without. It is
computed for every record and for ${quantity(membership, 'othersCount', 'person', 'people')} who are not in the table${membership.others === 'control' ? '' : ', drawn from the model'}.</p>
${renderTable(
  'membership-caption',
  'The optimal test of membership',
  [{ words: 'Figure' }, 'Value', { words: 'Compare with' }],
  [
    row('Area below the curve (AUC)', percentEstimate(membership, 'auc'), '50 %: nobody can tell'),
    row('Members found at 0.1 % false alarms', percentEstimate(membership, 'foundAt01Percent'), '0.1 %'),
    row('Members found at 1 % false alarms', percentEstimate(membership, 'foundAt1Percent'), '1 %'),
    row('Members found at 10 % false alarms', percentEstimate(membership, 'foundAt10Percent'), '10 %'),
    row('Balanced accuracy of the best rule', percentEstimate(membership, 'balancedAccuracy'), '50 %: nobody can tell'),
    row('Largest likelihood ratio of a record, bits', estimate(membership, 'bitsMax'), '0: the release says nothing of the person'),
    row('Mean of 1 by the ratio over members', estimate(membership, 'meanInverseRatioMembers'), '1: ratios are what they claim to be'),
    row('Mean of the ratio over others', estimate(membership, 'meanRatioOthers'), '1: ratios are what they claim to be'),
    row('Power of the ratio', estimate(membership, 'power'), '1: ratios are what they claim to be; below it they claim too much'),
  ],
)}
<div class="figures-grid">${chart}</div>
${table === null ? [] : exposed(table)}`,
  };
}

const row = (name: string, value: Html, compared: string): Html => html`<tr><th scope="row">${name}</th>
<td>${value}</td><td class="words">${compared}</td></tr>
`;

/** Half of the width of the band at a point; that of simulation alone where nothing tells how releases differ. */
const bandOf =
  ({ releaseQuantile }: AttributeRiskSummary) =>
  ({ foundSimulationSe, foundReleaseSe }: MembershipSummary['roc'][number]): number =>
    halfWidth(foundSimulationSe, foundReleaseSe, releaseQuantile) ?? NORMAL_QUANTILE * (foundSimulationSe ?? 0);

/** The rows whose presence the release supports most. */
function exposed({ rows, ofRecords, columns }: AttributeRiskTable): Html {
  const { membership_bits: bits, membership_bits_se: errors, membership_probability: probability } = columns;
  const listed = Array.from({ length: rows }, (_, at) => at)
    .sort((a, b) => bits(b)! - bits(a)! || a - b)
    .slice(0, ROWS_LISTED);
  const noun = ofRecords ? 'record' : 'combination';
  const number = (at: number) => (ofRecords ? columns.record : columns.combination)[at]!;
  const cell = (at: number, column: string, text: string) => bound(`attribute-risk.csv#/${at}/${column}`, text);
  return html`<p>Below ${listed.length === 1 ? 'is' : 'are'} the ${derived('members-listed', formatQuantity(listed.length, noun))} of the largest ratios; all are in <code>attribute-risk.csv</code>.</p>
${renderTable(
  'members-caption',
  'Most exposed to a test of membership',
  [ofRecords ? 'Record' : 'Combination', 'Records', 'Likelihood ratio, bits', 'Probability of being in the table, from one half'],
  listed.map(
    (at) => html`<tr><th scope="row"><a href="#record=${String(number(at))}">${cell(at, noun, formatCount(number(at)))}</a></th>
<td>${cell(at, 'count', formatCount(columns.count[at]!))}</td>
<td>${cell(at, 'membership_bits', formatMeasured(bits(at)!, errors(at)))}</td>
<td>${cell(at, 'membership_probability', formatSupported(probability(at)!, probability(at)! * (1 - probability(at)!) * Math.LN2 * errors(at)!))}</td></tr>
`,
  ),
)}`;
}
