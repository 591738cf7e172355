import { html } from '../page/html.ts';
import { renderPage } from '../page/page.ts';
import { labelledTable } from '../page/table.ts';
import { type EvidenceInput, type EvidenceSection, evidenceSections } from './evidence-sections.ts';

/** What both forms of the pack begin with. */
export const EVIDENCE_TITLE = 'Evidence for the release of synthetic data';

/** Why the pack stays where it is. */
export const EVIDENCE_CONFIDENTIALITY =
  'Figures of the whole file, none of a single record. It stays in the agency until a person decides otherwise.';

/** The evidence pack as one HTML page, which asks nothing of a network. Equal input gives equal bytes. */
export function renderEvidence(input: EvidenceInput): Promise<string> {
  const { summary } = input;
  return renderPage({
    title: `${EVIDENCE_TITLE}, run ${summary.runId}`,
    confidentiality: html`${EVIDENCE_CONFIDENTIALITY}`,
    heading: EVIDENCE_TITLE,
    subtitle: `Run ${summary.runId}`,
    sections: evidenceSections(input).map(sectionOf),
    run: { version: summary.version, runId: summary.runId },
  });
}

const sectionOf = ({ id, title, paragraphs, tables }: EvidenceSection) => ({
  id,
  title,
  body: html`${paragraphs.map(
    (text) => html`<p>${text}</p>
`,
  )}${tables.map(({ caption, heads, rows }, index) =>
    labelledTable(
      `${id}-${index + 1}-caption`,
      caption,
      heads.map((words) => ({ words })),
      rows,
    ),
  )}`,
});
