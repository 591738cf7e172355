import type { Remedies, RemedyRisk } from '../contracts/results/remedies.ts';
import { html } from './page/html.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { renderTable } from './page/table.ts';
import { shownError } from './words/errors-in-words.ts';
import { formatCount, formatFigure, formatPercent, formatQuantity } from './words/format-number.ts';
import { figureOrNone, groupFigure, meanInWords, shareInWords } from './words/group-in-words.ts';

/** The page of the command `remedies`: one HTML file like the report of a run. Equal input gives equal bytes. */
export async function renderRemedies(found: Remedies): Promise<string> {
  const { remedies, version, runId, scenario } = found;
  return renderPage({
    title: `Remedies, run ${runId}`,
    confidentiality: html`This page is for those who judge the risk. It tells what became of the records that an intruder could find, and is no part of a release.`,
    heading: 'What lowers the risk?',
    subtitle: `A run as it is, and ${formatQuantity(remedies.length - 1, 'run')} with one difference each${scenario === undefined ? '' : `; all figures under the scenario "${scenario}"`}`,
    sections: [fileSection(remedies), namedSection(remedies), readingSection()],
    run: { version, runId },
  });
}

function fileSection(remedies: readonly RemedyRisk[]): Section {
  const rows = remedies.map(
    ({ setting, risk: { file }, ...own }) => html`<tr><th scope="row">${setting}</th>
<td>${meanInWords(file.gainBits)}</td><td>${meanInWords(own.gainBitsChange)}</td>
<td>${meanInWords(file.informationBits)}</td>
<td>${formatPercent(file.truthRankedFirstShare.mean, file.truthRankedFirstShare.standardError)}</td>
<td>${meanInWords(file.probability)}</td><td>${formatFigure(own.probabilityMax)}</td>
<td>${shareInWords(file.membership?.auc)}</td>
<td>${shareInWords(file.membership?.foundAt1Percent)}</td>
<td>${formatCount(own.candidatesMax)}</td></tr>
`,
  );
  const heads = [
    'Remedy',
    'Gain, bits',
    'Change of gain',
    'Information, bits',
    'Truth ranked first',
    'Probability of the truth',
    'Largest',
    'AUC of membership',
    'Members found at 1 % false alarms',
    'Candidates at most',
  ];
  return {
    id: 'file',
    title: 'The whole file',
    body: renderTable('file-caption', 'Means over all records, with standard errors', heads, rows),
  };
}

function namedSection(remedies: readonly RemedyRisk[]): Section {
  const rows = remedies.map(
    ({ setting, risk: { named } }) => html`<tr><th scope="row">${setting}</th>
<td>${formatCount(named.records)}</td><td>${groupFigure(named.rankMean, shownError(named, 'rankMean'))}</td>
<td>${groupFigure(named.probabilityMean, shownError(named, 'probabilityMean'))}</td><td>${figureOrNone(named.probabilityMax)}</td>
<td>${groupFigure(named.informationBitsMean, shownError(named, 'informationBitsMean'))}</td><td>${figureOrNone(named.gainBitsMean)}</td></tr>
`,
  );
  const heads = ['Remedy', 'Records', 'Rank', 'Probability of the truth', 'Largest', 'Information, bits', 'Gain, bits'];
  return {
    id: 'named',
    title: 'The records that were named',
    body: renderTable('named-caption', 'Means over the records of the combinations that were named', heads, rows),
  };
}

function readingSection(): Section {
  const body = html`
<ul>
<li><strong>Every remedy has a release of its own.</strong> Standard errors of the whole file hold simulation and how releases differ. One dataset does not show how releases differ: its figures have no error.</li>
<li><strong>Hold remedies against the other release.</strong> Records that were named because this release gave them a high risk have less in any other, whatever is done: what a remedy does to them is its difference from the run that differs in nothing.</li>
<li><strong>Fewer categories are another question.</strong> With fewer candidates guessing is easier and there is less to learn: probabilities are not to be compared with those of all categories. Named combinations may share one with others, whose records then count too.</li>
<li><strong>Utility is not here.</strong> Each of these makes the data less like the table: <code>synthrisk compare</code> with the folders of the runs sets what they lose beside their risk.</li>
</ul>`;
  return { id: 'reading', title: 'How to read this', body };
}
