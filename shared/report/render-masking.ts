import { namesInWords } from '../contracts/in-command.ts';
import type { Difference, MaskedUtility, MaskingResult } from '../contracts/results/masking.ts';
import { CHART_COLOURS, type Chart, names, numbers } from './charts/chart.ts';
import { renderFigure } from './charts/figure.ts';
import { type Html, html } from './page/html.ts';
import { shortened } from './page/label.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { warningsWhereAny } from './page/warnings.ts';
import { formatFigure, formatQuantity } from './words/format-number.ts';
import { LOSS_MEASURES, LOSS_UNITS, methodInWords } from './words/masking-in-words.ts';

/** The page of `mask`: one HTML file like the report of a run, confidential as that is. */
export async function renderMasking(result: MaskingResult): Promise<string> {
  return renderPage({
    title: `Masked microdata, run ${result.runId}`,
    confidentiality: html`This page is for those who judge the masking. It holds the masked records against the confidential ones, and is no part of the release.`,
    heading: 'What is lost by masking?',
    subtitle: `${formatQuantity(result.records, 'record')}, ${methodInWords(result.method)}`,
    sections: [
      await lossSection(result),
      ...(result.subdomains.length === 0 ? [] : [subdomainsSection(result)]),
      ...warningsWhereAny(result.warnings),
    ],
    run: result,
  });
}

async function lossSection(result: MaskingResult): Promise<Section> {
  const { informationLossPercent, informationLossReason, groups, variables, swapped, k } = result;
  const body = html`
<p class="lead">${
    informationLossPercent === null
      ? html`No information loss is given: ${informationLossReason ?? ''}.`
      : html`Masking loses ${formatFigure(informationLossPercent)} % of the sum of squares of the standardized variables.`
  }</p>
<dl class="facts">
<div><dt>Masked</dt><dd>${namesInWords(variables) || 'none'}</dd></div>
<div><dt>Swapped</dt><dd>${namesInWords(swapped) || 'none'}</dd></div>
<div><dt>Rows released</dt><dd>${formatQuantity(result.records, 'record')} of ${formatQuantity(result.table.records, 'record')}</dd></div>
${groups === null ? [] : html`<div><dt>Groups</dt><dd>${formatQuantity(groups, 'group')}, of ${String(k)} records at least</dd></div>`}
</dl>
${
  result.variableLosses.length === 0
    ? []
    : html`<div class="figures-grid">
${await renderFigure({
  title: 'Which variables lose most?',
  chart: variableLossesChart(result),
  caption: 'Sum of squared differences over the sum of squares about the mean, of each variable.',
})}
</div>`
}
${utilityTable('Analyses of the whole file', [{ name: 'All records', utility: result.utility }])}
<p class="note">${LOSS_UNITS} Means over all pairs of variables, and the largest. Regressions are of each variable on all others that the ones before them do not determine.</p>`;
  return { id: 'loss', title: 'Information loss', body };
}

/** Information loss of single variables, as bars. */
function variableLossesChart({ variableLosses }: MaskingResult): Chart {
  const largest = variableLosses.reduce((a, b) => (b.informationLossPercent > a.informationLossPercent ? b : a));
  return {
    height: 60 + 22 * variableLosses.length,
    table: {
      heads: ['Variable', 'Information loss (%)'],
      rows: variableLosses.map((own) => [shortened(own.variable), formatFigure(own.informationLossPercent)]),
    },
    label: `Information loss of ${variableLosses.length} variables in percent, the largest ${formatFigure(largest.informationLossPercent)} of ${shortened(largest.variable)}.`,
    spec: {
      data: { values: variableLosses.map((own) => ({ ...own, variable: shortened(own.variable) })) },
      mark: { type: 'bar', color: CHART_COLOURS.mark },
      encoding: { y: names('variable', { labelLimit: 140 }), x: numbers('Information loss (%)')('informationLossPercent') },
    },
  };
}

function subdomainsSection({ subdomains }: MaskingResult): Section {
  const rows = subdomains.map(({ variable, domain, domains, records, informationLossPercent, utility }) => ({
    name: `${variable}, ${domain} of ${domains} (${formatQuantity(records, 'record')}${informationLossPercent === null ? '' : `, ${formatFigure(informationLossPercent)} % lost`})`,
    utility,
  }));
  const body = html`
<p>What masking keeps of a whole file it may not keep of its parts, where values of records inside trade with values of
records outside. A domain is a category, or a quarter of a continuous variable from its lowest values on.</p>
${utilityTable('Analyses of parts of the file', rows)}`;
  return { id: 'subdomains', title: 'Subdomains', body };
}

function utilityTable(caption: string, rows: readonly { readonly name: string; readonly utility: MaskedUtility }[]): Html {
  const measures = Object.keys(LOSS_MEASURES) as (keyof typeof LOSS_MEASURES)[];
  const cell = ({ mean, largest, reason }: Difference) =>
    mean === null || largest === null
      ? html`<td>undefined: ${reason ?? ''}</td>`
      : html`<td>${formatFigure(mean)} (${formatFigure(largest)})</td>`;
  return html`<div class="table-scroll" role="region" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}: mean difference (largest)</caption>
<thead><tr><th scope="col">Records</th>${measures.map((measure) => html`<th scope="col">${LOSS_MEASURES[measure]}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ({ name, utility }) =>
    html`<tr><th scope="row">${name}</th>${measures.map((measure) => cell(utility[measure]))}</tr>
`,
)}
</tbody>
</table>
</div>`;
}
