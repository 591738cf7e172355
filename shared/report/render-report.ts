import { isRanked } from '../contracts/results/ranked-figures.ts';
import { nameSource, quantity } from './figures/figure.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { recordsPart } from './records/records-section.ts';
import { addedSection } from './review/added.ts';
import { certaintySection } from './review/certainty.ts';
import { exposedSection } from './review/exposed.ts';
import { membershipSection } from './review/membership.ts';
import { methodSection } from './review/method.ts';
import { ranksSection } from './review/ranks.ts';
import { reconstructionSection } from './review/reconstruction.ts';
import type { ReportInput } from './review/report-input.ts';
import { saferSection } from './review/safer.ts';
import { verdictSection } from './review/verdict.ts';
import { worthSection } from './review/worth.ts';

/** The documents that figures of the page are from, by the names that they have in the run's folder. */
const SOURCES = {
  'summary.json': ({ summary }) => summary,
  'chains.json': ({ chains }) => chains,
  'inherent.json': ({ inherent }) => inherent,
  'calibration.json': ({ calibration }) => calibration,
  'attack.json': ({ attack }) => attack,
  'remedies.json': ({ remedies }) => remedies,
  riskiest: ({ riskiest }) => riskiest,
} satisfies Record<string, (input: ReportInput) => object | null>;

/**
 * The disclosure report of a run, in the order of a reviewer's questions: one HTML page with its style and charts inside, which
 * asks nothing of a network. Confidential: it names the records that an intruder could find. Equal input gives equal bytes.
 *
 * @throws RangeError for an attribute risk of ranked candidates without rows
 */
export async function renderReport(input: ReportInput): Promise<string> {
  const { summary } = input;
  for (const [file, documentOf] of Object.entries(SOURCES)) {
    const document = documentOf(input);
    if (document !== null) nameSource(file, document);
  }
  const [risk] = summary.attributeRisk;
  const records = await recordsPart(risk && isRanked(risk) ? risk : null, input);
  return renderPage({
    title: `Disclosure risk report, run ${summary.runId}`,
    confidentiality: html`This page discloses: it names records an intruder could find. Only <code>release/</code> may leave the agency, and only after a person decides so.`,
    heading: 'Disclosure risk of the synthetic data',
    subtitle: html`${quantity(summary.table, 'records', 'record')}, ${quantity(summary.table, 'variables', 'variable')}, ${quantity(summary.synthesis, 'datasets', 'synthetic dataset')}`,
    sections: await sectionsOf(input, records ? [records.section] : []),
    scripts: records ? [records.script] : [],
    run: summary,
  });
}

/** @param records the section of every record, where there is one */
async function sectionsOf(input: ReportInput, records: readonly Section[]): Promise<Section[]> {
  const { summary, table, chains, calibration } = input;
  const risk = summary.attributeRisk[0] ?? null;
  if (risk !== null && isRanked(risk) && (table === null || table.rows === 0)) {
    throw new RangeError('A report of attribute risk needs at least one row.');
  }
  if (risk === null && !summary.assessable) {
    return [verdictSection(input), await worthSection(summary, input.attack), methodSection(summary, risk)];
  }
  return [
    verdictSection(input),
    ...(risk ? [await addedSection(summary, risk)] : []),
    await exposedSection(input),
    ...(risk ? [await membershipSection(risk, table)] : []),
    ...(await Promise.all(
      summary.attributeRisk
        .flatMap(({ reconstruction }) => reconstruction ?? [])
        .slice(0, 1)
        .map(reconstructionSection),
    )),
    ...records,
    await worthSection(summary, input.attack),
    saferSection(input),
    ...(risk && isRanked(risk) && table ? [await ranksSection(risk, table, input.riskiest)] : []),
    await certaintySection(summary, risk, chains, calibration),
    methodSection(summary, risk),
  ];
}
