import { join } from 'node:path';
import type { Summary } from '../shared/contracts/results.ts';
import { formatQuantity } from '../shared/report/format-number.ts';
import { roundsInWords } from '../shared/report/rounds-in-words.ts';
import type { FinishedRun } from './local-run.ts';
import { riskLines } from './print-identification.ts';
import { formatDuration } from './progress.ts';

const percent = (share: number, digits = 1) => `${(100 * share).toFixed(digits)} %`;

/** A probability in so many significant digits: with many candidates they are small. */
const significant = (probability: number, digits: number) =>
  probability < 1e-6
    ? probability.toExponential(digits - 1)
    : Number(probability.toPrecision(digits)).toString();

/**
 * Identification risk and disclosed values as lines. Where no row belongs to a record, that each intruder who was
 * described has nothing to match.
 */
function matchLines({
  identificationRisk,
  identificationRiskReason,
  attributeDisclosures,
}: Summary): string[] {
  if (attributeDisclosures === null) {
    const described = identificationRisk.filter(({ known }) => known.length > 0);
    return described.flatMap((risk) => ['', ...riskLines(risk, false)]);
  }
  const { all, synthesized, records, radii } = attributeDisclosures;
  const scenarios = identificationRisk.flatMap((risk) => ['', ...riskLines(risk, false)]);
  return [
    ...(identificationRisk.length > 0
      ? scenarios
      : ['', `Identification risk: not measured. ${identificationRiskReason}`]),
    '',
    `True values of ${synthesized.join(', ')} came out for ${significant(all.mean, 4)} of ${records} records on average (${percent(all.meanShare)}${Object.keys(radii).length > 0 ? '; numbers within their radii' : ''})`,
  ];
}

/** Where a release lies between its bounds; nothing where these were not asked for. */
function boundLines({ inherent }: Summary): string[] {
  if (inherent === undefined) return [];
  const { attributeDisclosures, identificationRisk, resamples } = inherent;
  const line = (title: string, { minimum, maximum, release, shareOfRange }: typeof attributeDisclosures) => {
    const [least, most, own] = [minimum, maximum, release].map((mean) =>
      mean === null ? 'undefined' : significant(mean, 4),
    );
    const share = shareOfRange === null ? '' : `, ${percent(shareOfRange)} of the way`;
    return `  ${title}: least ${least}, most ${most}, this release ${own}${share}`;
  };
  return [
    '',
    `Bounds of such a release, from ${resamples} resamples each`,
    line('true values that came out', attributeDisclosures),
    ...identificationRisk.map(({ scenario, expectedMatchRisk }) =>
      line(`expected match risk, ${scenario}`, expectedMatchRisk),
    ),
  ];
}

/** The summary of a run as lines for a person. */
function summaryLines({ directory, summary, state }: FinishedRun): string[] {
  const { table, synthesis, attributeRisk, warnings, acceptance } = summary;
  const lines = [
    `${table.records} records, ${table.variables} variables, ${table.combinations} combinations (${table.sampleUniques} unique), ${formatQuantity(synthesis.datasets, 'synthetic dataset')}`,
  ];
  if (synthesis.kind === 'partial')
    lines.push(`${synthesis.synthesized.join(', ')} synthesized, the other variables kept`);
  if (attributeRisk.length === 0 && state.purpose !== 'synthesize') {
    lines.push('', `Attribute risk: not measured. ${summary.attributeRiskReason}`);
  }
  for (const risk of attributeRisk) {
    const guessing = risk.randomGuessingShare;
    const most = risk.candidatesPerCombinationMax;
    // Candidates differ where some values are missing or impossible.
    const upTo = guessing * most > 1 + 1e-9 ? 'up to ' : '';
    lines.push(
      '',
      `Attribute risk, ${risk.estimator}, candidates ${risk.candidates} (${upTo}${most} for each ${synthesis.kind === 'partial' ? 'record' : 'combination'})`,
      `  measures ${risk.meaning}`,
      `  truth ranked first      ${risk.truthRankedFirst} records, ${percent(risk.truthRankedFirstShare)} ± ${percent(risk.truthRankedFirstShareSe)} (guessing: ${percent(guessing)})`,
      `  probability of truth    mean ${significant(risk.probabilityMean, 3)} ± ${significant(risk.probabilityMeanSe, 2)}, largest ${significant(risk.probabilityMax, 3)} (guessing: ${significant(guessing, 3)})`,
      `  information gained      mean ${risk.informationBitsMean.toFixed(3)} ± ${risk.informationBitsMeanSe.toFixed(3)} bits, largest ${risk.informationBitsMax.toFixed(2)} bits`,
      `  reproducibility         ${risk.reproducibility === null ? `undefined: ${risk.reproducibilityReason}` : `${risk.reproducibility.toFixed(3)} (rank correlation of the records' risk between two evaluations)`}`,
      `  distinguishable ranks   ${percent(risk.distinguishableShare)} of records`,
    );
  }
  if (summary.rounds.length > 0) lines.push(`  chains                  ${roundsInWords(summary.rounds)}`);
  lines.push(...matchLines(summary), ...boundLines(summary));
  for (const { rule, value, met } of acceptance) {
    lines.push('', `Acceptance: ${rule}: ${met ? 'met' : 'NOT MET'} (${value ?? 'undefined'})`);
  }
  for (const { code, message } of warnings) lines.push('', `Warning (${code}): ${message}`);
  lines.push(
    '',
    `${formatDuration(state.seconds.total)} minutes, ${Math.round(state.peakMemoryMiB)} MiB at most`,
  );
  if (state.purpose !== 'assess')
    lines.push(`To release, if a person decides so:  ${join(directory, 'release')}`);
  if (state.purpose !== 'synthesize') {
    const tables = [
      ...(attributeRisk.length > 0 ? ['attribute-risk.csv'] : []),
      ...(summary.identificationRisk.some(({ applies }) => applies) ? ['identification-risk.csv'] : []),
    ];
    lines.push(
      `Confidential report:                 ${join(directory, 'confidential', 'report.html')}`,
      ...(summary.inherent
        ? [`Confidential bounds:                 ${join(directory, 'confidential', 'inherent.html')}`]
        : []),
      ...tables.map(
        (table) => `Confidential table:                  ${join(directory, 'confidential', table)}`,
      ),
    );
  }
  return lines;
}

/** Prints what a run found: the summary as JSON, or lines for a person. Returns the exit code. */
export function printRun(run: FinishedRun, json: boolean): 0 | 4 {
  const { summary, state } = run;
  if (json) {
    const { seconds, peakMemoryMiB } = state;
    process.stdout.write(`${JSON.stringify({ ...summary, seconds, peakMemoryMiB }, null, 2)}\n`);
  } else {
    process.stdout.write(`${summaryLines(run).join('\n')}\n`);
  }
  return summary.acceptance.every(({ met }) => met) ? 0 : 4;
}
