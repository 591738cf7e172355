import { Html, html } from './html.ts';

/** A section of the page with its heading; `id` is the target of the contents list. */
export interface Section {
  id: string;
  title: string;
  /** What answers the heading, in a sentence. */
  answer?: Html;
  body: Html;
  /** Whether the body is closed until somebody opens it; print shows the heading and the answer. */
  folded?: boolean;
  /** Sections below this one, listed below it in the contents. */
  parts?: readonly Section[];
}

/** A section as markup, labelled by its heading. */
export function renderSection({ id, title, answer, body, folded, parts = [] }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${answer === undefined ? [] : html`<p class="lead">${answer}</p>`}
${folded ? fold(title, body) : body}
${parts.map(renderPart)}
</section>
`;
}

/** A body that is closed until somebody opens it; print shows it closed. */
export const fold = (title: string, body: Html): Html => html`<details class="more"><summary>Details: ${title}</summary>
${body}
</details>`;

/** A section below another: its headings are one level lower than where it stands by itself. */
function renderPart({ id, title, answer, body, folded }: Section): Html {
  const lowered = new Html(body.markup.replaceAll('<h3>', '<h4>').replaceAll('</h3>', '</h4>'));
  return html`<section id="${id}" class="part" aria-labelledby="${id}-title">
<h3 id="${id}-title">${title}</h3>
${answer === undefined ? [] : html`<p class="answer">${answer}</p>`}
${folded ? fold(title, lowered) : lowered}
</section>
`;
}

/** The contents of a page: its sections, and those below them. */
export function renderContents(sections: readonly Section[]): Html {
  const link = ({ id, title }: Section) => html`<a href="#${id}">${title}</a>`;
  const below = (parts: readonly Section[]) =>
    parts.length === 0 ? [] : html`<ul>${parts.map((part) => html`<li>${link(part)}</li>`)}</ul>`;
  return html`<nav class="contents" aria-labelledby="contents-title">
<p id="contents-title">On this page</p>
<ol>
${sections.map(
  (section) => html`<li>${link(section)}${below(section.parts ?? [])}</li>
`,
)}</ol>
</nav>`;
}
