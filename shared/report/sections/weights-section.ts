import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type AttributeRiskTable, bayesFactorOf } from '../../contracts/results/tables/attribute-risk-table.ts';
import { parseRegionRule, type RiskBound } from '../../contracts/settings/acceptance-region.ts';
import { renderFigure } from '../charts/figure.ts';
import { riskCurves, riskPairsChart } from '../charts/risk-curves.ts';
import { bound, estimate, percent, figure as shownFigure, worded } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { BEYOND_READING, formatCount, formatFigure, formatMeasured, formatQuantity, formatSupported } from '../words/format-number.ts';

/** Records whose curves are drawn, at most. */
const DRAWN = 5;

/**
 * Risk for every weight that the truth may have beforehand (McClure & Reiter 2012, section 4), and privacy loss of the release;
 * nothing where no row has a Bayes factor.
 */
export async function weightsSection(risk: AttributeRiskSummary, table: AttributeRiskTable): Promise<Section[]> {
  const { bayes_factor_se, combination, record } = table.columns;
  const numbers = table.ofRecords ? record : combination;
  const worst = Array.from({ length: table.rows }, (_, row) => ({ row, factor: bayesFactorOf(table, row) }))
    .filter((one): one is { row: number; factor: number } => one.factor !== null)
    .toSorted((a, b) => b.factor - a.factor || a.row - b.row)
    .slice(0, DRAWN)
    .map(({ row, factor }) => ({ row, number: numbers[row]!, bayesFactor: factor, error: bayes_factor_se(row) }));
  if (worst.length === 0) return [];
  const noun = table.ofRecords ? 'record' : 'combination';
  const bounds = (risk.acceptanceRegion?.rules ?? []).flatMap(({ rule }, index) => parseRegionRule(rule, index + 1).alternatives.flat());
  const figure = async (of: RiskBound['risk'], title: string, caption: string) =>
    await renderFigure({
      title,
      chart: riskCurves(
        of,
        worst,
        bounds.filter((bound) => bound.risk === of).map(({ bound }) => bound),
      ),
      legend: {
        mark: `The ${formatQuantity(worst.length, noun)} of the largest Bayes factor`,
        ...(bounds.some((bound) => bound.risk === of) && { reference: 'Bounds of the acceptance region' }),
      },
      caption,
    });
  const figures = [
    await figure('R', 'Absolute risk', 'Where a curve is far above the diagonal the release makes a belief in the truth much stronger.'),
    await figure(
      'RR',
      'Relative risk',
      'At the left edge it is the Bayes factor itself; whoever is sure beforehand learns nothing, and the curve ends at 1.',
    ),
  ];
  figures.push(
    await renderFigure({
      title: 'RR against R',
      chart: riskPairsChart(worst),
      legend: { mark: `The ${formatQuantity(worst.length, noun)} of the largest Bayes factor` },
      caption:
        'A curve runs through every belief from the left, where the truth is all but excluded beforehand, to the lower right, where it is all but sure. What is high at the left says much of a value that stays improbable; what reaches the right is known.',
    }),
  );
  const factors = worst.map(({ row, number, bayesFactor, error }, i) => {
    const cell = (column: string, text: string) => bound(`attribute-risk.csv#/${row}/${column}`, text);
    return html`${i > 0 ? ', ' : ''}${noun} ${cell(noun, formatCount(number))}: ${cell('bayes_factor', formatMeasured(bayesFactor, error))}`;
  });
  const body = html`
<p>An intruder may hold any belief in the truth beforehand. Its weight w becomes R(w) = wB / (1 - w + wB) afterwards, RR(w) = R(w) / w
times as much, where B is the Bayes factor of the truth against the other candidates. So one number a ${noun} holds its risk for every w:
${factors}.</p>
${regionInWords(risk, noun)}
<div class="figures-grid">${figures}</div>
${lossInWords(risk)}`;
  const proven = worst[0]!.bayesFactor >= BEYOND_READING;
  const answer = proven
    ? html`Of some ${noun}s the truth is all but proven: whatever was believed beforehand, the intruder knows it afterwards.`
    : html`Whatever is believed beforehand, no truth becomes more than about ${bound(`attribute-risk.csv#/${worst[0]!.row}/bayes_factor`, formatSupported(worst[0]!.bayesFactor, worst[0]!.error))} times as probable as it was.`;
  return [{ id: 'weights', title: 'Against whom: risk whatever is believed beforehand', answer, body }];
}

function regionInWords({ acceptanceRegion: region }: AttributeRiskSummary, noun: string): Html | [] {
  if (region === null) return [];
  const worst = region.worst.map((own) => {
    const { row, broken } = own;
    return html`<li>${noun} ${worded(own, 'row', formatCount(row))}: ${broken.map((range, i) => html`${i > 0 ? ' and ' : ''}w from ${worded(range, '0', formatFigure(range[0]))} to ${worded(range, '1', formatFigure(range[1]))}`)}</li>`;
  });
  return html`<p>${percent(region, 'brokenShare')} of the records break the acceptance region for some weight
(${percent(region, 'brokenSurelyShare')} by more than the error of their Bayes factor), on average for ${percent(region, 'brokenWeightMean')} of the weights,
at most for ${percent(region, 'brokenWeightMax')}.${worst.length > 0 ? ' Those that break it most:' : []}</p>
${worst.length > 0 ? html`<ul>${worst}</ul>` : []}`;
}

function lossInWords(risk: AttributeRiskSummary): Html | [] {
  if (risk.provenShare !== undefined) return unsimulatedLoss(risk);
  if (risk.privacyLossMedian === null) return [];
  return html`<p>The privacy loss of this release, the farthest that the log-likelihood of any candidate is from that of the truth, is
${estimate(risk, 'privacyLossMedian')} nats for the median record, at most ${estimate(risk, 'privacyLoss99')} for 99 % of them, and
${estimate(risk, 'privacyLossMax')} for the largest. The ε of differential privacy bounds it over all tables and releases; here it is of this table
and this release alone, and no guarantee for another.</p>`;
}

/** The same where it has no error, and no bound where a candidate could not have led to the release. */
function unsimulatedLoss(risk: AttributeRiskSummary): Html {
  const limit = (key: 'privacyLossMedian' | 'privacyLoss99' | 'privacyLossMax') =>
    risk[key] === null ? 'without bound' : html`${shownFigure(risk, key)} nats`;
  return html`<p>The privacy loss of this release, the farthest that the log-likelihood of any candidate is from that of the truth, is
${limit('privacyLossMedian')} for the median record, ${limit('privacyLoss99')} for the record that 99 % do not exceed, and ${limit('privacyLossMax')} for the largest: a candidate that could not have led to the release has no
likelihood at all. This is of this table and this release alone, and no guarantee for another.</p>`;
}
