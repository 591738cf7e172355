import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { figure, quantity, worded } from '../figures/figure.ts';
import { keyFigure } from '../page/facts.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatSetting } from '../words/format-number.ts';

/** The epsilon that is stated beside what this release tells; no section where none is stated. */
export function privacySection({ synthesis }: Summary, risk: AttributeRiskSummary): Section[] {
  const { epsilon } = risk;
  if (epsilon === undefined) return [];
  const body = html`
<dl class="figures">
${keyFigure('Epsilon, stated', worded(risk, 'epsilon', formatSetting(epsilon)), html`for all ${quantity(synthesis, 'datasets', 'dataset')} together, in nats`)}
${keyFigure('Privacy loss of this release, largest', figure(risk, 'privacyLossMax'), html`median over records: ${figure(risk, 'privacyLossMedian')}`)}
${keyFigure('Probability of the truth, largest', figure(risk, 'probabilityMax'), 'all candidates equally likely beforehand')}
</dl>
<p>Epsilon is a bound for every table of this size and every release: no record changes the logarithm of the probability of
any release by more. The privacy loss is what single records do to the probability of this one, over the candidates that
the intruder considers: it is never larger, and it is no guarantee for other releases.</p>
<p>Epsilon rests on three things. The number of records is public. The categories are those that were declared, not those that were
found in the table. And it is a statement of the exact distribution: rounding and random numbers of a program are
outside of it. It covers the datasets alone. This page and its tables are found from the confidential table.</p>`;
  const answer = html`Differential privacy of epsilon ${worded(risk, 'epsilon', formatSetting(epsilon))} is stated; this release reveals less, a privacy loss of ${figure(risk, 'privacyLossMax')} at most.`;
  return [{ id: 'privacy', title: 'Differential privacy', answer, body }];
}
