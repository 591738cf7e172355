import { describe, expect, it } from 'vitest';
import { InvalidConfigError, UnsupportedOptionError } from '../../../shared/contracts/errors.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';

const cart = { model: { name: 'cart' }, synthesis: { synthesized: ['A', 'B'] } };
const areal = { model: { name: 'dp-areal' }, synthesis: { synthesized: ['A'] } };
const partial = { synthesis: { synthesized: ['A', 'B'] } };

describe('completeConfig()', () => {
  it.each([
    cart,
    areal,
    partial,
    { ...partial, attributeRisk: { scenarios: [{ name: 'lacks B', candidates: { unknown: ['B'] } }] } },
    { ...areal, mcmc: { chains: 4 }, attributeRisk: { estimator: 'parameters' } },
    { mcmc: { maxChains: 50 } },
    { model: { classes: 65_535 }, synthesis: { datasets: 1000 } },
    { mcmc: { chains: 8, reproducibility: 'off' } },
    { synthesis: { missing: 'impute', structuralZeros: 'zeros.csv' } },
    // What flags give when none is set.
    { ...cart, mcmc: { chains: undefined }, attributeRisk: { slope: undefined } },
  ])('takes what fits together: %j', (settings) => {
    expect(completeConfig(settings)).toMatchObject(JSON.parse(JSON.stringify(settings)));
  });

  it.each([
    ['nothing-kept', InvalidConfigError, { model: { name: 'dp-areal' } }],
    ['nothing-kept', InvalidConfigError, { inherent: {} }],
    ['impute-without-model', UnsupportedOptionError, { synthesis: { synthesized: ['A'], missing: 'impute' }, inherent: {} }],
    ['no-rounds', InvalidConfigError, { mcmc: { precision: 'quick', maxChains: 50 } }],
    ['no-rounds', InvalidConfigError, { mcmc: { chains: 8, maxChains: { times: 2 } } }],
    ['no-rounds', InvalidConfigError, { mcmc: { reproducibility: 'off', maxChains: 50 } }],
    ['too-many-chains', InvalidConfigError, { mcmc: { chains: Number.MAX_SAFE_INTEGER } }],
    ['too-many-chains', InvalidConfigError, { mcmc: { maxChains: Number.MAX_SAFE_INTEGER } }],
    ['too-many-chains', InvalidConfigError, { synthesis: { datasets: 900_000_000 } }],
    ['too-many-chains', InvalidConfigError, { ...cart, synthesis: { ...cart.synthesis, datasets: 900_000_000 } }],
    // Their numbers are kept in 16 bits.
    ['invalid-config', InvalidConfigError, { model: { classes: 65_536 } }],
    ['one-variable', InvalidConfigError, { ...areal, ...partial }],
    ['repeated-variable', InvalidConfigError, { synthesis: { synthesized: ['A', 'A'] } }],
    ['impute-without-dpmpm', UnsupportedOptionError, override(cart, { missing: 'impute' })],
    ['impute-without-dpmpm', UnsupportedOptionError, override(areal, { missing: 'impute' })],
    ['zeros-without-dpmpm', UnsupportedOptionError, override(cart, { structuralZeros: 'zeros.csv' })],
    ['not-of-cart', UnsupportedOptionError, override(cart, { chains: 'own' })],
    ['candidates-without-trees', UnsupportedOptionError, { variables: { A: { candidates: { grid: [1, 2] } } } }],
    ['not-of-cart', UnsupportedOptionError, { ...cart, mcmc: { draws: 8 } }],
    ['not-of-cart', UnsupportedOptionError, { ...cart, mcmc: { precision: 'high' } }],
    ['not-of-cart', UnsupportedOptionError, { ...cart, attributeRisk: { estimator: 'augmented' } }],
    ['not-of-cart', UnsupportedOptionError, { ...cart, attributeRisk: { phi: 'drawn' } }],
    ['candidates-of-trees', UnsupportedOptionError, { ...cart, attributeRisk: { candidates: 'two-changes' } }],
    ['candidates-of-trees', UnsupportedOptionError, { ...cart, attributeRisk: { candidates: 'all-cells' } }],
    ['unknown-but-kept', InvalidConfigError, { ...cart, attributeRisk: { candidates: { unknown: ['A', 'C'] } } }],
    ['prior-of-trees', UnsupportedOptionError, { ...cart, attributeRisk: { candidates: { unknown: ['A'] }, prior: 'empirical' } }],
    ['not-of-cart', UnsupportedOptionError, { ...cart, attributeRisk: { slope: 1 } }],
    ['candidates-of-kept-variables', UnsupportedOptionError, { ...partial, attributeRisk: { candidates: 'all-cells' } }],
    ['unknown-but-kept', InvalidConfigError, { ...partial, attributeRisk: { candidates: { unknown: ['A', 'C'] } } }],
  ] as const)('refuses with %s what does not', (code, NamedError, settings) => {
    const refused = () => completeConfig(settings);
    expect(refused).toThrow(NamedError);
    expect(refused).toThrow(expect.objectContaining({ code }));
  });
});

function override(settings: { model: object; synthesis: object }, synthesis: object) {
  return { ...settings, synthesis: { ...settings.synthesis, ...synthesis } };
}
