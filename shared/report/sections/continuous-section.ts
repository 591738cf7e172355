import { rowOf } from '../../contracts/column.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { CONTINUOUS_RISK, type ContinuousRows } from '../../contracts/results/tables/continuous-risk-table.ts';
import { bound, estimate, figure, percent, percentEstimate } from '../figures/figure.ts';
import { nearInWords } from '../figures/near.ts';
import { html } from '../page/html.ts';
import { label } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { formatCount, formatFigure, formatMeasured } from '../words/format-number.ts';

/** How many values the report lists; all of them are in continuous-risk.csv. */
const ROWS_LISTED = 10;

/** What the release reveals of continuous variables, and of whose values it reveals most. */
export function continuousSection(variables: NonNullable<AttributeRiskSummary['continuousVariables']>, rows: ContinuousRows): Section {
  const places = Uint32Array.from({ length: rows.rows }, (_, row) => row)
    .sort(
      (a, b) =>
        rows.figure(b, 'withinAfter') - rows.figure(b, 'withinBefore') - rows.figure(a, 'withinAfter') + rows.figure(a, 'withinBefore') ||
        a - b,
    )
    .subarray(0, ROWS_LISTED);
  const byVariable = variables.map(
    (own) => html`<tr><th scope="row">${label(own.variable)}</th>
<td class="words">${own.near}</td>
<td>${percent(own, 'withinBefore')}</td>
<td>${percentEstimate(own, 'withinAfter')}</td>
<td>${percent(own, 'coveredBefore')}</td>
<td>${percentEstimate(own, 'coveredAfter')}</td>
<td>${figure(own, 'widthBefore')}</td>
<td>${figure(own, 'widthAfter')}</td>
<td>${figure(own, 'crpsBefore')}</td>
<td>${estimate(own, 'crpsAfter')}</td>
<td>${estimate(own, 'gainBitsMean')}</td>
<td>${figure(own, 'gainBitsClaimed')}</td>
<td>${figure(own, 'valuesGivenAway')}</td></tr>
`,
  );
  const listed = [...places].map((place) => {
    const row = rowOf(CONTINUOUS_RISK.columns, rows, place);
    const cell = (column: string, text: string) => bound(`continuous-risk.csv#/${place}/${column}`, text);
    const range = (when: 'before' | 'after') =>
      html`${cell(`interval_low_${when}`, formatFigure(row[`interval_low_${when}`]))} to ${cell(`interval_high_${when}`, formatFigure(row[`interval_high_${when}`]))}`;
    return html`<tr><th scope="row">${cell('record', formatCount(row.record))}</th>
<td class="words">${label(row.variable!)}</td>
<td>${cell('value', formatFigure(row.value))}</td>
<td>${cell('within_before', formatFigure(row.within_before))}</td>
<td>${cell('within_after', formatMeasured(row.within_after, row.within_se))}</td>
<td>${range('before')}</td>
<td>${range('after')}</td>
<td>${cell('gain_bits', formatFigure(row.gain_bits))}</td></tr>
`;
  });
  const disclosed = variables.reduce((sum, { valuesGivenAway }) => sum + valuesGivenAway, 0);
  return {
    id: 'continuous',
    title: 'How near an intruder comes to numbers',
    answer: html`${variables.map((own, place) => html`${place === 0 ? '' : ' '}${nearInWords(own)}`)}`,
    body: html`
<p>The intruder knows all other records and the other values of the record. A 90 % interval that holds more or less than 90 % of the
true values is too wide or too narrow. The score (CRPS) is a distance from the true value, in the unit of the variable. A value counts
as newly disclosed when its probability of being near rises above one half with the release${disclosed === 0 ? html`: here none does` : []}. That count has no
standard error. All values are
in <code>continuous-risk.csv</code>.</p>
${renderTable(
  'continuous-caption',
  'Continuous variables without the release and with it',
  [
    'Variable',
    { words: 'Near' },
    ...['Near before', 'Near after', 'In 90 % interval before', 'After', 'Median width before', 'After', 'CRPS before', 'After'],
    ...['Gain, bits', 'Claimed, bits', 'Newly disclosed'],
  ],
  byVariable,
)}
${renderTable(
  'continuous-listed-caption',
  'Values to which an intruder comes nearest by the release, from the largest rise in probability',
  ['Record', { words: 'Variable' }, 'True value', 'Near before', 'Near after', '90 % interval before', 'After', 'Gain, bits'],
  listed,
)}`,
  };
}
