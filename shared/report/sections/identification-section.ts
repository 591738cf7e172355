import type { AppliedIdentificationRisk, IdentificationRiskSummary, MatchFigures } from '../../contracts/results/identification.ts';
import { renderFigure } from '../charts/figure.ts';
import { recordRiskChart, recordsWithoutRisk, scenariosChart, sweepChart } from '../charts/match-risk-charts.ts';
import { derived, figure, quantity } from '../figures/figure.ts';
import { matchSpread } from '../figures/matched-figures.ts';
import { fact } from '../page/facts.ts';
import { type Html, html } from '../page/html.ts';
import { label, labels } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { framedTable } from '../page/table.ts';
import { formatCount, formatFigure, formatPercent, formatQuantity } from '../words/format-number.ts';
import { ROW_ORDER_ASSUMED, radiusInWords, type Sweep, sweepCaution } from '../words/identification-in-words.ts';

/** Combinations of radii that are listed of a sweep of several variables jointly. */
const LISTED_COMBINATIONS = 10;

/**
 * Identification risk under every scenario of a release: figures of the file, box plots over datasets by radius and by
 * scenario (Hornby & Hu 2021, Figures 6 and 7), and how the risk is spread over records. Scenarios that do not apply say why.
 */
export async function identificationSection(risks: readonly IdentificationRiskSummary[]): Promise<Section> {
  const applied = risks.filter((risk) => risk.applies);
  const others = risks.filter((risk) => !risk.applies);
  const body = html`
${applied.length === 0 ? [] : leadIn()}
${applied.length === 0 ? [] : figuresTable(applied)}
${others.map(({ scenario, reason }) => html`<p><strong>${label(scenario)}</strong> does not apply: ${reason}</p>`)}
${
  applied.length < 2
    ? []
    : html`<div class="figures-grid">
${await renderFigure({
  title: 'Scenarios compared',
  chart: scenariosChart(applied),
  legend: { mark: OVER_DATASETS },
  caption: 'Each at the radii of its scenario, of most risk where radii were swept.',
})}
</div>`
}
${await Promise.all(applied.map((risk) => scenarioPart(risk, applied.length > 1)))}
${applied.length === 0 ? [] : html`<p class="note">${ROW_ORDER_ASSUMED}</p>`}`;
  return {
    id: 'identification',
    title: 'Identification risk',
    answer:
      applied.length === 0
        ? html`How many records an intruder could find by matching was not measured: no scenario applies to this release.`
        : answer(applied),
    body,
  };
}

const OVER_DATASETS = 'Datasets: quartiles and median, least and most; a dot for each where there are few';

function answer(applied: readonly AppliedIdentificationRisk[]): Html {
  const most = applied.reduce((a, b) => (b.mean.expectedMatchRisk > a.mean.expectedMatchRisk ? b : a));
  const under = applied.length > 1 ? html`, under the scenario of most risk, ${label(most.scenario)}` : [];
  return html`An intruder who looks for people by what is known of them would identify about
${figure(most.mean, 'expectedMatchRisk')} of ${quantity(most, 'records', 'record')}
(${derived('match-risk-share', formatPercent(most.mean.expectedMatchRisk / most.records))}) in a dataset${under}.`;
}

function leadIn(): Html {
  return html`<p>The intruder knows some variables that the release keeps, and the true values of those that it replaces. Of the rows of
a dataset that agree, c, one is picked at random; it is right with probability 1/c if the record’s own row is among them.
The expected match risk adds this up over records. A unique match, c = 1, tempts the intruder most: the false match rate
says how often it is wrong, so that a high one protects.</p>`;
}

function figuresTable(applied: readonly AppliedIdentificationRisk[]): Html {
  const range = ({ minimum, maximum }: { minimum: MatchFigures; maximum: MatchFigures }) =>
    html`${figure(minimum, 'expectedMatchRisk')} to ${figure(maximum, 'expectedMatchRisk')}`;
  const rows = applied.map(
    (risk) => html`<tr><th scope="row">${label(risk.scenario)}</th>
<td>${matchSpread(risk, 'expectedMatchRisk')}</td>
<td>${range(risk)}</td>
<td>${matchSpread(risk, 'trueMatchRate')}</td>
<td>${matchSpread(risk, 'falseMatchRate')}</td>
<td>${matchSpread(risk, 'uniqueMatches')}</td></tr>
`,
  );
  return framedTable(
    'identification-caption',
    html`Means over ${derived('datasets', formatQuantity(applied[0]!.datasets.length, 'dataset'))}, each with its standard deviation between them`,
    html`<tr><th scope="col">Scenario</th><th scope="col">Expected match risk</th><th scope="col">Least to most</th>
<th scope="col">True match rate</th><th scope="col">False match rate</th><th scope="col">Unique matches</th></tr>`,
    rows,
  );
}

/** What was assumed in a scenario, its sweep, and the risk of its records. */
async function scenarioPart(risk: AppliedIdentificationRisk, named: boolean): Promise<Html> {
  const { known, synthesized, radii, shape, sweep } = risk;
  const near = Object.entries(radii).map(([name, radius]) => `${name} within ${radiusInWords(radius)}`);
  const caution = sweep ? sweepCaution(sweep) : null;
  const histogram = await renderFigure({
    title: 'Risk of single records',
    chart: recordRiskChart(risk),
    legend: { mark: 'Records' },
    caption: html`Means over datasets. ${derived('records-without-risk', formatFigure(recordsWithoutRisk(risk)))} of ${quantity(risk, 'records', 'record')} have no risk at all and are left out.`,
  });
  const curve =
    sweep && (!sweep.jointly || sweep.variables.length === 1)
      ? await renderFigure({
          title: 'Which radius finds most?',
          chart: sweepChart(risk, sweep),
          legend: { mark: 'The radius of most risk, reported above', quiet: 'Others' },
          caption:
            'A wider radius finds more of the own rows, and more others beside them. If the risk is acceptable at its maximum, it is so at the other radii.',
        })
      : [];
  return html`
${named ? html`<h3>${label(risk.scenario)}</h3>` : []}
<dl class="facts">
${fact('Known', labels(known, 'nothing that is kept'))}
${fact('Synthesized, true values known', labels(synthesized, 'nothing'))}
${near.length === 0 ? [] : fact('Continuous variables match', `${near.join(', ')}${near.length > 1 ? `, in ${shape === 'box' ? 'a box: each by itself' : 'an ellipse: all of them together'}` : ''}`)}
</dl>
<div class="figures-grid">
${curve}
${histogram}
</div>
${caution === null ? [] : html`<p>${caution}</p>`}
${sweep?.jointly && sweep.variables.length > 1 ? combinationsTable(sweep) : []}`;
}

/** The combinations of radii of most risk. */
function combinationsTable({ variables, points }: Sweep): Html {
  const most = points.toSorted((a, b) => b.expectedMatchRiskMean - a.expectedMatchRiskMean).slice(0, LISTED_COMBINATIONS);
  const rows = most.map(
    (point) => html`<tr><th scope="row">${figure(point, 'expectedMatchRiskMean')}</th>
${variables.map((name) => html`<td>${radiusInWords(point.radii[name]!)}</td>`)}</tr>
`,
  );
  return html`<div class="table-scroll" role="region" aria-label="Radii of most risk" tabindex="0">
<table>
<caption>The ${derived('radii-listed', formatCount(most.length))} combinations of radii of most risk, of ${derived('radii-tried', formatCount(points.length))} that were tried</caption>
<thead><tr><th scope="col">Expected match risk</th>${variables.map((name) => html`<th scope="col">${label(name)}</th>`)}</tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>`;
}
