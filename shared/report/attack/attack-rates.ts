import type { AttackOutcome } from '../../contracts/results/attack.ts';
import { CHART_COLOURS, type Chart, layer, listed, names, numbers, rule } from '../charts/chart.ts';
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

/** How often each attack succeeds, beside guessing and the control. */
export function attackRatesChart(rates: readonly AttackRates[]): Chart {
  const y = names('name', { grid: true, labelFontSize: 11, labelLimit: 170 });
  const x = numbers('Share of attempts that succeed', { axis: { format: '.0%', tickCount: 5 } });
  const points = (field: 'rate' | 'baseline' | 'control', color: string, shape: string) =>
    layer(
      rates.filter((one) => one[field] !== null),
      { type: 'point', filled: true, shape, size: 60, opacity: 1, color },
      { y, x: x(field) },
    );
  return {
    height: rates.length * 34 + 70,
    table: {
      heads: ['Attack', 'Succeeds', 'By guessing', 'Against the control'],
      rows: rates.map(({ name, rate, baseline, control }) => [
        name,
        formatPercent(rate),
        formatPercent(baseline),
        control === null ? 'none' : formatPercent(control),
      ]),
    },
    label: listed(
      'How often attacks succeed.',
      rates.map(
        ({ name, rate, baseline, control }) =>
          `${name}: ${formatPercent(rate)}, by guessing ${formatPercent(baseline)}${control === null ? '' : `, against the control ${formatPercent(control)}`}`,
      ),
    ),
    spec: {
      layer: [
        layer(rates, { ...rule(CHART_COLOURS.mark, 3), strokeCap: 'round' }, { y, x: x('low'), x2: { field: 'high' } }),
        points('rate', CHART_COLOURS.mark, 'circle'),
        points('baseline', CHART_COLOURS.quiet, 'square'),
        points('control', CHART_COLOURS.reference, 'diamond'),
      ],
    },
  };
}
