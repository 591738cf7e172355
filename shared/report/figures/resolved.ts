import type { AttributeRiskSummary } from '../../contracts/results/summary.ts';
import { type Html, html } from '../page/html.ts';
import { percentEstimate } from './figure.ts';

/** How much of the intruder's uncertainty the release resolves, where that is defined. */
export function resolvedInWords(risk: AttributeRiskSummary): Html {
  return html`The release resolves ${percentEstimate(risk, 'uncertaintyResolved')} of the intruder’s uncertainty about the true values.`;
}

/** What the ends of the scale are, whatever the table. */
export const RESOLVED_SCALE = '0\u00a0%: an independent release; 100\u00a0%: the table itself';
