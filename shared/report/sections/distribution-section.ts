import type { RankedRisk } from '../../contracts/results/ranked-figures.ts';
import type { AttributeRiskTable } from '../../contracts/results/tables/attribute-risk-table.ts';
import { renderFigure } from '../charts/figure.ts';
import { informationByCountChart } from '../charts/information-by-count.ts';
import { rankBins, rankHistogramChart } from '../charts/rank-charts.ts';
import { ratioHistogramChart, recordsAtRatio } from '../charts/ratio-histogram.ts';
import { derived, quantity } from '../figures/figure.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatCount, formatFigure } from '../words/format-number.ts';

/** How the risk is spread over the records: ranks, probabilities, and information by rarity. */
export async function distributionSection(risk: RankedRisk, table: AttributeRiskTable): Promise<Section> {
  const least = (times: number) => derived(`records-at-ratio-${times}`, formatFigure(recordsAtRatio(table, times)));
  const firstBin = rankBins(risk, table)[0]!;
  const nouns = table.ofRecords ? 'records' : 'combinations';
  const ranks = await renderFigure({
    title: 'Rank of the truth',
    chart: rankHistogramChart(risk, table),
    legend: {
      mark: firstBin.last === 1 ? 'Records, truth ranked first' : `Records, ranks 1 to ${formatCount(firstBin.last)}`,
      quiet: 'Records, other ranks',
      reference: 'Random guessing',
    },
    caption:
      'Bars above the line at the left: records for which the intruder does better than chance. Bars above it at the right: records on which the release misleads.',
  });
  const ratios = await renderFigure({
    title: 'Probability of the truth against uniform',
    chart: ratioHistogramChart(table),
    legend: { mark: 'Records, truth more probable than uniform', quiet: 'Records, less probable', reference: 'Uniform' },
    caption: html`Each bar is half a doubling wide. The truth is at least five times as probable as uniform for ${least(5)} records, and at least ten times for ${least(10)}.`,
  });
  const information = await renderFigure({
    title: 'Are rare combinations more exposed?',
    chart: informationByCountChart(table),
    legend: { mark: 'Median (line) and largest (dot)', quiet: `Middle half (bar) and middle 90 % (thin line) of the ${nouns}` },
    caption: `Combinations that one record holds alone are at the left; the number of ${nouns} in each group is in brackets. If the groups at the left stand higher, the release exposes rare people most.`,
  });
  return {
    id: 'distribution',
    title: 'For whom: how the risk is spread',
    answer: html`For ${least(2)} of ${quantity(risk, 'records', 'record')} the truth is at least twice as probable as under uniform guessing.`,
    body: html`<div class="figures-grid">
${ranks}
${ratios}
${information}
</div>`,
  };
}
