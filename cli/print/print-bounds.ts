import { join } from 'node:path';
import { namesInWords } from '../../shared/contracts/in-command.ts';
import type { BoundedMeasure, FoundBounds, MeasureDistribution } from '../../shared/contracts/results/bounds.ts';
import { formatEstimate, formatFigure, formatPercent, formatQuantity } from '../../shared/report/words/format-number.ts';
import { type Printing, writeFindings } from './write-lines.ts';

function distribution({ mean, standardError, smallest, largest, reason }: MeasureDistribution): string {
  if (mean === null) return `undefined: ${reason}`;
  const estimate = standardError === null ? formatFigure(mean) : formatEstimate(mean, standardError);
  return `mean ${estimate}, from ${formatFigure(smallest!)} to ${formatFigure(largest!)}`;
}

function measureLines(title: string, { minimum, maximum, release }: BoundedMeasure): string[] {
  const lines = [title, `  minimum   ${distribution(minimum)}`, `  maximum   ${distribution(maximum)}`];
  if (release === undefined) return lines;
  if (release.mean === null) return [...lines, `  release   undefined: ${release.reason}`];
  const position =
    release.shareOfRange === null
      ? `no position: ${release.reason}`
      : `${formatPercent(release.shareOfRange)} of the way from minimum to maximum`;
  const { smallest, largest, mean } = release;
  lines.push(`  release   mean ${formatFigure(mean)}, from ${formatFigure(smallest!)} to ${formatFigure(largest!)}; ${position}`);
  return lines;
}

/** The bounds as lines for a person. */
function boundsLines(directory: string, found: FoundBounds): string[] {
  const { table, patterns, attributeDisclosures, identificationRisk } = found;
  return [
    `${formatQuantity(table.records, 'record')}, ${namesInWords(found.synthesized)} synthesized, ${formatQuantity(patterns.count, 'pattern')} of the kept variables (${formatQuantity(patterns.loneRecords, 'record')} alone in theirs), ${formatQuantity(found.resamples, 'resample')} of each bound, ${found.datasets === 0 ? 'no release given' : `${formatQuantity(found.datasets, 'dataset')} of a release`}`,
    '',
    ...measureLines('Exact attribute disclosures (records)', attributeDisclosures.all),
    ...(found.synthesized.length > 1
      ? attributeDisclosures.byVariable.flatMap(({ variable, ...measure }) => measureLines(`  of ${variable} alone`, measure))
      : []),
    ...identificationRisk.flatMap((scenario) => [
      '',
      `Identification risk, scenario ${scenario.scenario}`,
      ...measureLines('Expected match risk (records)', scenario.expectedMatchRisk),
      ...measureLines('True match rate', scenario.trueMatchRate),
      ...measureLines('False match rate', scenario.falseMatchRate),
    ]),
    ...found.warnings.flatMap(({ code, message }) => ['', `Warning (${code}): ${message}`]),
    '',
    `Confidential page:   ${join(directory, 'confidential', 'inherent.html')}`,
    `Confidential table:  ${join(directory, 'confidential', 'inherent.csv')}`,
  ];
}

/** Prints the bounds: their document as JSON, or lines for a person. */
export function printBounds(directory: string, found: FoundBounds, printing: Printing): void {
  if (printing.json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  else writeFindings(boundsLines(directory, found), printing);
}
