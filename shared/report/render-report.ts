import { isSimulated } from '../contracts/config/config.ts';
import type { AttributeRiskTable } from '../contracts/results/attribute-risk-table.ts';
import type { FoundBounds } from '../contracts/results/bounds.ts';
import type { StoredCalibration } from '../contracts/results/calibration.ts';
import type { ChainDiagnostics } from '../contracts/results/chain-diagnostics.ts';
import type { RecordDetails } from '../contracts/results/record-details.ts';
import type { RiskiestRows } from '../contracts/results/riskiest-rows.ts';
import type { Summary } from '../contracts/results/summary.ts';
import type { VariableRiskTable } from '../contracts/results/variable-risk-table.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { recordsPart } from './records/records-section.ts';
import { boundsSection } from './sections/bounds-section.ts';
import { calibrationSection } from './sections/calibration-section.ts';
import { diagnosticsSection } from './sections/diagnostics-section.ts';
import { disclosuresSection } from './sections/disclosures-section.ts';
import { distributionSection } from './sections/distribution-section.ts';
import { givenAwaySection } from './sections/given-away-section.ts';
import { glossarySection } from './sections/glossary-section.ts';
import { identificationSection } from './sections/identification-section.ts';
import { leftOutSection } from './sections/left-out-section.ts';
import { matchVerdictSection } from './sections/match-verdict-section.ts';
import { measurementSection } from './sections/measurement-section.ts';
import { otherMeasuresSection } from './sections/other-measures-section.ts';
import { privacySection } from './sections/privacy-section.ts';
import { riskiestSection } from './sections/riskiest-section.ts';
import { scenariosSection } from './sections/scenarios-section.ts';
import { utilitySection } from './sections/utility-section.ts';
import { verdictSection } from './sections/verdict-section.ts';
import { warningsSection } from './sections/warnings-section.ts';
import { weightsSection } from './sections/weights-section.ts';
import { formatQuantity } from './words/format-number.ts';

/** What a report is made of. */
export interface ReportInput {
  /** Must hold an attribute risk, or be of partially synthetic data: other runs have nothing to report. */
  summary: Summary;
  /** The columns of attribute-risk.csv for the first scenario; null where there is no attribute risk. */
  table: AttributeRiskTable | null;
  /** The rows of variable-risk.csv for the first scenario; null where no variable is asked for by itself. */
  values: VariableRiskTable | null;
  /** Of several scenarios the rows most at risk under each; empty where there is one. */
  riskiest: readonly RiskiestRows[];
  /** What is told of single rows beside these tables. */
  details: RecordDetails;
  /** Null when the run has no base chains to diagnose. */
  chains: ChainDiagnostics | null;
  /** The bounds of such a release; null when none were asked for. */
  inherent: FoundBounds | null;
  /** A calibration of the run's estimate; null when none was included. */
  calibration: StoredCalibration | null;
}

/**
 * The disclosure report of a run: one HTML page with its style and charts inside, which asks nothing of a
 * network. Confidential: it names the records that an intruder could find. Equal input gives equal bytes.
 *
 * @throws RangeError when there is nothing to report, or an attribute risk without rows
 */
export async function renderReport(input: ReportInput): Promise<string> {
  const { summary } = input;
  const sections = summary.attributeRisk.length > 0 ? await riskSections(input) : await matchSections(input);
  const records = await recordsPart(summary.attributeRisk[0] ?? null, input);
  return renderPage({
    title: `Disclosure risk report, run ${summary.runId}`,
    confidentiality: html`This page discloses: it names records an intruder could find. Only <code>release/</code> may leave the agency, and only after a person decides so.`,
    heading: 'Disclosure risk of the synthetic data',
    subtitle: `What an intruder could learn about each of ${formatQuantity(summary.table.records, 'record')} from ${formatQuantity(summary.synthesis.datasets, 'synthetic dataset')}`,
    sections: [
      ...sections,
      ...(summary.utility ? [await utilitySection(summary.utility)] : []),
      otherMeasuresSection(summary),
      ...(records ? [records.section] : []),
    ],
    scripts: records ? [records.script] : [],
    run: summary,
  });
}

/** The sections of a run that measured attribute risk. */
async function riskSections(input: ReportInput): Promise<Section[]> {
  const { summary, table, values, chains, calibration } = input;
  const risk = summary.attributeRisk[0]!;
  if (table === null || table.rows === 0)
    throw new RangeError('A report of attribute risk needs at least one row.');
  return [
    verdictSection(summary, risk, table),
    ...(summary.attributeRisk.length > 1 || risk.separately
      ? [scenariosSection(summary.attributeRisk, input.riskiest)]
      : []),
    ...(values ? [givenAwaySection(risk, values)] : []),
    ...privacySection(summary, risk),
    ...(summary.leftOut ? [leftOutSection(summary.leftOut)] : []),
    measurementSection(summary, risk),
    warningsSection(summary, chains),
    await distributionSection(risk, table),
    await riskiestSection(table),
    ...(await weightsSection(risk, table)),
    ...(await matchingSections(input)),
    ...(calibration ? [await calibrationSection(calibration)] : []),
    ...(!isSimulated(risk.estimator) ? [] : [await diagnosticsSection(summary, chains)]),
    glossarySection(),
  ];
}

/** The sections of a run whose model scores no guess. */
async function matchSections(input: ReportInput): Promise<Section[]> {
  const { summary, chains } = input;
  if (summary.synthesis.kind === 'full') {
    throw new RangeError('A report needs an attribute risk, or data that keep variables.');
  }
  return [
    matchVerdictSection(summary),
    measurementSection(summary, null),
    warningsSection(summary, chains),
    ...(await matchingSections(input)),
  ];
}

/** What is measured of rows that belong to records. */
async function matchingSections({
  summary: { identificationRisk, attributeDisclosures, uniqueValues },
  inherent,
}: ReportInput): Promise<Section[]> {
  return [
    ...(identificationRisk.some(({ applies }) => applies)
      ? [await identificationSection(identificationRisk)]
      : []),
    ...(attributeDisclosures ? [disclosuresSection(attributeDisclosures, uniqueValues ?? [])] : []),
    ...(inherent ? [await boundsSection(inherent, null)] : []),
  ];
}
