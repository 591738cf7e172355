import { describe, expect, it } from 'vitest';
import type { ChainState } from '../../../shared/model/chains/chain-sampler.ts';
import { arealParameters } from '../../../shared/model/dp-areal/cells.ts';
import { compareJoint, shape } from './areal-joint.ts';

/** The state with its parameters changed in place of a copy. */
const changed = (change: (p: ReturnType<typeof arealParameters>) => void) => (state: ChainState) => {
  const latent = state.latent!.slice();
  change(arealParameters(latent, shape));
  return { ...state, latent };
};

describe('the sampler of DP-areal leaves the joint distribution of parameters and data as it is', () => {
  it.each([
    ['given a table, after one iteration', false, 1, 10_000],
    ['given a table, after four', false, 4, 5000],
    ['given a table and a dataset, after one iteration', true, 1, 10_000],
    ['given a table and a dataset, after four', true, 4, 5000],
  ])('%s', (_, released, iterations, replicates) => {
    const z = compareJoint(41, replicates, iterations, released);
    for (const [name, value] of Object.entries(z)) expect(Math.abs(value), name).toBeLessThan(4);
  });
});

describe('the test of the joint distribution finds', () => {
  it('a precision of the log rates that is a tenth too large', () => {
    const state = changed((p) => {
      p.precisions[0]! *= 1.1;
    });
    expect(compareJoint(42, 3000, 1, false, { state }).tauRates).toBeGreaterThan(5);
  });

  it('correlations that shrink', () => {
    const state = changed((p) => {
      for (let at = 0; at < 16; at++) if (at % 5 !== 0) p.correlations[at]! *= 0.9;
    });
    expect(compareJoint(43, 3000, 1, false, { state }).omegaSquared).toBeLessThan(-5);
  });

  it('coefficients that grow', () => {
    const state = changed((p) => {
      for (let at = 0; at < 15; at++) p.coefficients[at]! *= 1.2;
    });
    expect(compareJoint(44, 3000, 1, false, { state }).phiSquared).toBeGreaterThan(5);
  });

  it('a sampler that does not look at the dataset', () => {
    expect(Math.abs(compareJoint(45, 3000, 4, true, { withoutSynthetic: true }).shareTimesSynthetic)).toBeGreaterThan(5);
  });
});
