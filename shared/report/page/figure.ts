import { type Html, html } from './html.ts';
import { shortened } from './label.ts';

/** One entry of a legend: the class of its swatch in `report-style.ts`, and its words. */
export interface LegendEntry {
  swatch: 'mark' | 'quiet' | 'reference' | 'hollow';
  text: string;
}

/** What a chart shows, as a table in words: the first cell of a row is its header. */
export interface ChartTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A chart as it stands in a page. */
export interface DrawnChart {
  readonly svg: Html;
  readonly table: ChartTable;
}

/** A drawn chart with what a reader needs to understand it. */
export interface Figure {
  title: string;
  chart: DrawnChart;
  legend: readonly LegendEntry[];
  /** What to look for, in a sentence or two. */
  caption: string | Html;
}

/** A chart on a card, with its title, legend and caption, and behind it the table that it shows. */
export function renderFigure({ title, chart, legend, caption }: Figure): Html {
  const entries = legend.map(({ swatch, text }) => html`<li><span class="swatch swatch-${swatch}"></span>${text}</li>`);
  const key = entries.length > 0 ? html`<ul class="legend">${entries}</ul>` : [];
  return html`<figure>
<figcaption><strong>${title}</strong></figcaption>
${key}
<div class="chart">${chart.svg}</div>
<div class="below">
<p class="note">${caption}</p>
${tableBehind(title, chart.table)}
</div>
</figure>`;
}

function tableBehind(title: string, { heads, rows }: ChartTable): Html {
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
