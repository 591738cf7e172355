import { categoricalFromSums } from '../../shared/random/distributions.ts';
import type { RandomSource } from '../../shared/random/random-source.ts';
import type { Combinations } from '../../shared/table/combinations.ts';
import { combinationsFromCodes } from '../../shared/table/distinct-rows.ts';
import { dirichlet } from '../plain/dirichlet.ts';

/** Categories of the 14 variables of Hu et al. (2014), in the order of their Table 1. */
export const PUBLISHED_SIZES = [2, 4, 6, 4, 5, 2, 7, 3, 3, 2, 2, 3, 3, 2];

const RECORDS = 10_000;
const CLASSES = 30;

/** Shape of the classes' weights: uniform over all that add up to one. */
const WEIGHT_SHAPE = 1;

/** Within a class, how sure a variable is of its category: the smaller, the surer. */
const WITHIN_SHAPE = 0.65;

/** How the categories of a variable fall off from the most common one, as a power of their place. */
const FALL_OFF = 2.3;

/**
 * A table with what Hu et al. (2014) say of theirs (section 4): 10,000 records, 14 variables, and about 3,523 combinations of which
 * 2,394 occur once. Records belong to classes with multinomials of their own, around margins that all classes share.
 */
export function simulatedTable(random: RandomSource): Combinations {
  const weights = runningSums(dirichlet(random, new Float64Array(CLASSES).fill(WEIGHT_SHAPE)));
  const sums = PUBLISHED_SIZES.map((size) => {
    const margin = Float64Array.from({ length: size }, (_, place) => (place + 1) ** -FALL_OFF);
    const total = margin.reduce((sum, value) => sum + value, 0);
    return Array.from({ length: CLASSES }, () =>
      runningSums(
        dirichlet(
          random,
          margin.map((value) => (WITHIN_SHAPE * size * value) / total),
        ),
      ),
    );
  });
  const variables = PUBLISHED_SIZES.length;
  const codes = new Uint16Array(RECORDS * variables);
  for (let record = 0; record < RECORDS; record++) {
    const own = categoricalFromSums(random, weights, 0, CLASSES);
    for (const [k, size] of PUBLISHED_SIZES.entries()) {
      codes[record * variables + k] = categoricalFromSums(random, sums[k]![own]!, 0, size);
    }
  }
  return combinationsFromCodes(codes, RECORDS, variables).combinations;
}

function runningSums(values: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}
