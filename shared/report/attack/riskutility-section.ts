import type { AttackSummary } from '../../contracts/results/attack.ts';
import { count, figure, percent, percentEstimate, withError } from '../figures/figure.ts';
import { type Html, html } from '../page/html.ts';
import { shortened } from '../page/label.ts';
import type { Section } from '../page/section.ts';
import { labelledTable } from '../page/table.ts';
import { COPIES_IN_WORDS, rapidRuleInWords } from '../words/attack-in-words.ts';

/** riskutility's measures that no other tool has. */
export function riskutilitySection({ riskutility, keyCounts, rapid }: AttackSummary): Section {
  const { mean, meanSe, datasets, targets, reason, linkageReason } = riskutility;
  const { release, ...ofTable } = keyCounts;
  const shown = (one: typeof mean, name: keyof typeof mean, of: object | null): Html | string =>
    one[name] === null ? 'none' : withError(one, name, of, 'percent');
  const files = [['table', ofTable] as const, ...release.map((one, l) => [`dataset ${l + 1}`, one] as const)];
  const rules = rapid.flatMap((one) => one.rules.map((rule) => ({ target: one.target, rule })));
  const body = html`
<p>The other measures of the R package riskutility. Adversarial accuracy compares ${count(riskutility, 'records')} records, rows of each dataset
and people of the control. Means over datasets have standard errors over releases; that of the privacy loss holds people as well.${reason === undefined ? '' : ` ${reason}`}</p>
${labelledTable(
  'attack-riskutility',
  'How near rows are to people',
  ['Measure', 'Mean', ...(datasets.length > 1 ? datasets.map((_, l) => `Dataset ${l + 1}`) : []), { words: 'Meaning' }],
  COPIES_IN_WORDS.map(([name, label, meaning]) => [
    label,
    shown(mean, name, meanSe),
    ...(datasets.length > 1 ? datasets.map((one) => shown(one, name, null)) : []),
    meaning,
  ]),
)}
${linkageReason === undefined ? [] : html`<p class="note">There is no record linkage. ${linkageReason}</p>`}
${labelledTable(
  'attack-beliefs',
  'What keys reveal about a target: positive information disclosure (PID), and maximum information leakage in bits',
  ['Target', 'PID, mean', 'PID, largest', 'Leakage of a dataset', 'Of the table'],
  targets.map((one) => [
    shortened(one.target),
    ...(['pidMean', 'pidMax', 'maxInfoLeakage', 'maxInfoLeakageOriginal'] as const).map((name) =>
      withError(one.mean, name, one.meanSe, 'number'),
    ),
  ]),
)}
${
  rules.length === 0
    ? []
    : labelledTable(
        'attack-rapid-rules',
        'Share of people whose target is predicted, by other rules of RAPID',
        ['Target', 'Predicted where', 'Table', 'Control', 'Difference'],
        rules.map(({ target, rule }) => [
          shortened(target),
          rapidRuleInWords(rule),
          percentEstimate(rule, 'confidenceRate'),
          rule.control === null ? 'no control' : percentEstimate(rule, 'control'),
          rule.control === null ? 'no control' : percentEstimate(rule, 'difference'),
        ]),
      )
}
${labelledTable(
  'attack-uniqueness',
  'Surprisal of keys in bits, and the probability that a record which is alone with its keys is so in the population, by three formulas',
  ['File', 'Surprisal, mean', 'Largest', 'Share of the population', 'Pitman', 'Zayatz', 'Negative binomial'],
  files.map(([name, { surprisal, sampleUniques, populationUniqueness: of }]) => [
    name,
    figure(surprisal, 'mean'),
    figure(surprisal, 'max'),
    percent(of, 'samplingFraction'),
    ...[of.pitman, of.zayatz, of.snb].map((formula) => (sampleUniques === 0 ? 'no record is alone' : percent(formula, 'pUnique'))),
  ]),
)}`;
  return { id: 'riskutility', title: 'As riskutility measures it', body };
}
