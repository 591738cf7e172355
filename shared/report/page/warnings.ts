import type { Warning } from '../../contracts/run/warning.ts';
import { type Html, html } from './html.ts';
import type { Section } from './section.ts';

/** Warnings as a list, each with its code, and with what it comes to where that is given. */
export function warningList(warnings: readonly Warning[], inWords: Readonly<Record<string, string>> = {}): Html {
  const meaning = (code: string) => (Object.hasOwn(inWords, code) ? html`<p><strong>${inWords[code]!}.</strong></p>` : []);
  return html`<ul class="warnings">
${warnings.map(
  ({ code, message }) => html`<li>${meaning(code)}<p>${message}</p><p class="note"><code>${code}</code></p></li>
`,
)}</ul>`;
}

/** A section of warnings where there are any. */
export function warningsWhereAny(warnings: readonly Warning[]): Section[] {
  return warnings.length === 0 ? [] : [{ id: 'warnings', title: 'Warnings', body: warningList(warnings) }];
}
