import { type Html, html } from './html.ts';

/** One entry of a legend: the class of its swatch in `report-style.ts`, and its words. */
export interface LegendEntry {
  swatch: 'mark' | 'quiet' | 'reference' | 'hollow';
  text: string;
}

/** A drawn chart with what a reader needs to understand it. */
export interface Figure {
  title: string;
  chart: Html;
  legend: readonly LegendEntry[];
  /** What to look for, in a sentence or two. */
  caption: string;
}

/** A chart on a card, with its title, legend and caption. */
export function renderFigure({ title, chart, legend, caption }: Figure): Html {
  const entries = legend.map(
    ({ swatch, text }) => html`<li><span class="swatch swatch-${swatch}"></span>${text}</li>`,
  );
  const key = entries.length > 0 ? html`<ul class="legend">${entries}</ul>` : [];
  return html`<figure>
<figcaption><strong>${title}</strong></figcaption>
${key}
<div class="chart">${chart}</div>
<p class="note">${caption}</p>
</figure>`;
}
