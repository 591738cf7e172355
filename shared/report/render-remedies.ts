import type { GroupNumbers } from '../contracts/results/named-risk.ts';
import { isComparedByRanks, type Remedies, type RemedyRisk } from '../contracts/results/remedies.ts';
import { type Html, html } from './page/html.ts';
import { label } from './page/label.ts';
import { renderPage } from './page/page.ts';
import type { Section } from './page/section.ts';
import { labelledTable, renderTable } from './page/table.ts';
import { shownError } from './words/errors-in-words.ts';
import { formatCount, formatPercent, formatQuantity } from './words/format-number.ts';
import { figureOrNone, groupFigure, meanInWords, shareInWords } from './words/group-in-words.ts';

/** The page of the command `remedies`: one HTML file like the report of a run. Equal input gives equal bytes. */
export async function renderRemedies(found: Remedies): Promise<string> {
  const { remedies, version, runId, scenario } = found;
  return renderPage({
    title: `Remedies, run ${runId}`,
    confidentiality: html`This page is for those who judge the risk. It tells what became of the records that an intruder could find, and is no part of a release.`,
    heading: 'What lowers the risk?',
    subtitle: `A run as it is, and ${formatQuantity(remedies.length - 1, 'run')} with one difference each${scenario === undefined ? '' : `; all figures under the scenario "${scenario}"`}`,
    sections: [fileSection(found), ...numbersSections(found), ...namedSections(found), readingSection(found)],
    run: { version, runId },
  });
}

/** A column of a table with a row for each remedy: its head, and what it has of one. */
type Columns = readonly (readonly [head: string, cell: (remedy: RemedyRisk) => string | Html])[];

const remedyTable = (id: string, caption: string | Html, remedies: readonly RemedyRisk[], columns: Columns) =>
  labelledTable(
    id,
    caption,
    ['Remedy', ...columns.map(([head]) => head)],
    remedies.map((remedy) => [remedy.setting, ...columns.map(([, cell]) => cell(remedy))]),
  );

function fileSection({ remedies }: Remedies): Section {
  const ranked: Columns = [
    ['Information, bits', ({ risk }) => meanInWords(risk.file.informationBits)],
    [
      'Truth ranked first',
      ({ risk: { file } }) =>
        file.truthRankedFirstShare ? formatPercent(file.truthRankedFirstShare.mean, file.truthRankedFirstShare.standardError) : 'none',
    ],
    ['Probability of the truth', ({ risk }) => meanInWords(risk.file.probability)],
    ['Largest', ({ probabilityMax }) => figureOrNone(probabilityMax)],
  ];
  const candidates: Columns = [['Candidates at most', ({ candidatesMax }) => formatCount(candidatesMax)]];
  const isByRanks = isComparedByRanks(remedies);
  const columns: Columns = [
    ['Gain, bits', ({ risk }) => meanInWords(risk.file.gainBits)],
    ['Change of gain', ({ gainBitsChange }) => meanInWords(gainBitsChange)],
    ...(isByRanks ? ranked : []),
    ['AUC of membership', ({ risk }) => shareInWords(risk.file.membership?.auc)],
    ['Members found at 1 % false alarms', ({ risk }) => shareInWords(risk.file.membership?.foundAt1Percent)],
    ...(isByRanks ? candidates : []),
  ];
  return {
    id: 'file',
    title: 'The whole file',
    body: remedyTable('file-caption', 'Means over all records, with standard errors', remedies, columns),
  };
}

/** A probability with its error, where there is one. */
const probability = (mean: number | null, standardError: number | null = null) =>
  shareInWords(mean === null ? null : { mean, standardError });

