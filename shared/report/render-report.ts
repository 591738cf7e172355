import type { AttributeRiskRow, ChainDiagnostics, Summary } from '../contracts/results.ts';
import { diagnosticsSection } from './diagnostics-section.ts';
import { distributionSection } from './distribution-section.ts';
import { formatQuantity } from './format-number.ts';
import { glossarySection } from './glossary-section.ts';
import { Html, html } from './html.ts';
import { measurementSection } from './measurement-section.ts';
import { otherMeasuresSection } from './other-measures-section.ts';
import { REPORT_STYLE } from './report-style.ts';
import { riskiestSection } from './riskiest-section.ts';
import { renderSection } from './section.ts';
import { verdictSection } from './verdict-section.ts';
import { warningsSection } from './warnings-section.ts';

/** What a report is made of. */
export interface ReportInput {
  /** Must hold an attribute risk: a run without one has no report. */
  summary: Summary;
  /** The rows of attribute-risk.csv for the first scenario; at least one. */
  rows: readonly AttributeRiskRow[];
  /** Column names of the table, in the order of `AttributeRiskRow.values`. */
  variables: readonly string[];
  /** Null when the run has no base chains to diagnose. */
  chains: ChainDiagnostics | null;
}

/**
 * The disclosure report of a run: one HTML page with its style and charts inside, which asks nothing of a
 * network. Confidential: it names the records that an intruder could find. Equal input gives equal bytes.
 *
 * @throws RangeError when there is no attribute risk or no row
 */
export async function renderReport({ summary, rows, variables, chains }: ReportInput): Promise<string> {
  const risk = summary.attributeRisk[0];
  if (risk === undefined || rows.length === 0) {
    throw new RangeError('A report needs an attribute risk summary and at least one row.');
  }
  const sections = [
    verdictSection(summary, risk, rows),
    measurementSection(summary, risk),
    warningsSection(summary, chains),
    await distributionSection(risk, rows),
    await riskiestSection(rows, variables),
    await diagnosticsSection(summary, chains),
    glossarySection(),
    otherMeasuresSection(summary),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Disclosure risk report, run ${summary.runId}</title>
<style>${new Html(REPORT_STYLE)}</style>
</head>
<body>
<aside class="confidential" aria-label="Confidentiality">
<p><strong>Confidential.</strong> This page discloses: it names records an intruder could find. Only <code>release/</code> may leave the agency, and only after a person decides so.</p>
</aside>
<header>
<p class="overline">synthrisk</p>
<h1>Disclosure risk of the synthetic data</h1>
<p class="subtitle">What an intruder could learn about each of ${formatQuantity(risk.records, 'record')} from ${formatQuantity(summary.synthesis.datasets, 'synthetic dataset')}</p>
<nav aria-label="Contents"><ol>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ol></nav>
</header>
<main>
${sections.map(renderSection)}
</main>
<footer>
<p>synthrisk ${summary.version} · run ${summary.runId} · seed ${String(summary.seed)}</p>
</footer>
</body>
</html>
`.markup;
}
