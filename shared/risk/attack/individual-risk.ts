import { log } from '../../numeric/portable-math.ts';

/**
 * The probability that a link to a record is right, for an intruder who knows its keys and that the person is in the sample:
 * the individual risk of Benedetti and Franconi (1998) in the approximation of Franconi and Polettini (2004) that
 * sdcMicro's `indivRisk` takes by default.
 *
 * @param count of the table's records that share the keys, from 1
 * @param fraction of the population that is in the table, the same for all records, since there are no weights; null where
 * the table stands for the population: 1 by the count
 */
export function individualRisk(count: number, fraction: number | null): number {
  if (fraction === null) return 1 / count;
  if (count > 2) return fraction / (count - (1 - fraction));
  const odds = fraction / (1 - fraction);
  const bits = -log(fraction);
  return count === 1 ? odds * bits : odds - odds * odds * bits;
}
