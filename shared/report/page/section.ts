import { type Html, html } from './html.ts';

/** A section of the page with its heading; `id` is the target of the contents list. */
export interface Section {
  id: string;
  title: string;
  body: Html;
}

/** A section as markup, labelled by its heading. */
export function renderSection({ id, title, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`;
}
