import type { AttributeRiskSummary, Summary } from '../../contracts/results/summary.ts';
import { html } from '../page/html.ts';
import type { Section } from '../page/section.ts';
import { formatFigure, formatQuantity, formatSetting } from '../words/format-number.ts';
import { keyFigure } from './verdict-section.ts';

/** The epsilon that is stated beside what this release tells; no section where none is stated. */
export function privacySection({ synthesis }: Summary, risk: AttributeRiskSummary): Section[] {
  const { epsilon, privacyLossMax, privacyLossMedian } = risk;
  if (epsilon === undefined) return [];
  const body = html`
<dl class="figures">
${keyFigure('Epsilon, stated', formatSetting(epsilon), `for all ${formatQuantity(synthesis.datasets, 'dataset')} together, in nats`)}
${keyFigure('Privacy loss of this release, largest', formatFigure(privacyLossMax!), `median over records: ${formatFigure(privacyLossMedian!)}`)}
${keyFigure('Probability of the truth, largest', formatFigure(risk.probabilityMax), 'all candidates equally likely beforehand')}
</dl>
<p>Epsilon is a bound for every table of this size and every release: no record changes the logarithm of the probability of
any release by more. The privacy loss is what single records do to the probability of this one, over the candidates that
the intruder considers: it is never larger, and it is no guarantee for other releases.</p>
<p>Epsilon rests on three things. The number of records is public. The categories are those that were declared, not those that were
found in the table. And it is a statement of the exact distribution: rounding and random numbers of a program are
outside of it. It covers the datasets alone. This page and its tables are found from the confidential table.</p>`;
  return [{ id: 'privacy', title: 'Differential privacy', body }];
}
