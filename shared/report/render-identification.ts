import type { IdentificationRiskSummary } from '../contracts/results/identification.ts';
import { columnFacts } from './page/facts.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { identificationSection } from './sections/identification-section.ts';
import { formatQuantity } from './words/format-number.ts';

/** The page of the command `identify`: one HTML file like the report of a run. Equal input gives equal bytes. */
export async function renderIdentification(risks: readonly IdentificationRiskSummary[], run: { version: string }): Promise<string> {
  const datasets = risks.find((risk) => risk.applies)?.datasets.length;
  return renderPage({
    title: 'Identification risk',
    confidentiality: html`This page is for those who judge the risk. It tells how near a release comes to the confidential table, and is no part of the release.`,
    heading: 'Who could be identified in the synthetic data?',
    subtitle: `Matching under ${formatQuantity(risks.length, 'scenario')}${datasets === undefined ? '' : `, in ${formatQuantity(datasets, 'dataset')}`}`,
    sections: [await identificationSection(risks), readingSection()],
    run,
  });
}

/** Columns of identification-risk.csv with their meaning, in the order of the file. */
const COLUMNS = {
  scenario: 'Name of the scenario, or what is known in it.',
  record: 'Number of a record of the confidential table, from 1.',
  dataset: 'Number of a dataset, from 1.',
  matches: 'c: rows of the dataset that agree with what the intruder knows of the record.',
  own_record_matches: 'T: 1 when the record’s own row is among them, 0 otherwise.',
  risk: 'T/c: the probability that the intruder picks the record’s own row; 0 when T is 0.',
};

function readingSection(): Section {
  const body = html`
${columnFacts(COLUMNS)}
<h3>What the numbers do not mean</h3>
<ul>
<li><strong>Not what the synthetic values tell.</strong> The intruder is assumed to know the true values already; what could be learnt about them is attribute risk.</li>
<li><strong>Not the risk from other knowledge.</strong> Another scenario gives other numbers, and knowing more need not give larger ones.</li>
<li><strong>Not a sample correction.</strong> The person who is looked for is taken to be in the table.</li>
</ul>`;
  return { id: 'reading', title: 'How to read the columns', body };
}
