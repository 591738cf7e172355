import { describe, expect, it } from 'vitest';
import { configSchema, membershipReason } from '../../../shared/contracts/config/config.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';

describe('configSchema', () => {
  it('fills in the defaults that the command line documents', () => {
    expect(configSchema.parse({})).toEqual({
      seed: 1,
      variables: {},
      model: { name: 'dpmpm', classes: 40, concentration: { shape: 0.25, rate: 0.25 } },
      mcmc: {
        precision: 'default',
        chains: 32,
        burnIn: 1000,
        draws: 20,
        thin: 10,
        pairedChains: 24,
        pairedDraws: 20,
        pairedThin: 10,
        reproducibility: { of: 'rank', target: 0.97 },
        maxChains: { times: 4 },
      },
      synthesis: { datasets: 5, chains: 'own', synthesized: 'all', missing: 'refuse' },
      attributeRisk: {
        estimator: 'augmented',
        phi: 'integrated',
        slope: 1,
        acceptanceRegion: [],
        scenarios: [{ name: 'one-change', candidates: 'one-change', prior: 'uniform' }],
      },
      identification: [],
      utility: { ways: [1, 2, 3], propensity: ['main', 'pairs', 'tree'], permutations: 10, heldOut: 0.2, bands: 5, records: 100_000 },
      acceptance: [],
    });
  });

  it('fills in the rest of a section of which one field is given', () => {
    const { mcmc } = configSchema.parse({ mcmc: { chains: 4 } });
    expect(mcmc).toMatchObject({ chains: 4, burnIn: 1000 });
  });

  it('takes the numbers of the named precision, except where others are given', () => {
    const { mcmc } = configSchema.parse({ mcmc: { precision: 'quick', draws: 99 } });
    expect(mcmc).toMatchObject({ precision: 'quick', chains: 12, burnIn: 500, draws: 99, pairedChains: 8 });
  });

  const rank = (target: number) => ({ of: 'rank', target });
  const [fourfold, named] = [{ times: 4 }, 1000];
  it.each([
    [{}, rank(0.97), fourfold],
    [{ precision: 'high' }, rank(0.99), fourfold],
    [{ precision: 'quick' }, 'off', fourfold],
    // Numbers of chains that are named are what is wanted; those of draws say nothing of chains.
    [{ chains: 16 }, 'off', fourfold],
    [{ precision: 'high', pairedChains: 4 }, 'off', fourfold],
    [{ draws: 20, burnIn: 50 }, rank(0.97), fourfold],
    [{ reproducibility: 'off' }, 'off', fourfold],
    [{ reproducibility: 0.9 }, rank(0.9), named],
    [{ chains: 16, reproducibility: rank(0.9) }, rank(0.9), named],
    [{ precision: 'quick', reproducibility: { of: 'probability', target: 0.98 } }, { of: 'probability', target: 0.98 }, named],
    [{ maxChains: 200 }, rank(0.97), 200],
    [{ reproducibility: 0.9, maxChains: { times: 2.5 } }, rank(0.9), { times: 2.5 }],
  ])('decides by %j what rounds of chains are to reach, and how many chains at most', (mcmc, target, most) => {
    const config = configSchema.parse({ mcmc });
    expect(config.mcmc).toMatchObject({ reproducibility: target, maxChains: most });
    expect(configSchema.parse(config)).toEqual(config);
  });

  it('fills in the defaults of the model that is named', () => {
    expect(configSchema.parse({ model: { name: 'dp-areal', clusters: 9 } }).model).toEqual({
      name: 'dp-areal',
      clusters: 9,
      concentration: { shape: 1, rate: 1 },
    });
    expect(configSchema.parse({ model: { name: 'cart' } }).model).toEqual({
      name: 'cart',
      minimumLeaf: 5,
      complexity: 1e-8,
      predictors: 'kept',
      smoothing: false,
      proper: false,
    });
  });

  it('considers every value of the synthesized variables where others are kept, unless told otherwise', () => {
    const synthesis = { synthesized: ['B', 'A'] };
    const candidatesOf = (attributeRisk: object) =>
      configSchema.parse({ synthesis, attributeRisk }).attributeRisk.scenarios.map((one) => one.candidates);
    expect(candidatesOf({})).toEqual([{ unknown: ['B', 'A'] }]);
    const candidates = { unknown: ['A'] };
    expect(candidatesOf({ candidates })).toEqual([candidates]);
  });

  it.each([
    { mcmc: { precision: 'high', chains: 5 } },
    { model: { name: 'cart', complexity: 0.01 }, synthesis: { synthesized: ['A', 'B'] } },
    {
      synthesis: { synthesized: ['A'], structuralZeros: 'zeros.csv' },
      identification: [
        { known: ['B'], radius: { A: 0.1 } },
        { known: ['B', 'C'], radius: { A: 'abs:5' } },
      ],
    },
  ])('leaves a complete config as it is: %j', (settings) => {
    const config = configSchema.parse(settings);
    expect(configSchema.parse(config)).toEqual(config);
  });

  it('gives the same text for the same fields in another order', () => {
    const one = configSchema.parse({ seed: 2, mcmc: { thin: 3, chains: 4 }, model: { classes: 9 } });
    const other = configSchema.parse({ model: { classes: 9 }, mcmc: { chains: 4, thin: 3 }, seed: 2 });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it.each([
    [{ sead: 1 }],
    [{ model: { clases: 40 } }],
    [{ model: { concentration: { shape: 1, rate: 1, value: 1 } } }],
    [{ mcmc: { burnin: 10 } }],
    [{ model: { name: 'cart', classes: 40 } }],
    [{ model: { minimumLeaf: 5 } }],
    [{ synthesis: { structuralZero: 'zeros.csv' } }],
    [{ identification: [{ knows: ['A'], known: ['A'] }] }],
    [{ attributeRisk: { candidate: 'one-change' } }],
    [{ attributeRisk: { candidates: { unknown: ['A'], known: ['B'] } } }],
    [{ variables: { A: { kind: 'continuous' } } }],
  ])('refuses an unknown field: %j', (settings) => {
    expect(configSchema.safeParse(settings).success).toBe(false);
  });

  it.each([
    [{ seed: -1 }],
    [{ seed: 1.5 }],
    [{ model: { name: 'areal' } }],
    [{ model: { classes: 0 } }],
    [{ model: { concentration: { value: 0 } } }],
    [{ mcmc: { chains: 1 } }],
    [{ mcmc: { draws: 3 } }],
    [{ mcmc: { thin: 0 } }],
    [{ mcmc: { pairedChains: 1 } }],
    [{ mcmc: { precision: 'highest' } }],
    [{ mcmc: { reproducibility: 1 } }],
    [{ mcmc: { reproducibility: 'on' } }],
    [{ mcmc: { reproducibility: { of: 'order', target: 0.9 } } }],
    [{ mcmc: { reproducibility: { of: 'rank' } } }],
    [{ mcmc: { reproducibility: { of: 'rank', target: 0 } } }],
    [{ mcmc: { maxChains: { times: 0.5 } } }],
    [{ mcmc: { maxChains: 0 } }],
    [{ synthesis: { datasets: 0 } }],
    [{ model: { name: 'cart', minimumLeaf: 0 } }],
    [{ model: { name: 'dp-areal', clusters: 0 } }],
    [{ synthesis: { missing: 'drop' } }],
    [{ synthesis: { synthesized: [] } }],
    [{ synthesis: { synthesized: 'A' } }],
    [{ identification: {} }],
    [{ attributeRisk: { candidates: 'three-changes' } }],
    [{ attributeRisk: { candidates: { unknown: [] } } }],
    [{ attributeRisk: { prior: 'jeffreys' } }],
    [{ attributeRisk: { prior: { file: [] } } }],
    [{ attributeRisk: { slope: 0 } }],
    [{ variables: { A: { categories: [1, 2] } } }],
  ])('refuses what it cannot do: %j', (settings) => {
    expect(configSchema.safeParse(settings).success).toBe(false);
  });

  it.each([
    [-0.1, '✖ Too small: expected number to be >=0\n'],
    ['abs:-5', '✖ expected a share such as 0.1, or abs: and a distance such as abs:500\n'],
  ])('says of the radius %j only what is wrong with one of its kind', (radius, message) => {
    const settings = { table: 't.csv', identification: [{ known: ['A'], radius: { A: radius } }] };
    expect(() => completeConfig(settings)).toThrow(message);
  });

  it('says of a single break that bands are two at least', () => {
    const settings = { table: 't.csv', variables: { A: { breaks: [1] } } };
    expect(() => completeConfig(settings)).toThrow('✖ expected where each of two bands or more begins\n');
  });
});

describe('membershipReason()', () => {
  it('says why chains find nothing of who is in the table', () => {
    const reasonOf = (settings: object) => membershipReason(configSchema.parse(settings));
    expect(reasonOf({})).toBeNull();
    expect(reasonOf({ attributeRisk: { estimator: 'importance' } })).toMatch(/`importance` has no expectation/);
    expect(reasonOf({ synthesis: { synthesized: ['a'] } })).toMatch(/variables are kept/);
  });
});
