import { log1p } from '../../numeric/portable-math.ts';
import { KEPT_HALF, keptEvaluations } from '../attribute/kept-evaluations.ts';
import { cellGain, type CountedRelease } from './exact-terms.ts';

/**
 * The likelihood ratio of persons' being in the table under a model of counts, in bits and in closed form
 * (docs/explanation/membership.md, models of counts). All evaluations but those without a dataset are the same.
 *
 * @param codes persons x variables
 * @param inTable 1 where the persons' own records are in the table, 0 where they are not
 * @returns persons x keptEvaluations
 */
export function exactMembership(release: CountedRelease, codes: Uint16Array, inTable: 0 | 1): Float64Array {
  const { sizes, alpha, counts, drawn, find } = release;
  const variables = sizes.length;
  const persons = codes.length / variables;
  const datasets = drawn.length < 2 ? 0 : drawn.length;
  const width = keptEvaluations(datasets);
  const others = counts.reduce((sum, count) => sum + count, 0) - inTable;
  const added = sizes.reduce((cells, size) => cells * size, alpha);
  // What one record more takes of the share of every cell, for each synthetic record.
  const perRecord = log1p(1 / (others + added));
  const lost = drawn.map((ofDataset) => ofDataset.reduce((sum, count) => sum + count, 0) * perRecord);
  const bits = new Float64Array(persons * width);
  for (let person = 0; person < persons; person++) {
    const place = find(codes, person * variables);
    const gained = drawn.map((ofDataset, l) => (cellGain(release, ofDataset, place, inTable) - lost[l]!) / Math.LN2);
    const whole = gained.reduce((sum, own) => sum + own, 0);
    const at = person * width;
    bits.fill(whole, at, at + KEPT_HALF + 1);
    for (let l = 0; l < datasets; l++) bits[at + KEPT_HALF + 1 + l] = whole - gained[l]!;
  }
  return bits;
}
