import type { StoredCalibration } from '../contracts/calibration.ts';
import type { AttributeRiskRow, ChainDiagnostics, Summary } from '../contracts/results.ts';
import { calibrationSection } from './calibration-section.ts';
import { diagnosticsSection } from './diagnostics-section.ts';
import { distributionSection } from './distribution-section.ts';
import { formatQuantity } from './format-number.ts';
import { glossarySection } from './glossary-section.ts';
import { html } from './html.ts';
import { measurementSection } from './measurement-section.ts';
import { otherMeasuresSection } from './other-measures-section.ts';
import { renderPage } from './page.ts';
import { riskiestSection } from './riskiest-section.ts';
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
  /** A calibration of the run's estimate; null when none was included. */
  calibration: StoredCalibration | null;
}

/**
 * The disclosure report of a run: one HTML page with its style and charts inside, which asks nothing of a
 * network. Confidential: it names the records that an intruder could find. Equal input gives equal bytes.
 *
 * @throws RangeError when there is no attribute risk or no row
 */
export async function renderReport({
  summary,
  rows,
  variables,
  chains,
  calibration,
}: ReportInput): Promise<string> {
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
    ...(calibration ? [await calibrationSection(calibration)] : []),
    await diagnosticsSection(summary, chains),
    glossarySection(),
    otherMeasuresSection(summary),
  ];
  return renderPage({
    title: `Disclosure risk report, run ${summary.runId}`,
    confidentiality: html`This page discloses: it names records an intruder could find. Only <code>release/</code> may leave the agency, and only after a person decides so.`,
    heading: 'Disclosure risk of the synthetic data',
    subtitle: `What an intruder could learn about each of ${formatQuantity(risk.records, 'record')} from ${formatQuantity(summary.synthesis.datasets, 'synthetic dataset')}`,
    sections,
    run: summary,
  });
}
