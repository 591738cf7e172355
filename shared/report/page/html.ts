const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const CHARACTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([character, entity]) => [entity, character])),
  '&nbsp;': '\u00a0',
};

/** Text made safe for an HTML element or a quoted attribute: the five characters with a meaning become entities. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** The text of which {@link escapeHtml} made such; no-break spaces may be written as entities. */
export function unescapeHtml(markup: string): string {
  return markup.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => CHARACTERS[entity]!);
}

/** Markup that is safe to insert as it is: made by `html`, or by a renderer that escapes for itself. */
export class Html {
  constructor(readonly markup: string) {}
}

/** What may stand in an `html` template: text is escaped, markup is not. Numbers must be formatted first. */
export type HtmlPart = string | Html | readonly Html[];

/**
 * Template tag for markup. Escaping is the default, so that no label of a confidential table can become
 * markup by being forgotten.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const inserted = parts.map((part, index) => markupOf(part) + literals[index + 1]!);
  return new Html(literals[0]! + inserted.join(''));
}

function markupOf(part: HtmlPart): string {
  if (typeof part === 'string') return escapeHtml(part);
  if (part instanceof Html) return part.markup;
  return part.map((fragment) => fragment.markup).join('');
}

/** The words of markup that `html` made, for a terminal: without tags, on one line. */
export function textOf({ markup }: Html): string {
  return unescapeHtml(markup.replace(/<[^>]*>/g, ''))
    .replace(/[ \n]+/g, ' ')
    .trim();
}
