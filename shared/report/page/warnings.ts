import type { Warning } from '../../contracts/run/warning.ts';
import { type Html, html } from './html.ts';
import type { Section } from './section.ts';

/** Warnings as a list, each with its code, and, where there are words for it, what it comes to and what to do. */
export function warningList(
  warnings: readonly Warning[],
  inWords: Readonly<Record<string, { readonly means: string; readonly advice: string }>> = {},
): Html {
  const meaning = (code: string) => {
    if (!Object.hasOwn(inWords, code)) return [];
    const { means, advice } = inWords[code]!;
    return html`<p><strong>${means}.</strong> ${advice}.</p>`;
  };
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