/** How near an intruder comes to the numbers of all records, of those that were named together, and of each. */
function numbersSections({ remedies, named }: Remedies): Section[] {
  const variables = remedies[0]!.risk.file.continuousVariables ?? [];
  if (variables.length === 0) return [];
  const tables = variables.map(({ variable }, place) => {
    const nearIn = remedies.map(({ risk }) => risk.file.continuousVariables![place]!.near).find((near) => near !== null);
    const whole = ({ risk }: RemedyRisk) => risk.file.continuousVariables![place]!;
    const group = ({ risk }: RemedyRisk): GroupNumbers => risk.named.continuousVariables![place]!;
    return remedyTable(
      `numbers-${place}-caption`,
      html`${label(variable)}: mean probability of a value ${nearIn ?? 'near'} of the true one, and gain`,
      remedies,
      [
        ['All records: without the release', (remedy) => shareInWords(whole(remedy).withinBefore)],
        ['with it', (remedy) => shareInWords(whole(remedy).withinAfter)],
        ['gain, bits', (remedy) => meanInWords(whole(remedy).gainBits)],
        ['Named records: without the release', (remedy) => probability(group(remedy).withinBeforeMean)],
        ['with it', (remedy) => probability(group(remedy).withinAfterMean, group(remedy).withinAfterMeanSe)],
        ['largest', (remedy) => probability(group(remedy).withinAfterMax)],
        ['gain, bits', (remedy) => figureOrNone(group(remedy).gainBitsMean)],
      ],
    );
  });
  const records = named.flatMap((record) => {
    const rows = remedies.map(({ risk }) => risk.rows.find((row) => row.record === record));
    return variables.map(({ variable }, place) => [
      formatCount(record),
      label(variable),
      ...rows.map((row) => {
        const own = row?.continuousVariables?.[place];
        return own == null || own.withinAfter === null
          ? 'none'
          : `${probability(own.withinBefore)} → ${probability(own.withinAfter, own.withinAfterSe)}`;
      }),
    ]);
  });
  const heads = ['Record', { words: 'Variable' }, ...remedies.map(({ setting }) => setting)];
  const caption = 'Probability of coming near the true value: without the release → with it, with its Monte Carlo standard error';
  return [
    {
      id: 'numbers',
      title: 'How near an intruder comes to numbers',
      body: html`${tables}
${labelledTable('numbers-records-caption', caption, heads, records)}`,
    },
  ];
}

function namedSections({ remedies, ofRecords }: Remedies): Section[] {
  if (!isComparedByRanks(remedies)) return [];
  const rows = remedies.map(
    ({ setting, risk: { named } }) => html`<tr><th scope="row">${setting}</th>
<td>${formatCount(named.records)}</td><td>${groupFigure(named.rankMean, shownError(named, 'rankMean'))}</td>
<td>${groupFigure(named.probabilityMean, shownError(named, 'probabilityMean'))}</td><td>${figureOrNone(named.probabilityMax)}</td>
<td>${groupFigure(named.informationBitsMean, shownError(named, 'informationBitsMean'))}</td><td>${figureOrNone(named.gainBitsMean)}</td></tr>
`,
  );
  const heads = ['Remedy', 'Records', 'Rank', 'Probability of the truth', 'Largest', 'Information, bits', 'Gain, bits'];
  const caption = ofRecords ? 'Means over the records that were named' : 'Means over the records of the combinations that were named';
  return [{ id: 'named', title: 'The records that were named', body: renderTable('named-caption', caption, heads, rows) }];
}

function readingSection({ remedies }: Remedies): Section {
  const reason = remedies.find(({ rankedReason }) => rankedReason !== undefined)?.rankedReason;
  const body = html`
<ul>
<li><strong>Every remedy has a release of its own.</strong> Standard errors of the whole file hold simulation and how releases differ. One dataset does not show how releases differ: its figures have no error.</li>
<li><strong>Hold remedies against the other release.</strong> Records that were named because this release gave them a high risk have less in any other, whatever is done: what a remedy does to them is its difference from the run that differs in nothing.</li>
<li><strong>Fewer categories are another question.</strong> With fewer candidates guessing is easier and there is less to learn: probabilities are not to be compared with those of all categories. Named combinations may share one with others, whose records then count too.</li>
${remedies[0]!.risk.file.continuousVariables === undefined ? [] : html`<li><strong>A number in bands has categories.</strong> In such a run no probability of coming near its value is found, and the table says none; what is learned of its band is in the gain and among the figures of candidates.</li>`}
${reason === undefined ? [] : html`<li><strong>Some figures are missing.</strong> Candidates are not ranked in every run: ${reason}.</li>`}
<li><strong>Utility is not here.</strong> Each of these makes the data less like the table: <code>synthrisk compare</code> with the folders of the runs sets what they lose beside their risk.</li>
</ul>`;
  return { id: 'reading', title: 'How to read this', body };
}
