import { type Html, html } from './html.ts';

/** A number that stands out, with what it is to be compared with; several form a `<dl class="figures">`. */
export function keyFigure(term: string, value: string | Html, comparison: string | Html): Html {
  return html`<div><dt>${term}</dt><dd class="value">${value}</dd><dd class="comparison">${comparison}</dd></div>
`;
}
