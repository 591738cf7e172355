import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import { label } from '../page/label.ts';
import { percent, percentEstimate } from './figure.ts';

/** How near an intruder comes to the values of a continuous variable, with the release and without it. */
export function nearInWords(own: NonNullable<AttributeRiskSummary['continuousVariables']>[number]): Html {
  return html`${label(own.variable)}: an intruder who knows all else comes ${own.near} of the true value with probability ${percentEstimate(own, 'withinAfter')}, and ${percent(own, 'withinBefore')} without the release.`;
}
