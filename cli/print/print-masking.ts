import { join } from 'node:path';
import { namesInWords } from '../../shared/contracts/in-command.ts';
import type { Difference, MaskingResult } from '../../shared/contracts/results/masking.ts';
import { formatFigure, formatQuantity } from '../../shared/report/words/format-number.ts';
import { LOSS_MEASURES, LOSS_UNITS, methodInWords } from '../../shared/report/words/masking-in-words.ts';
import { type Printing, writeFindings } from './write-lines.ts';

const difference = ({ mean, largest, reason }: Difference) =>
  mean === null || largest === null ? `undefined: ${reason}` : `mean ${formatFigure(mean)}, largest ${formatFigure(largest)}`;

/** What masking lost as lines for a person. */
function maskingLines(directory: string, result: MaskingResult): string[] {
  const { informationLossPercent, informationLossReason, groups, utility, subdomains } = result;
  const measures = Object.entries(LOSS_MEASURES) as [keyof typeof LOSS_MEASURES, string][];
  const width = Math.max(...measures.map(([, name]) => name.length));
  return [
    `${formatQuantity(result.records, 'record')} of ${formatQuantity(result.table.records, 'record')}, ${methodInWords(result.method)}`,
    `  masked             ${namesInWords(result.variables) || 'none'}`,
    ...(result.swapped.length > 0 ? [`  swapped            ${namesInWords(result.swapped)}`] : []),
    ...(groups === null ? [] : [`  groups             ${formatQuantity(groups, 'group')}`]),
    `  information loss   ${informationLossPercent === null ? `undefined: ${informationLossReason}` : `${formatFigure(informationLossPercent)} %`}`,
    '',
    LOSS_UNITS,
    ...measures.map(([measure, name]) => `  ${name.padEnd(width)}   ${difference(utility[measure])}`),
    ...subdomains.flatMap(({ variable, domain, domains, records, utility: within }) => [
      '',
      `${variable}, ${domain} of ${domains}, ${formatQuantity(records, 'record')}`,
      ...measures.map(([measure, name]) => `  ${name.padEnd(width)}   ${difference(within[measure])}`),
    ]),
    ...result.warnings.flatMap(({ code, message }) => ['', `Warning (${code}): ${message}`]),
    '',
    `Masked file:         ${join(directory, 'release', 'masked-1.csv')}`,
    `Confidential page:   ${join(directory, 'confidential', 'masking.html')}`,
  ];
}

/** Prints what masking lost: its document as JSON, or lines for a person. */
export function printMasking(directory: string, result: MaskingResult, printing: Printing): void {
  if (printing.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else writeFindings(maskingLines(directory, result), printing);
}
