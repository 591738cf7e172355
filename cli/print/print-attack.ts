import type { AttackSummary } from '../../shared/contracts/results/attack.ts';
import { attackRates } from '../../shared/report/attack/attack-rates.ts';
import { controlInWords } from '../../shared/report/words/attack-in-words.ts';
import { copiesLines } from '../../shared/report/words/copies-in-words.ts';
import { formatCount, formatFigure, formatPercent, formatQuantity } from '../../shared/report/words/format-number.ts';
import type { TableCopies } from '../../shared/risk/copies/count-copies.ts';
import { writeLines } from './write-lines.ts';

const percent = (value: number | null) => (value === null ? '-' : formatPercent(value));

function disclosureLines({ disclosure }: AttackSummary): string[] {
  const { UiO, repU } = disclosure[0]!.mean;
  return [
    `Disclosure (synthpop): alone with their keys ${percent(UiO)}, of all records replicated (repU) ${percent(repU)}`,
    ...disclosure.map(
      ({ target, mean }) =>
        `  ${target}: DiSCO ${percent(mean.DiSCO)} (in the table itself, Dorig, ${percent(mean.Dorig)}), DCAP ${percent(mean.DCAP)} (guessing ${percent(mean.baseCAPd)}), TCAP ${percent(mean.TCAP)} (of all whose keys are found, TCAP_alt, ${percent(mean.TCAP_alt)})`,
    ),
  ];
}

function attackLines(summary: AttackSummary): string[] {
  const rates = attackRates([...summary.singlingOut, ...summary.linkability, ...summary.inference]);
  return [
    `Attacks (Anonymeter). ${controlInWords(summary)}`,
    ...rates.map(({ name, rate, baseline, control, risk, riskLow, riskHigh }) => {
      const held = control === null ? '' : `, against the control ${formatPercent(control)}`;
      return `  ${name}: risk ${formatPercent(risk)} (${formatPercent(riskLow)} to ${formatPercent(riskHigh)}), succeeds ${formatPercent(rate)}, by guessing ${formatPercent(baseline)}${held}`;
    }),
  ];
}

function nearestLines({ nearestNeighbour }: AttackSummary): string[] {
  const { distanceToClosest, ratio, shareCloserThanControl, reason } = nearestNeighbour;
  const closer =
    shareCloserThanControl === null
      ? `closer to the table than to a control: not known. ${reason}`
      : `closer to the table than to the control: ${formatPercent(shareCloserThanControl)} (half where nothing is copied)`;
  return [
    `Closest records: median distance ${formatFigure(distanceToClosest.median)} of 1, equal to a record ${formatPercent(distanceToClosest.zeroShare)}, median ratio to the second ${formatFigure(ratio.median)}`,
    `  ${closer}`,
  ];
}

function keyLines({ keyCounts, datasets }: AttackSummary): string[] {
  const { sampleUniques, k, individualRisk, suda, release } = keyCounts;
  const uniques = release.reduce((sum, one) => sum + one.sampleUniques, 0) / datasets;
  return [
    `Counts of the keys (sdcMicro): ${formatQuantity(sampleUniques, 'sample unique')} in the table, ${formatFigure(uniques)} in a dataset; k ${formatCount(k)}`,
    `  individual risk of the table ${formatFigure(individualRisk.mean)} on average; largest SUDA score ${formatFigure(suda.scoreMax)}, DIS-SUDA ${formatFigure(suda.disScoreMax)}`,
  ];
}

/** Prints what `attack` found: the document as JSON, or lines for a person. */
export function printAttack(summary: AttackSummary, { copies, sampleUniques }: TableCopies, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...summary, copies }, null, 2)}\n`);
    return;
  }
  const { datasets, records, keys, target } = summary;
  writeLines([
    `What other tools measure, ${formatQuantity(datasets, 'dataset')} beside ${formatQuantity(records, 'record')}; known ${keys.join(', ')}; sought ${target.join(', ')}`,
    ...disclosureLines(summary),
    ...attackLines(summary),
    ...nearestLines(summary),
    ...keyLines(summary),
    ...copiesLines(copies, sampleUniques),
    '',
    'What each takes for granted and where it misleads: the report (--out), and docs/explanation/compared.md.',
  ]);
}
