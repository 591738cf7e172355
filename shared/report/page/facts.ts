import { type Html, html } from './html.ts';

/** A term of a list of facts (`<dl class="facts">`), with what is said of it. */
export function fact(term: string | Html, description: string | Html): Html {
  return html`<div><dt>${term}</dt><dd>${description}</dd></div>
`;
}

/** The columns of a table that a command writes, each with its meaning, as a list of facts. */
export function columnFacts(columns: Readonly<Record<string, string>>): Html {
  return html`<dl class="facts">
${Object.entries(columns).map(([name, meaning]) => fact(html`<code>${name}</code>`, meaning))}
</dl>`;
}

/** A number that stands out, with what it is to be compared with; several form a `<dl class="figures">`. */
export function keyFigure(term: string | Html, value: string | Html, comparison: string | Html): Html {
  return html`<div><dt>${term}</dt><dd class="value">${value}</dd><dd class="comparison">${comparison}</dd></div>
`;
}
