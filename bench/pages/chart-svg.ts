import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';

/** Colours that can be distinguished by those who see few, on white. */
export const COLOURS = ['#1b4965', '#c1666b', '#7a9e7e', '#8d6a9f'];

const CONFIG: Config = {
  background: 'white',
  padding: 8,
  font: 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif',
  view: { stroke: null },
  axis: { labelFontSize: 11, titleFontSize: 12, gridColor: '#e5e5e5', domainColor: '#767676' },
};

/**
 * A figure of the documents as SVG, always the same bytes.
 *
 * @param title what it shows, for those who cannot see it
 */
export async function chartSvg(title: string, spec: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile(spec, { config: CONFIG }).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  // Logarithms differ between processors in their last bits, which nobody sees. What a reader sees, between the tags, stays.
  const rounded = svg.replace(/<[^>]+>/g, (tag) => tag.replace(/\d+\.\d{4,}/g, (digits) => String(Number(Number(digits).toFixed(2)))));
  // The title tells what the figure shows; roles of its parts would only be noise beside it.
  const plain = rounded.replace(/ (role|aria-[a-z]+)="[^"]*"/g, '');
  return `${plain.replace(/^<svg[^>]*>/, (tag) => `${tag}<title>${title}</title>`)}\n`;
}
