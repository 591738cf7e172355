import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainsToReach, expectedWith, withinLimit } from '../../../shared/pipeline/rounds/chain-growth.ts';

/** Agreement of evaluations whose records vary by 1, base chains by `base` and paired chains by `pairs`. */
function agreement(base: number, pairs: number) {
  return { all: 1 / (1 + base + pairs), base: (1 + pairs) / (1 + base + pairs) };
}

const now = { chains: 32, pairedChains: 8 };
const cost = ({ chains, pairedChains }: typeof now, costs: { base: number; pairs: number }) =>
  chains * costs.base + pairedChains * costs.pairs;

describe('expectedWith()', () => {
  it('lets the noise of each kind of chain fall as its number grows, to a quarter where there are eight times as many', () => {
    const found = agreement(0.2, 0.1);
    expect(expectedWith(found, now, now)).toBeCloseTo(found.all, 12);
    expect(expectedWith(found, now, { chains: 256, pairedChains: 64 })).toBeCloseTo(1 / 1.075, 12);
    expect(expectedWith(found, now, { chains: 256, pairedChains: 8 })).toBeCloseTo(1 / 1.15, 12);
  });
});

describe('chainsToReach()', () => {
  const costs = { base: 10, pairs: 40 };

  it('adds the chains whose error it is', () => {
    // Of a noise of 0.1 beside a signal of 1 there may be 0.0526: 1.9 times less, of 1.9^1.5 times as many chains.
    const more = ((0.1 * 0.95) / 0.05) ** 1.5;
    const onlyBase = chainsToReach(0.95, agreement(0.1, 0), now, costs);
    expect(onlyBase).toEqual({ chains: Math.ceil(32 * more), pairedChains: 8 });
    const onlyPairs = chainsToReach(0.95, agreement(0, 0.1), now, costs);
    expect(onlyPairs).toEqual({ chains: 32, pairedChains: Math.ceil(8 * more) });
  });

  it('is expected to reach the target, at no higher cost than any other numbers would', () => {
    const reached = fc.property(
      fc.double({ min: 0.02, max: 0.3, noNaN: true }),
      fc.double({ min: 0.02, max: 0.3, noNaN: true }),
      fc.double({ min: 0.5, max: 20, noNaN: true }),
      (base, pairs, ratio) => {
        const found = agreement(base, pairs);
        const target = 1 - (1 - found.all) / 2;
        const ownCosts = { base: 10, pairs: 10 * ratio };
        const next = chainsToReach(target, found, now, ownCosts);
        fc.pre(next.chains < 4 * now.chains && next.pairedChains < 4 * now.pairedChains);
        expect(expectedWith(found, now, next)).toBeGreaterThanOrEqual(target - 1e-9);
        for (let chains = 32; chains <= 128; chains++) {
          for (let pairedChains = 8; pairedChains <= 32; pairedChains++) {
            if (expectedWith(found, now, { chains, pairedChains }) < target) continue;
            // Rounding up costs at most one chain of each kind.
            expect(cost(next, ownCosts)).toBeLessThanOrEqual(cost({ chains: chains + 1, pairedChains: pairedChains + 1 }, ownCosts));
          }
        }
      },
    );
    fc.assert(reached, { numRuns: 40 });
  });

  it('never more than quadruples, and always adds a quarter of one kind', () => {
    expect(chainsToReach(0.999, agreement(1, 1), now, costs)).toEqual({ chains: 128, pairedChains: 32 });
    const almost = agreement(0.01, 0.001);
    expect(chainsToReach(almost.all + 1e-6, almost, now, costs)).toEqual({ chains: 40, pairedChains: 8 });
    const almostPaired = agreement(0.0001, 0.05);
    expect(chainsToReach(almostPaired.all + 1e-6, almostPaired, now, costs)).toEqual({ chains: 32, pairedChains: 10 });
  });

  it('adds no pairs for an estimator that has none', () => {
    const next = chainsToReach(0.95, agreement(0.1, 0.05), now, { base: 10, pairs: 0 });
    expect(next.pairedChains).toBe(8);
    expect(next.chains).toBeGreaterThan(32);
  });

  it('takes halves that disagree as all but no signal', () => {
    const next = chainsToReach(0.9, { all: -0.2, base: 0.1 }, now, costs);
    expect(next).toEqual({ chains: 128, pairedChains: 32 });
  });
});

describe('withinLimit()', () => {
  it('goes as far as the limit allows, and not at all beyond it', () => {
    const next = { chains: 64, pairedChains: 16 };
    expect(withinLimit(now, next, 144, 5)).toEqual(next);
    expect(withinLimit(now, next, 108, 5)).toEqual({ chains: 48, pairedChains: 12 });
    expect(withinLimit(now, next, 72, 5)).toEqual(now);
    expect(withinLimit(now, next, 10, 5)).toEqual(now);
  });
});
