import type { Summary } from '../../shared/contracts/results/summary.ts';
import type { JudgedMeasure } from '../../shared/contracts/settings/acceptance-rule.ts';
import { formatQuantity, formatRuled } from '../../shared/report/words/format-number.ts';

/**
 * Results of acceptance rules as lines, an empty one before each.
 *
 * @param ofSeveral whether there are several scenarios, of which the one that a value is of is then told
 */
export function acceptanceLines(results: Summary['acceptance'], ofSeveral: boolean): string[] {
  return results.flatMap(({ rule, scenario, value, met, reason }) => {
    const whose = ofSeveral && scenario !== null ? `, scenario "${scenario}"` : '';
    return [
      '',
      `Acceptance: ${rule}: ${met ? 'met' : 'NOT MET'} (${value === null ? 'undefined' : formatRuled(value)}${whose})${reason === undefined ? '' : `: ${reason}`}`,
    ];
  });
}

/** The exit code that acceptance rules lead to, and datasets that cannot be assessed. */
export const acceptanceExit = (results: Summary['acceptance'], assessable = true): 0 | 4 =>
  assessable && results.every(({ met }) => met) ? 0 : 4;

/** Tells on standard error that rules of other measures were not applied. */
export function noticeOtherRules({ rulesOfOthers }: JudgedMeasure, quiet: boolean): void {
  if (rulesOfOthers === 0 || quiet) return;
  process.stderr.write(`Notice: not judged here, being of other measures: ${formatQuantity(rulesOfOthers, 'acceptance rule')}\n`);
}
