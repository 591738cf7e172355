import type { View } from 'vega';
import type { Config, TopLevelSpec } from 'vega-lite';
import type { ChartTable, DrawnChart } from '../page/figure.ts';
import { Html, html } from '../page/html.ts';

/** A chart before it is drawn: its marks, and its message in words for those who cannot see them. */
export interface Chart {
  spec: TopLevelSpec;
  label: string;
  /** What it shows in numbers, with no more digits than a person reads. */
  table: ChartTable;
}

/** Total width of a chart in pixels: narrow, so that its text stays readable when a phone shrinks it. */
const CHART_WIDTH = 400;

/**
 * Colours of the marks, as custom properties of the page (`report-style.ts`): the charts follow the colour
 * scheme of the reader, and print.
 */
export const CHART_COLOURS = { mark: 'var(--mark)', quiet: 'var(--mark-quiet)', reference: 'var(--reference)' } as const;

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
export async function renderChart(chart: Chart, height = 270): Promise<DrawnChart> {
  return (await drawChart(chart, height)).drawn;
}

/** A scale of a drawn chart: where each value of its domain is, in pixels from the corner of the plot. */
export interface DrawnScale {
  readonly type: 'linear' | 'log' | 'point';
  readonly domain: readonly (number | string)[];
  readonly range: readonly number[];
}

/** A drawn chart in which more can be drawn: its first group begins at the corner of the plot. */
export interface ScaledChart {
  readonly drawn: DrawnChart;
  /** Of one plot by its axes; null where a chart has none, or several. */
  readonly x: DrawnScale | null;
  readonly y: DrawnScale | null;
}

/** Draws a chart as {@link renderChart} does, and tells its scales. */
export async function drawChart({ spec, label, table }: Chart, height = 270): Promise<ScaledChart> {
  const sized = { ...spec, width: CHART_WIDTH, height, autosize: { type: 'fit', contains: 'padding' }, padding: 4 } as TopLevelSpec;
  // Loaded when the first chart is drawn: they take longer to load than most commands take to answer.
  const [vega, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const view = new vega.View(vega.parse(compile(sized, { config: CHART_CONFIG }).spec), { renderer: 'none' });
  const svg = withoutRoles(await view.toSVG());
  const [x, y] = [drawnScale(view, 'x'), drawnScale(view, 'y')];
  view.finalize();
  const attributes = html`<svg role="img" aria-label="${label}"`;
  return { drawn: { svg: new Html(withoutHiddenDigits(svg).replace(/^<svg/, () => attributes.markup)), table }, x, y };
}

/** What Vega tells of a scale: numbers have two ends, categories a place each. */
function drawnScale(view: View, name: string): DrawnScale | null {
  const scale = scaleOf(view, name);
  if (scale === null) return null;
  const domain = scale.domain();
  if (scale.type === 'linear' || scale.type === 'log') {
    return { type: scale.type, domain: domain.map(Number), range: scale.range() };
  }
  const half = (scale.bandwidth?.() ?? 0) / 2;
  return { type: 'point', domain: domain.map(String), range: domain.map((value) => scale(value) + half) };
}

/** A scale of a view; null where it has none of that name, which Vega says by an error. */
function scaleOf(view: View, name: string): VegaScale | null {
  try {
    return view.scale(name) as VegaScale;
  } catch {
    return null;
  }
}

interface VegaScale {
  readonly type: string;
  domain(): (number | string)[];
  range(): number[];
  bandwidth?(): number;
  (value: number | string): number;
}

/** Takes away what Vega says of single marks to a screen reader, for which a chart is one picture with one message. */
function withoutRoles(svg: string): string {
  return svg.replace(/ role="graphics-[^"]*"| aria-roledescription="[^"]*"/g, '');
}

/**
 * Rounds what stands in tags, positions above all, to hundredths of a pixel: a chart that is copied out of a report then
 * tells what can be seen in it, and not all digits of the figures behind its marks.
 */
function withoutHiddenDigits(svg: string): string {
  return svg.replace(/<[^>]*>/g, (tag) => tag.replace(/\d+\.\d{3,}/g, (number) => Number(number).toFixed(2)));
}
