import { type Html, html } from './html.ts';

/** Characters of a label that a page shows: enough to tell categories apart, and few enough for a cell of a table. */
const SHOWN_CHARACTERS = 80;

/** A label of the table or of the config, shortened where it is long; tables in files have it whole. */
export function shortened(text: string, limit = SHOWN_CHARACTERS): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  return `${characters.slice(0, limit).join('')}… (${characters.length.toLocaleString('en-US')} characters)`;
}

/** The same as markup, apart from the text around it: marks of direction in a label turn nothing beyond its end. */
export function label(text: string): Html {
  return html`<bdi>${shortened(text)}</bdi>`;
}

/** Labels one after the other, or `none`. */
export function labels(texts: readonly string[], none = 'none'): Html {
  if (texts.length === 0) return html`${none}`;
  return html`${texts.map((text, index) => html`${index > 0 ? ', ' : ''}${label(text)}`)}`;
}
