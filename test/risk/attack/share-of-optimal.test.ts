import { describe, expect, it } from 'vitest';
import type { OptimalTest } from '../../../shared/contracts/results/attack.ts';
import { standardDeviation } from '../../../shared/numeric/spread.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { sharesOfOptimal } from '../../../shared/risk/attack/share-of-optimal.ts';

const optimal = (auc: number | null, aucSe: number | null = null, reason?: string): OptimalTest => ({
  scenario: 'one',
  knows: 'others',
  others: auc === null ? null : 'control',
  auc,
  aucSe,
  ...(reason === undefined ? {} : { reason }),
});

describe('the share of the optimal AUC above one half', () => {
  it('is that of two areas, an element a scenario', () => {
    const [first, second] = sharesOfOptimal({ auc: 0.52, aucSe: 0.01 }, [optimal(0.7, 0.02), optimal(0.52, 0)]);
    // (0.52 - 0.5) / 0.2, and (0.01^2 + 0.1^2 0.02^2)^(1/2) / 0.2.
    expect(first!.share).toBeCloseTo(0.1, 12);
    expect(first!.shareSe).toBeCloseTo(0.0509901951, 9);
    expect(second!.share).toBeCloseTo(1, 12);
    expect(second!.shareSe).toBeCloseTo(0.5, 12);
    expect(sharesOfOptimal({ auc: 0.46, aucSe: 0.01 }, [optimal(0.7, 0.02)])[0]!.share).toBeCloseTo(-0.2, 12);
  });

  it('has the error with which it would differ for other people, and another simulation and release', () => {
    const random = seededStreams(5).open('draws');
    const shares = Array.from({ length: 4000 }, () => {
      const [a, b] = [0.56 + 0.02 * normal(random), 0.7 + 0.015 * normal(random)];
      return sharesOfOptimal({ auc: a, aucSe: 0.02 }, [optimal(b, 0.015)])[0]!.share!;
    });
    const { shareSe } = sharesOfOptimal({ auc: 0.56, aucSe: 0.02 }, [optimal(0.7, 0.015)])[0]!;
    expect(shareSe! / standardDeviation(shares)).toBeGreaterThan(0.95);
    expect(shareSe! / standardDeviation(shares)).toBeLessThan(1.05);
  });

  it.each([
    [optimal(0.51, 0.02), 'not above one half'],
    [optimal(0.5, 0), 'not above one half'],
    [optimal(0.4, 0.01), 'not above one half'],
    [optimal(null, null, 'variables are kept'), 'variables are kept'],
  ])('is null, with the reason, where there is nothing to divide by', (test, reason) => {
    const [found] = sharesOfOptimal({ auc: 0.6, aucSe: 0.01 }, [test]);
    expect(found).toMatchObject({ share: null, shareSe: null, reason: expect.stringContaining(reason) });
  });
});
