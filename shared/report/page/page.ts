import { Html, html } from './html.ts';
import { contentHash, type PageScript, renderScript } from './page-script.ts';
import { REPORT_STYLE } from './report-style.ts';
import { renderContents, renderSection, type Section } from './section.ts';

/** A page of sections, and what stands above and below them. */
export interface Page {
  title: string;
  /** What of the confidential table the page tells; null where it tells nothing of any. */
  confidentiality: Html | null;
  heading: string;
  subtitle: string | Html;
  sections: readonly Section[];
  /** Scripts, which the policy of the page allows by their hash; none where a page has nothing to search in. */
  scripts?: readonly PageScript[];
  /** No seed where nothing is drawn by chance, and no id where there is no run. */
  run: { version: string; runId?: string; seed?: number };
}

/** It stands first, and at the head of every printed page. */
const banner = (confidentiality: Html) => html`<aside class="confidential" aria-label="Confidentiality">
<p><strong>Confidential.</strong> ${confidentiality}</p>
</aside>
`;

/** Nothing may be loaded, and nothing may run or style but what the page was written with. */
async function policy(scripts: readonly PageScript[]): Promise<Html> {
  const hashes = await Promise.all(scripts.map(({ code }) => contentHash(code)));
  const allowed = hashes.length === 0 ? [] : [`script-src ${hashes.join(' ')}`];
  const style = `style-src ${await contentHash(REPORT_STYLE)}`;
  const directives = ["default-src 'none'", ...allowed, style, "base-uri 'none'", "form-action 'none'"];
  // Hashes and keywords: nothing of a table is in a policy, and its quotes stay to be read.
  return new Html(directives.join('; '));
}

/** One HTML page with its style and charts inside, which asks nothing of a network. Equal input gives equal bytes. */
export async function renderPage(page: Page): Promise<string> {
  const { title, confidentiality, heading, subtitle, sections, scripts = [], run } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${await policy(scripts)}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(REPORT_STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${confidentiality === null ? [] : banner(confidentiality)}<header>
<p class="overline">synthrisk</p>
<h1>${heading}</h1>
<p class="subtitle">${subtitle}</p>
</header>
<div class="frame">
${renderContents(sections)}
<main id="content" tabindex="-1">
${sections.map(renderSection)}
</main>
</div>
<footer>
<p>synthrisk ${run.version}${run.runId === undefined ? [] : html` · run ${run.runId}`}${run.seed === undefined ? [] : html` · seed ${String(run.seed)}`}</p>
</footer>
${scripts.map(renderScript)}</body>
</html>
`.markup;
}
