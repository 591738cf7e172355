import type { MaskingMethod } from '../../shared/contracts/config/masking.ts';
import type { Table } from '../../shared/table/table.ts';
import { attack } from './attack.ts';
import { placesOf, tenOf, UNCORRELATED } from './claims.ts';
import { populationOf } from './sources.ts';

/** What is varied, one panel each. */
export const PANELS = {
  k: 'k',
  p: 'p (%)',
  variables: 'Variables compared',
  sample: 'Share of the file that is released',
  errors: 'Share of variables in error',
} as const;

/** A point of a panel. */
export interface SweepPoint {
  readonly panel: keyof typeof PANELS;
  readonly series: string;
  readonly at: number;
  readonly share: number;
}

const ranking = (k: number): MaskingMethod => ({ method: 'individual-ranking', k, aggregate: 'mean' });
const swap = (p: number): MaskingMethod => ({ method: 'rank-swap', p });
const noise: MaskingMethod = { method: 'noise', noise: 0.1 };

/** The re-identified share against k, p, the number of variables, the sampling fraction and the error rate. */
export function measureSweeps(table: Table, seeds: readonly number[], tell: (what: string) => void): SweepPoint[] {
  const three = placesOf(table, UNCORRELATED);
  const all = [...table.columns.keys()];
  const ten = tenOf(table);
  const ordered = [...three, ...all.filter((v) => !three.includes(v))];
  const few = seeds.slice(0, 2);
  const points: SweepPoint[] = [];
  const add = (panel: SweepPoint['panel'], series: string, at: number, share: number) => {
    points.push({ panel, series, at, share });
    tell(`${panel} ${at}, ${series}`);
  };
  for (const k of [3, 5, 10, 20, 50, 100, 200]) {
    add('k', 'ranking, 3 variables', k, attack(table, { how: ranking(k), variables: three }, seeds).share);
    add('k', 'MDAV, 13 variables', k, attack(table, { how: { method: 'mdav', k }, variables: all }, seeds).share);
  }
  for (const p of [0.5, 1, 2, 5, 10, 15, 20]) {
    add('p', 'swapping, 3 variables', p, attack(table, { how: swap(p), variables: three }, seeds).share);
    add('p', 'swapping, 13 variables', p, attack(table, { how: swap(p), variables: all }, few).share);
  }
  for (const count of [1, 2, 3, 5, 8, 13]) {
    const variables = ordered.slice(0, count);
    add('variables', 'ranking, k = 10', count, attack(table, { how: ranking(10), variables }, seeds).share);
    add('variables', 'swapping, p = 10', count, attack(table, { how: swap(10), variables }, few).share);
    add('variables', 'noise, d = 0.1', count, attack(table, { how: noise, variables }, few).share);
  }
  for (const times of [1, 10, 100, 1000]) {
    const population = populationOf(table, times, 1);
    const one = seeds.slice(0, 1);
    add('sample', 'ranking, k = 3', 1 / times, attack(table, { how: ranking(3), variables: ten, population }, one).share);
    if (times <= 10) add('sample', 'swapping, p = 5', 1 / times, attack(table, { how: swap(5), variables: ten, population }, one).share);
  }
  for (const errors of [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]) {
    const link = { tolerate: Math.max(3, Math.round(errors * ten.length)) };
    add('errors', 'ranking, k = 3', errors, attack(table, { how: ranking(3), variables: ten, errors, link }, few).share);
    add('errors', 'swapping, p = 5', errors, attack(table, { how: swap(5), variables: ten, errors, link }, few).share);
  }
  return points;
}
