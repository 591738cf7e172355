import type { View } from 'vega';
import type { Config, TopLevelSpec } from 'vega-lite';
import { Html, html } from '../page/html.ts';

/** A chart before it is drawn. */
export interface Chart {
  readonly spec: TopLevelSpec;
  /** Its message in words, for those who cannot see it. */
  readonly label: string;
  /** What it shows in numbers, with no more digits than a person reads: the first cell of a row is its header. */
  readonly table: { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] };
  /** In pixels, where it is not that of most charts. */
  readonly height?: number;
}

/** Size of a chart in pixels: narrow, so that its text stays readable when a phone shrinks it. */
const CHART_WIDTH = 400;
const CHART_HEIGHT = 270;

/**
 * Colours of the marks, as custom properties of the page (`report-style.ts`): the charts follow the colour
 * scheme of the reader, and print.
 */
export const CHART_COLOURS = { mark: 'var(--mark)', quiet: 'var(--mark-quiet)', reference: 'var(--reference)' } as const;

/** An axis of numbers with a title, of one line or several: the channel of a field of the data. */
export const numbers =
  <const Rest extends object>(title: string | string[], rest?: Rest) =>
  (field: string) =>
    ({ field, type: 'quantitative', title, ...rest }) as const;

/** The vertical axis of a chart that has a row for each name, in their order. */
export const names = <const Axis extends object>(field: string, axis: Axis) =>
  ({ field, type: 'nominal', title: null, sort: null, axis }) as const;

/** A full dot, of an area in pixels. */
export const dot = <const Colour extends string>(color: Colour, size: number) =>
  ({ type: 'point', filled: true, size, opacity: 1, color }) as const;

/** A straight line. */
export const rule = <const Colour extends string>(color: Colour, strokeWidth: number) => ({ type: 'rule', color, strokeWidth }) as const;

type Layer = Extract<Extract<TopLevelSpec, { layer: unknown }>['layer'][number], { mark: unknown }>;

/** Marks of data of their own. */
export const layer = (values: readonly object[], mark: Layer['mark'], encoding: NonNullable<Layer['encoding']>): Layer => ({
  data: { values: [...values] },
  mark,
  encoding,
});

/** A sentence, and what is said of the marks one by one. */
export const listed = (lead: string, marks: readonly string[]): string => `${lead} ${marks.join('; ')}.`;

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

/** A scale of a drawn chart: where each value of its domain is, in pixels from the corner of the plot. */
export interface DrawnScale {
  readonly type: 'linear' | 'log' | 'point';
  readonly domain: readonly (number | string)[];
  readonly range: readonly number[];
}

/** A chart as inline SVG, in which more can be drawn: its first group begins at the corner of the plot. */
export interface DrawnChart {
  readonly svg: Html;
  /** Of one plot by its axes; null where a chart has none, or several. */
  readonly x: DrawnScale | null;
  readonly y: DrawnScale | null;
}

/** Draws a chart without a browser. Equal charts give equal bytes. */
export async function drawChart({ spec, label, height = CHART_HEIGHT }: Chart): Promise<DrawnChart> {
  const sized = { ...spec, width: CHART_WIDTH, height, autosize: { type: 'fit', contains: 'padding' }, padding: 4 } as TopLevelSpec;
  // Loaded when the first chart is drawn: they take longer to load than most commands take to answer.
  const [vega, { compile }, { expressionInterpreter }] = await Promise.all([
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
  ]);
  // Expressions are interpreted, where Vega would make code of them: a page whose policy is strict lets no text become code.
  const runtime = vega.parse(compile(sized, { config: CHART_CONFIG }).spec, undefined, { ast: true });
  const view = new vega.View(runtime, { renderer: 'none', expr: expressionInterpreter });
  const svg = withoutHiddenDigits(withoutRoles(await view.toSVG()));
  const [x, y] = [drawnScale(view, 'x'), drawnScale(view, 'y')];
  view.finalize();
  const attributes = html`<svg role="img" aria-label="${label}"`;
  return { svg: new Html(svg.replace(/^<svg/, () => attributes.markup)), x, y };
}

/** What Vega tells of a scale: numbers have two ends, categories a place each. Null where a view has none of that name. */
function drawnScale(view: View, name: string): DrawnScale | null {
  let scale: VegaScale;
  try {
    scale = view.scale(name) as VegaScale;
  } catch {
    return null;
  }
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
