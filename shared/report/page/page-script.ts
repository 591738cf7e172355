import { sha256 } from '../../contracts/sha256.ts';
import { Html, html } from './html.ts';

/** A script of a page, inside it. */
export interface PageScript {
  /** JavaScript that runs when the page has been read. */
  readonly code: string;
  /** What the script reads, as JSON in an element of this id; it is text to the browser, and never run. */
  readonly data: readonly { readonly id: string; readonly value: unknown }[];
}

/** What would end a script before its end, or make its text other than what was hashed. */
const UNFIT = /<\/script|<!--|\r/i;

/**
 * A script and its data as markup. In the data every `<` is an escape of JSON, so that no label of a confidential table can end
 * the element.
 *
 * @throws RangeError when the code holds `</script`, `<!--` or a carriage return
 */
export function renderScript({ code, data }: PageScript): Html {
  if (UNFIT.test(code)) throw new RangeError('A script of a page must hold no end of a script.');
  return html`${data.map(
    ({ id, value }) =>
      html`<script type="application/json" id="${id}">${new Html(JSON.stringify(value).replaceAll('<', '\\u003c'))}</script>
`,
  )}<script>${new Html(code)}</script>
`;
}

/** The source of a content security policy (CSP Level 3, 2.3.1) that allows one inline script or style, and no other. */
export async function contentHash(text: string): Promise<string> {
  const digest = await sha256(new TextEncoder().encode(text));
  const bytes = digest.match(/../g)!.map((byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  return `'sha256-${btoa(bytes.join(''))}'`;
}
