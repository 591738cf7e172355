import type { Config, TopLevelSpec } from 'vega-lite';
import { Html, html } from '../page/html.ts';

/** A chart before it is drawn: its marks, and its message in words for those who cannot see them. */
export interface Chart {
  spec: TopLevelSpec;
  label: string;
}

/** Total width of a chart in pixels: narrow, so that its text stays readable when a phone shrinks it. */
const CHART_WIDTH = 400;

/**
 * Colours of the marks, as custom properties of the page (`report-style.ts`): the charts follow the colour
 * scheme of the reader, and print.
 */
export const CHART_COLOURS = {
  mark: 'var(--mark)',
  quiet: 'var(--mark-quiet)',
  reference: 'var(--reference)',
} as const;

const CHART_CONFIG: Config = {
  aria: false,
  background: 'transparent',
  font: 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif',
  view: { stroke: null },
  axis: {
    labelColor: 'var(--muted)',
    titleColor: 'var(--ink)',
    labelFontSize: 12,
    titleFontSize: 12.5,
    titleFontWeight: 500,
    titlePadding: 8,
    gridColor: 'var(--line)',
    domainColor: 'var(--muted)',
    tickColor: 'var(--muted)',
    tickSize: 4,
  },
  axisX: { grid: false },
  axisY: { domain: false, ticks: false, labelPadding: 6, tickCount: 5 },
};

/**
 * Draws a chart as inline SVG, `CHART_WIDTH` wide and `height` pixels high, without a browser. Equal charts
 * give equal bytes.
 */
export async function renderChart(chart: Chart, height = 270): Promise<Html> {
  return (await drawChart(chart, height)).svg;
}

/** A scale of a drawn chart: where each value of its domain is, in pixels from the corner of the plot. */
export interface DrawnScale {
  readonly type: 'linear' | 'log' | 'point';
  readonly domain: readonly (number | string)[];
  readonly range: readonly number[];
}

/** A drawn chart in which more can be drawn: its first group begins at the corner of the plot. */
export interface DrawnChart {
  readonly svg: Html;
  readonly x: DrawnScale;
  readonly y: DrawnScale;
}

/** Draws a chart of one plot as {@link renderChart} does, and tells its scales. */
export async function drawChart({ spec, label }: Chart, height = 270): Promise<DrawnChart> {
  const sized = {
    ...spec,
    width: CHART_WIDTH,
    height,
    autosize: { type: 'fit', contains: 'padding' },
    padding: 4,
  } as TopLevelSpec;
  // Loaded when the first chart is drawn: they take longer to load than most commands take to answer.
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const view = new vega.View(vega.parse(compile(sized, { config: CHART_CONFIG }).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  const [x, y] = [drawnScale(view.scale('x')), drawnScale(view.scale('y'))];
  view.finalize();
  const attributes = html`<svg role="img" aria-label="${label}"`;
  return { svg: new Html(withoutHiddenDigits(svg).replace(/^<svg/, () => attributes.markup)), x, y };
}

/** What Vega tells of a scale: numbers have two ends, categories a place each. */
function drawnScale(scale: VegaScale): DrawnScale {
  const domain = scale.domain();
  if (scale.type === 'linear' || scale.type === 'log') {
    return { type: scale.type, domain: domain.map(Number), range: scale.range() };
  }
  const half = (scale.bandwidth?.() ?? 0) / 2;
  return { type: 'point', domain: domain.map(String), range: domain.map((value) => scale(value) + half) };
}

interface VegaScale {
  readonly type: string;
  domain(): (number | string)[];
  range(): number[];
  bandwidth?(): number;
  (value: number | string): number;
}

/**
 * Rounds what stands in tags, positions above all, to hundredths of a pixel: a chart that is copied out of a report then
 * tells what can be seen in it, and not all digits of the figures behind its marks.
 */
function withoutHiddenDigits(svg: string): string {
  return svg.replace(/<[^>]*>/g, (tag) => tag.replace(/\d+\.\d{3,}/g, (number) => Number(number).toFixed(2)));
}
