import { categoricalFromSums } from '../../random/distributions.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { isImpossible, type Support } from '../../table/support/support.ts';
import type { ChainState } from '../chains/chain-sampler.ts';
import { categorySums } from './category-sums.ts';

/**
 * Fully synthetic records drawn from one draw of the parameters: a class from pi, then every variable from
 * its phi in that class (000 section 2). A record that is impossible is drawn again, class and all: possible records
 * have the distribution truncated to them.
 *
 * @param sizes number of categories of each variable
 * @param support the possible cells, when some are not
 * @returns codes, records x variables
 */
export function synthesizeRecords(
  state: Pick<ChainState, 'weights' | 'probabilities'>,
  sizes: readonly number[],
  records: number,
  random: RandomSource,
  support?: Support,
): Uint16Array {
  const variables = sizes.length;
  const classes = state.weights.length;
  const classSums = runningSums(state.weights);
  const sums = categorySums(state, sizes);
  const codes = new Uint16Array(records * variables);
  for (let i = 0; i < records; i++) {
    do {
      const f = categoricalFromSums(random, classSums, 0, classes);
      for (let k = 0; k < variables; k++) {
        codes[i * variables + k] = categoricalFromSums(random, sums[k]!, f * sizes[k]!, sizes[k]!);
      }
    } while (support !== undefined && isImpossible(support, codes, i * variables, sizes));
  }
  return codes;
}

function runningSums(weights: Float64Array): Float64Array {
  let sum = 0;
  return weights.map((weight) => {
    sum += weight;
    return sum;
  });
}
