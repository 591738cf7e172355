import { join } from 'node:path';
import { namesInWords } from '../../shared/contracts/in-command.ts';
import type { LinkageResult } from '../../shared/contracts/results/linkage.ts';
import { formatFigure, formatPercent, formatQuantity } from '../../shared/report/words/format-number.ts';
import { methodInWords } from '../../shared/report/words/masking-in-words.ts';
import { type Printing, writeFindings } from './write-lines.ts';

const interval = (low: number, high: number) => `95 % interval ${formatPercent(low)} to ${formatPercent(high)}`;

/** What was re-identified as lines for a person. */
function linkageLines(directory: string, result: LinkageResult): string[] {
  const { precision, claimedPrecision, ownRankMedian, rocArea, intruder } = result;
  return [
    `${formatQuantity(result.records, 'row')} masked by ${methodInWords(result.method)}, linked with ${formatQuantity(intruder.records, 'record')} on ${namesInWords(result.comparisons.map(({ name }) => name))}`,
    '',
    `  re-identified        ${formatQuantity(result.reidentified, 'row')}, ${formatPercent(result.reidentifiedShare)}; ${interval(result.low, result.high)}`,
    `  by guessing          ${formatPercent(result.guessedShare)}`,
    `  with one best link   ${formatQuantity(result.uniqueLinks, 'row')}`,
    `  right ones of these  ${
      precision.share === null || precision.low === null || precision.high === null
        ? `undefined: ${precision.reason}`
        : `${formatPercent(precision.share)}; ${interval(precision.low, precision.high)}`
    }`,
    `  believed right       ${claimedPrecision === null ? 'undefined: no row has one best link' : formatPercent(claimedPrecision)}`,
    `  place of the own     ${ownRankMedian === null ? `undefined: ${result.ownRankReason}` : `${formatFigure(ownRankMedian)} (median)`}`,
    `  area under the ROC   ${rocArea === null ? `undefined: ${result.rocReason}` : formatFigure(rocArea)}`,
    ...result.warnings.flatMap(({ code, message }) => ['', `Warning (${code}): ${message}`]),
    '',
    `Confidential page:   ${join(directory, 'confidential', 'linkage.html')}`,
    `Confidential table:  ${join(directory, 'confidential', 'linkage.csv')}`,
  ];
}

/** Prints what was re-identified: its document as JSON, or lines for a person. */
export function printLinkage(directory: string, result: LinkageResult, printing: Printing): void {
  if (printing.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  else writeFindings(linkageLines(directory, result), printing);
}
