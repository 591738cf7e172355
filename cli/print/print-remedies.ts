import { join } from 'node:path';
import type { Remedies, RemedyRisk } from '../../shared/contracts/results/remedies.ts';
import { formatFigure, formatPercent, formatQuantity } from '../../shared/report/words/format-number.ts';
import { figureOrNone, meanInWords, shareInWords } from '../../shared/report/words/group-in-words.ts';

/** The columns of the table, each with its value of a remedy. */
const COLUMNS: readonly (readonly [head: string, value: (remedy: RemedyRisk) => string])[] = [
  ['remedy', ({ setting }) => setting],
  ['gain, bits', ({ risk }) => meanInWords(risk.file.gainBits)],
  ['information, bits', ({ risk }) => meanInWords(risk.file.informationBits)],
  ['ranked first', ({ risk: { file } }) => formatPercent(file.truthRankedFirstShare.mean, file.truthRankedFirstShare.standardError)],
  ['largest probability', ({ probabilityMax }) => formatFigure(probabilityMax)],
  ['AUC of membership', ({ risk }) => shareInWords(risk.file.membership?.auc)],
  ['found at 1 %', ({ risk }) => shareInWords(risk.file.membership?.foundAt1Percent)],
  ['named: probability', ({ risk }) => figureOrNone(risk.named.probabilityMean)],
  ['largest', ({ risk }) => figureOrNone(risk.named.probabilityMax)],
  ['information', ({ risk }) => figureOrNone(risk.named.informationBitsMean)],
  ['gain', ({ risk }) => figureOrNone(risk.named.gainBitsMean)],
];

/** The remedies of a run as lines: a table, and where its files are. */
export function remedyLines({ remedies, runId, named, scenario }: Remedies, out: string): string[] {
  const rows = [COLUMNS.map(([head]) => head), ...remedies.map((remedy) => COLUMNS.map(([, value]) => value(remedy)))];
  const widths = COLUMNS.map((_, c) => Math.max(...rows.map((row) => row[c]!.length)));
  const page = join(out, 'confidential', 'remedies.html');
  return [
    `Run ${runId} as it is, and its remedies; means over records, ${formatQuantity(named.length, 'combination')} named${scenario === undefined ? '' : `, under the scenario "${scenario}"`}`,
    '',
    ...rows.map((row) =>
      row
        .map((text, c) => text.padEnd(widths[c]!))
        .join('  ')
        .trimEnd(),
    ),
    '',
    `Confidential page:  ${page}`,
    `Confidential table: ${join(out, 'confidential', 'remedies.csv')}`,
  ];
}
