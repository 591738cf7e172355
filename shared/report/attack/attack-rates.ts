import type { AttackOutcome } from '../../contracts/results/attack.ts';
import { CHART_COLOURS, type Chart } from '../charts/chart.ts';
import { attackInWords } from '../words/attack-in-words.ts';
import { formatPercent } from '../words/format-number.ts';

/** One attack over all datasets: means, and the interval from the lowest to the highest end. */
export interface AttackRates {
  readonly name: string;
  readonly attempts: number;
  readonly successes: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  readonly baseline: number;
  readonly control: number | null;
  readonly risk: number;
  readonly riskLow: number;
  readonly riskHigh: number;
}

/** The attacks of a release, each over all of its datasets. */
export function attackRates(outcomes: readonly AttackOutcome[]): AttackRates[] {
  const byName = new Map<string, AttackOutcome[]>();
  for (const one of outcomes) {
    const name = attackInWords(one);
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  return [...byName].map(([name, own]) => {
    const mean = (of: (one: AttackOutcome) => number) => own.reduce((sum, one) => sum + of(one), 0) / own.length;
    return {
      name,
      attempts: own.reduce((sum, one) => sum + one.attempts, 0),
      successes: own.reduce((sum, one) => sum + one.successes, 0),
      rate: mean((one) => one.rate),
      low: Math.min(...own.map(({ rateLow }) => rateLow)),
      high: Math.max(...own.map(({ rateHigh }) => rateHigh)),
      baseline: mean((one) => one.baseline),
      control: own.some(({ control }) => control === null) ? null : mean((one) => one.control!),
      risk: mean((one) => one.risk),
      riskLow: Math.min(...own.map(({ low }) => low)),
      riskHigh: Math.max(...own.map(({ high }) => high)),
    };
  });
}

/** Height in pixels of a chart of so many attacks. */
export const ratesHeight = (attacks: number): number => attacks * 34 + 70;

/** How often each attack succeeds, beside guessing and the control. */
export function attackRatesChart(rates: readonly AttackRates[]): Chart {
  const y = { field: 'name', type: 'ordinal', sort: null, title: null, axis: { grid: true, labelFontSize: 11, labelLimit: 170 } } as const;
  const x = (field: string) =>
    ({ field, type: 'quantitative', title: 'Share of attempts that succeed', axis: { format: '.0%', tickCount: 5 } }) as const;
  const points = (field: string, color: string, shape: string, data: readonly AttackRates[]) => ({
    data: { values: [...data] },
    mark: { type: 'point', filled: true, shape, size: 60, opacity: 1, color } as const,
    encoding: { y, x: x(field) },
  });
  return {
    table: {
      heads: ['Attack', 'Succeeds', 'By guessing', 'Against the control'],
      rows: rates.map(({ name, rate, baseline, control }) => [
        name,
        formatPercent(rate),
        formatPercent(baseline),
        control === null ? 'none' : formatPercent(control),
      ]),
    },
    label: `How often attacks succeed. ${rates
      .map(
        ({ name, rate, baseline, control }) =>
          `${name}: ${formatPercent(rate)}, by guessing ${formatPercent(baseline)}${control === null ? '' : `, against the control ${formatPercent(control)}`}`,
      )
      .join('; ')}.`,
    spec: {
      layer: [
        {
          data: { values: [...rates] },
          mark: { type: 'rule', strokeWidth: 3, strokeCap: 'round', color: CHART_COLOURS.mark },
          encoding: { y, x: x('low'), x2: { field: 'high' } },
        },
        points('rate', CHART_COLOURS.mark, 'circle', rates),
        points('baseline', CHART_COLOURS.quiet, 'square', rates),
        points(
          'control',
          CHART_COLOURS.reference,
          'diamond',
          rates.filter(({ control }) => control !== null),
        ),
      ],
    },
  };
}
