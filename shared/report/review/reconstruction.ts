import type { ReconstructionSummary } from '../../contracts/results/reconstruction/reconstruction.ts';
import { renderFigure } from '../charts/figure.ts';
import { reconstructionChart } from '../charts/reconstruction-chart.ts';
import { count, percent, percentEstimate, quantity } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { renderTable } from '../page/table.ts';
import { baselineInWords } from '../words/reconstruction-in-words.ts';

/** Which records could somebody name who knows nothing? */
export async function reconstructionSection(reconstruction: ReconstructionSummary): Promise<Section> {
  const { first10, first100, first1000 } = reconstruction;
  const distinct = [first10, first100, first1000].filter(({ guesses }, at, all) => at === 0 || guesses > all[at - 1]!.guesses);
  const hasControl = reconstruction.baselineOf === 'control';
  const chart = await renderFigure({
    title: 'Records named that are in the table',
    chart: reconstructionChart(reconstruction),
    legend: { mark: 'In the table', reference: 'Baseline', quiet: 'Of the most frequent released ones' },
    caption: html`The baseline is the share of the same combinations that would be in ${baselineInWords(reconstruction)}. Where both lines run together, the release shows the population, and not who is in the table.`,
  });
  return {
    id: 'reconstruction',
    title: 'Which records could somebody name who knows nothing?',
    answer: html`Of the ${quantity(first100, 'guesses', 'combination')} that an intruder with the release alone is most confident of, ${percentEstimate(first100, 'share')} are in the table; ${percentEstimate(first100, 'baseline')} would be in ${baselineInWords(reconstruction)}. The difference is ${percentEstimate(first100, 'aboveBaseline')}.`,
    body: html`
<p>Combinations of values are ranked by how probable each is given the release (Dick et al. 2023). ${quantity(reconstruction, 'candidates', 'combination')} ${reconstruction.allCells ? 'are ranked: all cells' : 'are ranked: those that are released, and those that are drawn from what the intruder believes'}.
Naming cells at random would hit ${percent(reconstruction, 'cellsShare')}. The list is in <code>reconstruction.csv</code>.</p>
${renderTable(
  'named-caption',
  'Combinations named, from the most confident',
  [
    'Named',
    'In the table',
    'Expected by the intruder',
    'Baseline',
    'Beyond the baseline',
    'Most frequent released ones, in the table',
    ...(hasControl ? ['Most frequent in the control, in the table'] : []),
  ],
  distinct.map(rowOf),
)}
<div class="figures-grid">${chart}</div>`,
  };
}

const rowOf = (first: ReconstructionSummary['first100']): Html => html`<tr><th scope="row">${count(first, 'guesses')}</th>
<td>${percentEstimate(first, 'share')}</td><td>${percentEstimate(first, 'expected')}</td><td>${percentEstimate(first, 'baseline')}</td>
<td>${percentEstimate(first, 'aboveBaseline')}</td><td>${percentEstimate(first.byFrequency, 'share')}</td>${first.byControl === undefined ? '' : html`<td>${percent(first, 'byControl')}</td>`}</tr>
`;
