import { expect, it } from 'vitest';
import { attackOutcome } from '../../../shared/risk/attack/attack-outcome.ts';

const Z = 1.959963984540054;
/** Wilson's centre (1927) and a standard error, half of the interval by its quantile. */
const wilson = (n: number, s: number) => ({
  rate: (s + (Z * Z) / 2) / (n + Z * Z),
  se: Math.sqrt((s * (n - s)) / n + (Z * Z) / 4) / (n + Z * Z),
});
const tries = (attempts: number, successes: number) => ({ attempts, successes });
const named = { attack: 'inference', dataset: 1 } as const;

it('has the rates of table, baseline and control, and what the table gives beyond the control, each with its error', () => {
  const given = { table: tries(50, 30), baseline: tries(40, 4), control: tries(60, 12) };
  const [table, baseline, control] = [wilson(50, 30), wilson(40, 4), wilson(60, 12)];
  const left = 1 - control.rate;
  // The derivatives of (a - c) / (1 - c) by a and by c.
  const riskSe = Math.hypot(table.se / left, (control.se * (table.rate - 1)) / (left * left));
  const risk = (table.rate - control.rate) / left;
  const close = (value: number) => expect.closeTo(value, 12);
  expect(attackOutcome(named, given)).toMatchObject({
    ...named,
    attempts: 50,
    successes: 30,
    rate: close(table.rate),
    rateSe: close(table.se),
    rateLow: close(table.rate - Z * table.se),
    rateHigh: close(table.rate + Z * table.se),
    risk: close(risk),
    riskSe: close(riskSe),
    low: close(risk - Z * riskSe),
    high: close(risk + Z * riskSe),
    baseline: close(baseline.rate),
    baselineSe: close(baseline.se),
    control: close(control.rate),
    controlSe: close(control.se),
  });
  expect(attackOutcome(named, { ...given, control: null })).toMatchObject({
    risk: close(table.rate),
    riskSe: close(table.se),
    control: null,
    controlSe: null,
  });
});
