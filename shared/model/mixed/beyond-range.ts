import { logNormalMass } from '../../numeric/normal-mass.ts';
import { exp } from '../../numeric/portable-math.ts';
import { categoryOffsets } from '../../table/category-sizes.ts';
import type { ChainState } from '../chains/chain-sampler.ts';
import { normalParameters } from './mixed-draws.ts';
import type { MixedRows } from './mixed-rows.ts';

/**
 * Share of the numbers of each continuous variable, masses left out, that one draw of the parameters puts beyond the declared
 * range: those that the synthesizer draws again (docs/explanation/synthesizers.md, mixed).
 */
export function sharesBeyondRange(
  state: Pick<ChainState, 'weights' | 'probabilities' | 'latent'>,
  { sizes, continuous }: Pick<MixedRows, 'sizes' | 'continuous'>,
): number[] {
  const { weights, probabilities } = state;
  const offsets = categoryOffsets(sizes);
  return normalParameters(state).map(({ means, variances }, j) => {
    const { indicator } = continuous[j]!;
    let [beyond, all] = [0, 0];
    for (const [f, weight] of weights.entries()) {
      const held = weight * (indicator === null ? 1 : probabilities[offsets[indicator]! * weights.length + f]!);
      const deviation = Math.sqrt(variances[f]!);
      const within = exp(logNormalMass(-means[f]! / deviation, (1 - means[f]!) / deviation));
      all += held;
      beyond += held * Math.max(0, 1 - within);
    }
    return beyond / all;
  });
}
