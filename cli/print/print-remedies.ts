import { join } from 'node:path';
import { isComparedByRanks, type Remedies, type RemedyRisk } from '../../shared/contracts/results/remedies.ts';
import { formatPercent, formatQuantity } from '../../shared/report/words/format-number.ts';
import { figureOrNone, meanInWords, shareInWords } from '../../shared/report/words/group-in-words.ts';

/** A column of the table: its head, and its value of a remedy. */
type Columns = readonly (readonly [head: string, value: (remedy: RemedyRisk) => string])[];

/** The columns of the table, of ranked candidates where there are some, and of each continuous variable. */
function columnsOf(remedies: readonly RemedyRisk[]): Columns {
  const isByRanks = isComparedByRanks(remedies);
  const rankedFirst = ({ risk: { file } }: RemedyRisk) =>
    file.truthRankedFirstShare ? formatPercent(file.truthRankedFirstShare.mean, file.truthRankedFirstShare.standardError) : 'none';
  const ranked: Columns = [
    ['information, bits', ({ risk }) => meanInWords(risk.file.informationBits)],
    ['ranked first', rankedFirst],
    ['largest probability', ({ probabilityMax }) => figureOrNone(probabilityMax)],
  ];
  const ofNamed: Columns = [
    ['named: probability', ({ risk }) => figureOrNone(risk.named.probabilityMean)],
    ['largest', ({ risk }) => figureOrNone(risk.named.probabilityMax)],
    ['information', ({ risk }) => figureOrNone(risk.named.informationBitsMean)],
  ];
  const variables = remedies[0]!.risk.file.continuousVariables ?? [];
  const shareOf = (value: number | null) => (value === null ? 'none' : formatPercent(value));
  return [
    ['remedy', ({ setting }) => setting],
    ['gain, bits', ({ risk }) => meanInWords(risk.file.gainBits)],
    ...(isByRanks ? ranked : []),
    ...variables.map(
      ({ variable }, place) =>
        [`near ${variable}`, ({ risk }) => shareInWords(risk.file.continuousVariables![place]!.withinAfter)] as Columns[number],
    ),
    ['AUC of membership', ({ risk }) => shareInWords(risk.file.membership?.auc)],
    ['found at 1 %', ({ risk }) => shareInWords(risk.file.membership?.foundAt1Percent)],
    ...(isByRanks ? ofNamed : []),
    ...variables.map(
      ({ variable }, place) =>
        [`named: near ${variable}`, ({ risk }) => shareOf(risk.named.continuousVariables![place]!.withinAfterMean)] as Columns[number],
    ),
    [isByRanks ? 'gain' : 'named: gain', ({ risk }) => figureOrNone(risk.named.gainBitsMean)],
  ];
}

/** What is near a true value of each continuous variable. */
const nearLines = ([itself]: readonly RemedyRisk[]): string[] =>
  (itself!.risk.file.continuousVariables ?? []).flatMap(({ variable, near }) =>
    near === null ? [] : [`near ${variable}: how probably an intruder comes ${near} of the true value`],
  );

/** The remedies of a run as lines: a table, and where its files are. */
export function remedyLines({ remedies, runId, named, scenario, ofRecords }: Remedies, out: string): string[] {
  const columns = columnsOf(remedies);
  const rows = [columns.map(([head]) => head), ...remedies.map((remedy) => columns.map(([, value]) => value(remedy)))];
  const widths = columns.map((_, c) => Math.max(...rows.map((row) => row[c]!.length)));
  const tables = ['remedies.csv', ...(remedies[0]!.risk.file.continuousVariables ? ['remedies-continuous.csv'] : [])];
  const page = join(out, 'confidential', 'remedies.html');
  return [
    `Run ${runId} as it is, and its remedies; means over records, ${formatQuantity(named.length, ofRecords ? 'record' : 'combination')} named${scenario === undefined ? '' : `, under the scenario "${scenario}"`}`,
    '',
    ...rows.map((row) =>
      row
        .map((text, c) => text.padEnd(widths[c]!))
        .join('  ')
        .trimEnd(),
    ),
    ...nearLines(remedies),
    '',
    `Confidential page:  ${page}`,
    ...tables.map((name) => `Confidential table: ${join(out, 'confidential', name)}`),
  ];
}
