import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import type { VariableRiskTable } from '../../contracts/results/tables/variable-risk-table.ts';
import { bound, derived, estimate } from '../figures/figure.ts';
import { html } from '../page/html.ts';
import { label } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { formatCount, formatFigure, formatMeasured, formatQuantity } from '../words/format-number.ts';

/** How many values the report lists; all of them are in variable-risk.csv. */
export const VALUES_LISTED = 10;

/** The values that the release newly discloses. */
export function givenAwaySection(risk: AttributeRiskSummary, table: VariableRiskTable): Section {
  const listed = [...table.givenAway.subarray(0, VALUES_LISTED)];
  const noun = table.ofRecords ? 'Record' : 'Combination';
  const rows = listed.map((place) => {
    const row = table.row(place);
    /** A cell of variable-risk.csv as the page shows it; rows are counted from 0 there. */
    const cell = (column: string, text: string) => bound(`variable-risk.csv#/${table.placeInFile(place)}/${column}`, text);
    return html`<tr><th scope="row">${cell('number', formatCount(row.number))}</th>
<td>${cell('count', formatCount(row.count))}</td>
<td class="words">${label(row.variable)}</td>
<td class="words">${label(row.value)}</td>
<td class="words">${label(row.first_guess_before)}</td>
<td>${cell('probability_before', formatFigure(row.probability_before))}</td>
<td>${cell('probability_after', formatMeasured(row.probability_after, row.probability_se))}</td>
<td>${cell('gain_bits', formatFigure(row.gain_bits))}</td></tr>
`;
  });
  const body = html`
<p>A value is newly disclosed when the intruder’s best guess was wrong before the release, and is right afterwards with a probability above 50\u00a0%. ${
    listed.length === 0
      ? []
      : html`Here ${listed.length === 1 ? 'is' : 'are'} the ${derived('values-listed', formatQuantity(listed.length, 'value'))} with the largest gains; all are in the table <code>variable-risk.csv</code>.`
  } The number varies much from release to release: many values lie near these limits.</p>
${
  listed.length === 0
    ? []
    : renderTable(
        'given-away-caption',
        'Values newly disclosed, from the largest gain',
        [
          noun,
          'Records',
          ...['Variable', 'True value', 'First guess before'].map((words) => ({ words })),
          'Probability before',
          'Probability after',
          'Gain, bits',
        ],
        rows,
      )
}`;
  return {
    id: 'given-away',
    title: 'Values that the release newly discloses',
    answer:
      risk.valuesGivenAway === 0
        ? html`The release newly discloses no value.`
        : html`The release newly discloses ${estimate(risk, 'valuesGivenAway')} values.`,
    body,
  };
}
