import { join } from 'node:path';
import type { IncreaseTable, PrivacyEvaluation } from '../../shared/contracts/results/differential-privacy.ts';
import { writeLines } from './write-lines.ts';

const DIGITS = 4;

/** The expected increases as a table, a line a population and a column an epsilon: Table 1 of McClure & Reiter (2012). */
function increaseLines(rows: IncreaseTable['rows']): string[] {
  const epsilons = [...new Set(rows.map(({ epsilon }) => epsilon))];
  const p0s = [...new Set(rows.map(({ p0 }) => p0))];
  const { n, prior } = rows[0]!;
  const cells = p0s.map((p0) => [
    String(p0),
    ...epsilons.map((epsilon) => {
      const row = rows.find((other) => other.p0 === p0 && other.epsilon === epsilon)!;
      return row.expectedIncrease.toPrecision(DIGITS);
    }),
  ]);
  const table = [['p0 \\ epsilon', ...epsilons.map(String)], ...cells];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  return [
    `Expected increase in risk (McClure and Reiter 2012, Table 1), n = ${n}, prior probability ${prior}`,
    '',
    ...table.map((line) => line.map((text, column) => text.padStart(widths[column]!)).join('   ')),
  ];
}

/** Prints the expected increases: as JSON, or a table for a person. */
export function printIncreases(table: IncreaseTable, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(table, null, 2)}\n`);
  else writeLines(increaseLines(table.rows));
}

/** Prints the simulations: their document as JSON, or the expected increases and where the rest is. */
export function printPrivacy(directory: string, evaluation: PrivacyEvaluation, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(evaluation, null, 2)}\n`);
    return;
  }
  const populations = new Set(evaluation.scenarios.map(({ p0 }) => p0)).size;
  writeLines([
    ...increaseLines(evaluation.scenarios),
    '',
    `Page:     ${join(directory, 'evaluation.html')}`,
    `Figures:  ${join(directory, `figure-1.csv to figure-${2 * populations}.csv`)}`,
  ]);
}
