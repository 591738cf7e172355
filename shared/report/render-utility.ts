import type { UtilitySummary } from '../contracts/results/utility.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import { utilitySection } from './sections/utility-section.ts';
import { formatQuantity } from './words/format-number.ts';

/** The page of the command `utility`: one HTML file like the report of a run. Equal input gives equal bytes. */
export async function renderUtility(utility: UtilitySummary, run: { version: string }): Promise<string> {
  return renderPage({
    title: 'Utility',
    confidentiality: html`This page is for those who judge the release. Its figures are found from the confidential table itself.`,
    heading: 'What the synthetic data are worth',
    subtitle: `${formatQuantity(utility.datasets, 'dataset')} beside ${formatQuantity(utility.records, 'record')} of the table`,
    sections: [await utilitySection(utility)],
    run,
  });
}
