import type { AttackSummary } from '../contracts/results/attack.ts';
import {
  attacksSection,
  disclosureSection,
  keyCountsSection,
  learnedSection,
  membershipSection,
  nearestSection,
  readingsSection,
} from './attack/attack-sections.ts';
import { riskutilitySection } from './attack/riskutility-section.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import { formatQuantity } from './words/format-number.ts';

/** The page of `attack`: one HTML file like the report of a run, confidential as that is. Equal input gives equal bytes. */
export async function renderAttack(summary: AttackSummary, run: { version: string }): Promise<string> {
  return renderPage({
    title: 'What other tools measure',
    confidentiality: html`This page is for those who judge the risk. Its figures are found from the confidential table itself.`,
    heading: 'What other tools would say of the release',
    subtitle: `${formatQuantity(summary.datasets, 'dataset')} beside ${formatQuantity(summary.records, 'record')} of the table`,
    sections: [
      disclosureSection(summary),
      await attacksSection(summary),
      learnedSection(summary),
      nearestSection(summary),
      membershipSection(summary),
      riskutilitySection(summary),
      keyCountsSection(summary),
      readingsSection(),
    ],
    run,
  });
}
