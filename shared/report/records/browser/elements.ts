/** What an element holds: text, never markup. */
export type Content = string | Node | null | readonly Content[];

function append(to: Node, content: Content): void {
  if (content === null) return;
  if (typeof content === 'string') to.appendChild(document.createTextNode(content));
  else if (content instanceof Node) to.appendChild(content);
  else for (const part of content) append(to, part);
}

/** A new element with attributes; false leaves one out, and true gives it no value. Labels of a table are text everywhere. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...content: Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(key, value === true ? '' : value);
  }
  append(made, content);
  return made;
}

/** A new element of SVG. */
export function svgElement(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** The element of an id. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found as Kind;
}

/** A value of the table in the page: its direction is its own, and what is missing is said to be. */
export function valueElement(value: string | null): HTMLElement {
  return value === null ? element('em', {}, 'missing') : element('bdi', {}, value);
}
