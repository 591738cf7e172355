import { type Html, html } from '../page/html.ts';
import { shortened } from '../page/label.ts';
import { type Chart, drawChart } from './chart.ts';

/** A chart with what a reader needs to understand it. */
export interface Figure {
  readonly title: string;
  readonly chart: Chart;
  /** Words for the swatches of `report-style.ts`, in the order of the legend. */
  readonly legend?: Readonly<Partial<Record<'mark' | 'quiet' | 'reference' | 'hollow', string>>>;
  /** What to look for, in a sentence or two. */
  readonly caption: string | Html;
}

/** A chart on a card, with its title, legend and caption, and behind it the table that it shows. */
export async function renderFigure(figure: Figure): Promise<Html> {
  const { svg } = await drawChart(figure.chart);
  return framed(figure, svg);
}

/** The same around a picture that is drawn already. */
export function framed({ title, chart, legend = {}, caption }: Omit<Figure, 'chart'> & { chart: Pick<Chart, 'table'> }, svg: Html): Html {
  const entries = Object.entries(legend).map(([swatch, text]) => html`<li><span class="swatch swatch-${swatch}"></span>${text}</li>`);
  return html`<figure>
<figcaption><strong>${title}</strong></figcaption>
${entries.length > 0 ? html`<ul class="legend">${entries}</ul>` : []}
<div class="chart">${svg}</div>
<div class="below">
<p class="note">${caption}</p>
${tableBehind(title, chart.table)}
</div>
</figure>`;
}

function tableBehind(title: string, { heads, rows }: Chart['table']): Html {
  return html`<details class="behind"><summary>The numbers of this chart</summary>
<div class="table-scroll" role="region" aria-label="Numbers of the chart: ${title}" tabindex="0">
<table>
<caption>${title}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([first, ...cells]) =>
    html`<tr><th scope="row">${shortened(first!)}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody>
</table>
</div>
</details>`;
}
