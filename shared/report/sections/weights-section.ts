import type { AttributeRiskTable } from '../../contracts/results/attribute-risk-table.ts';
import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { parseRegionRule, type RiskBound } from '../../contracts/settings/acceptance-region.ts';
import { renderChart } from '../charts/chart.ts';
import { riskCurves } from '../charts/risk-curves.ts';
import { renderFigure } from '../page/figure.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import {
  formatCount,
  formatEstimate,
  formatFigure,
  formatPercent,
  formatQuantity,
} from '../words/format-number.ts';

/** Records whose curves are drawn, at most. */
const DRAWN = 5;

/**
 * Risk for every weight that the truth may have beforehand (003 section 4), and privacy loss of the release; nothing where no
 * row has a Bayes factor.
 */
export async function weightsSection(
  risk: AttributeRiskSummary,
  table: AttributeRiskTable,
): Promise<Section[]> {
  const { bayes_factor, bayes_factor_se, combination, record } = table.columns;
  const numbers = table.ofRecords ? record : combination;
  const worst = Array.from({ length: table.rows }, (_, row) => ({ row, factor: bayes_factor(row) }))
    .filter((one): one is { row: number; factor: number } => one.factor !== null)
    .toSorted((a, b) => b.factor - a.factor || a.row - b.row)
    .slice(0, DRAWN)
    .map(({ row, factor }) => ({ number: numbers[row]!, bayesFactor: factor, error: bayes_factor_se(row)! }));
  if (worst.length === 0) return [];
  const noun = table.ofRecords ? 'record' : 'combination';
  const bounds = (risk.acceptanceRegion?.rules ?? []).flatMap(({ rule }, index) =>
    parseRegionRule(rule, index + 1).alternatives.flat(),
  );
  const figure = async (of: RiskBound['risk'], title: string, caption: string) =>
    renderFigure({
      title,
      chart: await renderChart(
        riskCurves(
          of,
          worst,
          bounds.filter((bound) => bound.risk === of).map(({ bound }) => bound),
        ),
      ),
      legend: [
        { swatch: 'mark', text: `The ${formatQuantity(worst.length, noun)} of the largest Bayes factor` },
        ...(bounds.some((bound) => bound.risk === of)
          ? [{ swatch: 'reference' as const, text: 'Bounds of the acceptance region' }]
          : []),
      ],
      caption,
    });
  const figures = [
    await figure(
      'R',
      'Absolute risk',
      'Where a curve is far above the diagonal the release makes a belief in the truth much stronger.',
    ),
    await figure(
      'RR',
      'Relative risk',
      'At the left edge it is the Bayes factor itself; whoever is sure beforehand learns nothing, and the curve ends at 1.',
    ),
  ];
  const body = html`
<p>An intruder may hold any belief in the truth beforehand. Its weight w becomes R(w) = wB / (1 - w + wB) afterwards, RR(w) = R(w) / w
times as much, where B is the Bayes factor of the truth against the other candidates. So one number a ${noun} holds its risk for every w:
${worst.map(({ number, bayesFactor, error }, i) => html`${i > 0 ? ', ' : ''}${noun} ${formatCount(number)}: ${formatEstimate(bayesFactor, error)}`)}.</p>
${regionInWords(risk, noun)}
<div class="figures-grid">${figures}</div>
${lossInWords(risk)}`;
  return [{ id: 'weights', title: 'Risk whatever is believed beforehand', body }];
}

function regionInWords({ acceptanceRegion: region }: AttributeRiskSummary, noun: string): Html | [] {
  if (region === null) return [];
  const worst = region.worst.map(
    ({ row, broken }) =>
      html`<li>${noun} ${formatCount(row)}: ${broken.map(([low, high]) => `w from ${formatFigure(low)} to ${formatFigure(high)}`).join(' and ')}</li>`,
  );
  return html`<p>${formatPercent(region.brokenShare)} of the records break the acceptance region for some weight
(${formatPercent(region.brokenSurelyShare)} by more than the error of their Bayes factor), on average for ${formatPercent(region.brokenWeightMean)} of the weights,
at most for ${formatPercent(region.brokenWeightMax)}.${worst.length > 0 ? ' Those that break it most:' : []}</p>
${worst.length > 0 ? html`<ul>${worst}</ul>` : []}`;
}

function lossInWords(risk: AttributeRiskSummary): Html | [] {
  if (risk.provenShare !== undefined) return unsimulatedLoss(risk);
  if (risk.privacyLossMedian === null) return [];
  return html`<p>The privacy loss of this release, the farthest that the log-likelihood of any candidate is from that of the truth, is
${formatEstimate(risk.privacyLossMedian, risk.privacyLossMedianSe!)} nats for the median record, at most ${formatEstimate(risk.privacyLoss99!, risk.privacyLoss99Se!)} for 99 % of them, and
${formatEstimate(risk.privacyLossMax!, risk.privacyLossMaxSe!)} for the largest. The ε of differential privacy bounds it over all tables and releases; here it is of this table
and this release alone, and no guarantee for another.</p>`;
}

/** The same where it has no error, and no bound where a candidate could not have led to the release. */
function unsimulatedLoss({ privacyLossMedian, privacyLoss99, privacyLossMax }: AttributeRiskSummary): Html {
  const bound = (loss: number | null) => (loss === null ? 'without bound' : `${formatFigure(loss)} nats`);
  return html`<p>The privacy loss of this release, the farthest that the log-likelihood of any candidate is from that of the truth, is
${bound(privacyLossMedian)} for the median record, ${bound(privacyLoss99)} for the record that 99 % do not exceed, and ${bound(privacyLossMax)} for the largest: a candidate that could not have led to the release has no
likelihood at all. This is of this table and this release alone, and no guarantee for another.</p>`;
}
