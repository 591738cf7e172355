import { gammaBelow } from '../../random/gamma-below.ts';
import type { RandomSource } from '../../random/random-source.ts';
import { normal } from '../../random/ziggurat.ts';
import { latentNumbers, normalParameters, normalSums } from './mixed-draws.ts';
import type { ContinuousPart } from './mixed-rows.ts';
import { type NormalPrior, normalPosterior } from './normal-prior.ts';

/**
 * Draws sigma2 and mu of every class and continuous variable given the values that the classes have (DeGroot 1970, section 9.6):
 * `latent` of a state.
 *
 * @param valueSums of the allocation behind it
 * @throws RangeError for a variance that is not a number
 */
export function drawNormals(
  valueSums: Float64Array,
  classes: number,
  continuous: readonly ContinuousPart[],
  prior: NormalPrior,
  random: RandomSource,
): Float64Array {
  const latent = new Float64Array(latentNumbers(continuous.length, classes));
  const parameters = normalParameters({ latent, weights: new Float64Array(classes) });
  for (const [j, { numbers, averages, squares }] of normalSums({ valueSums }, classes).entries()) {
    const { means, variances } = parameters[j]!;
    const least = continuous[j]!.smallest * continuous[j]!.smallest;
    for (let f = 0; f < classes; f++) {
      const { kappa, mean, shape, rate } = normalPosterior(prior, numbers[f]!, averages[f]!, squares[f]!);
      variances[f] = rate / gammaBelow(random, shape, rate / least);
      if (!(variances[f]! < Infinity)) throw new RangeError('the variance of a class is not a number');
      means[f] = mean + Math.sqrt(variances[f]! / kappa) * normal(random);
    }
  }
  return latent;
}
