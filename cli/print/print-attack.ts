import { namesInWords } from '../../shared/contracts/in-command.ts';
import type { AttackSummary, DisclosureFigures, LearnedOutcome } from '../../shared/contracts/results/attack.ts';
import { attackRates } from '../../shared/report/attack/attack-rates.ts';
import {
  controlInWords,
  DENOMINATORS,
  optimalInWords,
  rapidRuleInWords,
  TESTS_IN_WORDS,
  WEAKER_THAN_OPTIMAL,
} from '../../shared/report/words/attack-in-words.ts';
import { copiesLines } from '../../shared/report/words/copies-in-words.ts';
import {
  formatCount,
  formatFigure,
  formatMeasured,
  formatPercent,
  formatPercentEstimate,
  formatQuantity,
} from '../../shared/report/words/format-number.ts';
import type { TableCopies } from '../../shared/risk/copies/count-copies.ts';
import { type Printing, writeFindings } from './write-lines.ts';

/** A share with its error over releases, where it has one. */
function percent(value: number | null, error: number | null | undefined): string {
  if (value === null) return '-';
  return error ? formatPercentEstimate(value, error) : formatPercent(value);
}

function disclosureLines({ disclosure }: AttackSummary): string[] {
  const told =
    ({ mean, meanSe }: AttackSummary['disclosure'][number]) =>
    (name: keyof DisclosureFigures) =>
      percent(mean[name], meanSe?.[name]);
  const first = told(disclosure[0]!);
  return [
    `Disclosure (synthpop): alone with their keys ${first('UiO')}, of all records replicated (repU) ${first('repU')}`,
    ...disclosure.map((one) => {
      const of = told(one);
      return `  ${one.target}: DiSCO ${of('DiSCO')} (in the table itself, Dorig, ${of('Dorig')}), DCAP ${of('DCAP')} (guessing ${of('baseCAPd')}), TCAP ${of('TCAP')} (of all whose keys are found, TCAP_alt, ${of('TCAP_alt')})`;
    }),
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

function rapidLines({ rapid }: AttackSummary): string[] {
  const beyond = ({ control, controlSe, difference, differenceSe }: LearnedOutcome) =>
    control === null
      ? 'no control to compare with'
      : `of the control ${percent(control, controlSe)}, difference ${percent(difference, differenceSe)}`;
  const { trees, rows } = rapid[0]!;
  return [
    `Learned intruder (RAPID): ${formatQuantity(trees, 'tree')} learn each target by the keys from the synthetic rows (${formatCount(rows)} a tree at most)`,
    ...rapid.map((one) => {
      if (one.confidenceRate === null) return `  ${one.target}: not known. ${one.reason}`;
      const of = formatQuantity(one.records, 'record');
      return `  ${one.target}: predicted of ${of} ${percent(one.confidenceRate, one.confidenceRateSe)}, ${beyond(one)} (${rapidRuleInWords(one)})`;
    }),
  ];
}

function nearestLines({ nearestNeighbour }: AttackSummary): string[] {
  const { distanceToClosest, distanceToClosestSe, ratio, ratioSe, reason, ...closer } = nearestNeighbour;
  const { shareCloserThanControl: share, shareCloserThanControlSe: se, low, high } = closer;
  return [
    `Closest records: median distance ${formatMeasured(distanceToClosest.median, distanceToClosestSe?.median ?? null)} of 1, equal to a record ${percent(distanceToClosest.zeroShare, distanceToClosestSe?.zeroShare)}, within 0.05 (hitting rate) ${percent(distanceToClosest.hittingRate, distanceToClosestSe?.hittingRate)}, median ratio to the second ${formatMeasured(ratio.median, ratioSe?.median ?? null)}`,
    share === null
      ? `  closer to the table than to a control: not known. ${reason}`
      : `  closer to the table than to the control: ${percent(share, se)} (95 % interval ${formatPercent(low!)} to ${formatPercent(high!)}); 50 % where nothing is copied`,
  ];
}

function riskutilityLines({ riskutility, rapid, keyCounts }: AttackSummary): string[] {
  const { mean, meanSe, targets, linkageReason } = riskutility;
  const share = (name: 'aaTrain' | 'aaHoldout' | 'identifiabilityRate' | 'membershipProbMean' | 'linkageRisk') =>
    percent(mean[name], meanSe[name]);
  const { pitman, zayatz, snb } = keyCounts.populationUniqueness;
  const rules = rapid.flatMap(({ target, rules: more }) =>
    more.map(
      (one) =>
        `${target} ${one.method} ${percent(one.confidenceRate, one.confidenceRateSe)}${one.control === null ? '' : ` (difference ${percent(one.difference, one.differenceSe)})`}`,
    ),
  );
  return [
    `riskutility: adversarial accuracy (NNAA) ${share('aaTrain')}, ${mean.privacyLoss === null ? 'privacy loss not known without a control' : `of the control ${share('aaHoldout')}, privacy loss ${percent(mean.privacyLoss, meanSe.privacyLoss)}`}`,
    `  within 0.05 of a record by entropy weights ${share('identifiabilityRate')}, delta-presence ${share('membershipProbMean')}, record linkage ${linkageReason === undefined ? share('linkageRisk') : 'not known: row i is not of record i'}`,
    ...targets.map(
      ({ target, mean: of, meanSe: error }) =>
        `  ${target}: PID ${formatMeasured(of.pidMean, error?.pidMean ?? null)} on average, ${formatFigure(of.pidMax)} at most; leakage ${formatMeasured(of.maxInfoLeakage, error?.maxInfoLeakage ?? null)} bits`,
    ),
    ...(rules.length === 0 ? [] : [`  other rules of RAPID: ${rules.join(', ')}`]),
    `  surprisal of the keys ${formatFigure(keyCounts.surprisal.mean)} bits; ${keyCounts.sampleUniques === 0 ? 'no record is alone in the table with its keys' : `alone in the population if alone in the table: ${formatPercent(pitman.pUnique)} (Pitman), ${formatPercent(zayatz.pUnique)} (Zayatz), ${formatPercent(snb.pUnique)} (negative binomial)`}`,
  ];
}

/** A share of what an optimal test finds, or why there is none. */
function ofOptimalLines({ optimal, optimalReason, membership }: AttackSummary): string[] {
  if (optimal === null) return [`  share of the optimal test's AUC above one half: not known. ${optimalReason}`];
  return [
    ...optimal.map((one, s) => {
      const shares = membership!.map(({ test, ofOptimal }) => ({ name: TESTS_IN_WORDS[test], ...ofOptimal![s]! }));
      const { reason } = shares[0]!;
      const found = reason ?? shares.map(({ name, share, shareSe }) => `${name} ${percent(share, shareSe)}`).join(', ');
      return `  ${optimalInWords(one)}: AUC ${one.auc === null ? '-' : formatMeasured(one.auc, one.aucSe)}. Of it above one half: ${found}`;
    }),
    `  ${DENOMINATORS}`,
  ];
}

function membershipLines(summary: AttackSummary): string[] {
  const { membership, membershipReason } = summary;
  if (membership === null) return [`Tests of who is in the table: none. ${membershipReason}`];
  const { members, others } = membership[0]!;
  return [
    `Tests of who is in the table: ${formatQuantity(members, 'record')} of the table, ${formatCount(others)} of the control; AUC 0.5 where a test cannot tell`,
    ...membership.map(
      ({ test, auc, aucSe, foundAt1Percent, foundAt1PercentSe, foundAt10Percent, foundAt10PercentSe }) =>
        `  ${TESTS_IN_WORDS[test]}: AUC ${formatMeasured(auc, aucSe)}, finds ${percent(foundAt1Percent, foundAt1PercentSe)} at 1 % false alarms, ${percent(foundAt10Percent, foundAt10PercentSe)} at 10 %`,
    ),
    ...ofOptimalLines(summary),
    ...(summary.optimal === null ? [`  ${WEAKER_THAN_OPTIMAL}`] : []),
  ];
}

function keyLines({ keyCounts, datasets }: AttackSummary): string[] {
  const { sampleUniques, k, individualRisk, suda, diversity, release } = keyCounts;
  const uniques = release.reduce((sum, one) => sum + one.sampleUniques, 0) / datasets;
  return [
    `Counts of the keys (sdcMicro): ${formatQuantity(sampleUniques, 'sample unique')} in the table, ${formatFigure(uniques)} in a dataset; k ${formatCount(k)}`,
    `  individual risk of the table ${formatFigure(individualRisk.mean)} on average; largest SUDA score ${formatFigure(suda.scoreMax)}, DIS-SUDA ${formatFigure(suda.disScoreMax)}`,
    ...diversity.map(({ target, distinctL, entropyL, t }, i) => {
      const least = Math.min(...release.map((one) => one.diversity[i]!.distinctL));
      return `  ${target}: l of l-diversity ${formatCount(distinctL)} (by entropy ${formatFigure(entropyL)}; ${formatCount(least)} in a dataset at least), t of t-closeness ${formatFigure(t)}`;
    }),
  ];
}

/** Prints what `attack` found: the document as JSON, or lines for a person. */
export function printAttack(summary: AttackSummary, { copies, sampleUniques }: TableCopies, printing: Printing): void {
  if (printing.json) {
    process.stdout.write(`${JSON.stringify({ ...summary, copies }, null, 2)}\n`);
    return;
  }
  const { datasets, records, keys, target } = summary;
  const lines = [
    `What other tools measure, ${formatQuantity(datasets, 'dataset')} beside ${formatQuantity(records, 'record')}; known ${namesInWords(keys)}; sought ${namesInWords(target)}`,
    ...disclosureLines(summary),
    ...attackLines(summary),
    ...rapidLines(summary),
    ...nearestLines(summary),
    ...membershipLines(summary),
    ...riskutilityLines(summary),
    ...keyLines(summary),
    ...copiesLines(copies, sampleUniques),
    ...(summary.releaseSeReason === undefined ? [] : [`No errors over releases: ${summary.releaseSeReason}`]),
    '',
    'What each takes for granted and where it misleads: the report (--out), and docs/explanation/compared.md.',
  ];
  writeFindings(lines, printing);
}
