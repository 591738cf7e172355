import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { seededStreams } from '../../../shared/random/streams.ts';
import { normal } from '../../../shared/random/ziggurat.ts';
import { attributeRisk } from '../../../shared/risk/attribute/attribute-risk.ts';
import { createEvaluator } from '../../../shared/risk/attribute/evaluator.ts';
import type { ExpectationTerm } from '../../../shared/risk/attribute/expectation.ts';

const CHAINS = 20;

/** Chains whose means scatter around known ones: rows x candidates, the truth's ratio being 1. */
function noisyTerm(logs: readonly number[], rows: number, noise: number, seed: number): ExpectationTerm {
  const random = new RandomStream(seed, 'loss');
  const length = rows * logs.length;
  const means = Array.from({ length: CHAINS }, () =>
    Float64Array.from({ length }, (_, i) => {
      const x = i % logs.length;
      return x === 0 ? 1 : Math.exp(logs[x]!) * (1 + noise * Math.sqrt(CHAINS) * normal(random) * 0.2);
    }),
  );
  return { coefficient: 1, chains: `noisy/${seed}`, means, draws: 100, pool: 'arithmetic' };
}

/** Mean over rows and seeds of the plain largest distance, of what is given, and of its error; and their spread. */
function measure(logs: readonly number[], noise: number) {
  const rows = 40;
  const plain: number[] = [];
  const given: number[] = [];
  const errors: number[] = [];
  for (let seed = 1; seed <= 10; seed++) {
    const terms = [noisyTerm(logs, rows, noise, seed)];
    const request = { terms, candidates: logs.length, streams: seededStreams(seed), slope: 1 };
    const risk = attributeRisk({ ...request, counts: new Array(rows).fill(1) });
    const evaluate = createEvaluator({ terms, streams: seededStreams(seed), candidates: logs.length, slope: 1 });
    for (let row = 0; row < rows; row++) plain.push(evaluate(row).losses[0]!);
    given.push(...risk.privacyLoss);
    errors.push(...risk.privacyLossSe);
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(mean(given.map((value) => (value - mean(given)) ** 2)));
  return { plain: mean(plain), given: mean(given), error: mean(errors), spread };
}

describe('the privacy loss of a row', () => {
  it('is that of its likelihoods where these have no error', () => {
    const means = [Float64Array.of(1, 4, 0.05, 2)];
    const term: ExpectationTerm = { coefficient: 1, chains: 'exact', means, draws: 1, pool: 'arithmetic' };
    const risk = attributeRisk({ terms: [term], counts: [1], candidates: 4, streams: seededStreams(1), slope: 2 });
    expect(risk.privacyLoss[0]).toBeCloseTo(2 * Math.log(20), 12);
    expect(risk.privacyLossSe[0]).toBeCloseTo(0, 12);
  });

  it('is not biased where one candidate is the farthest', () => {
    const { plain, given, error, spread } = measure([0, 1.5, 0.2, -0.4, 0.1], 0.3);
    expect(Math.abs(plain - 1.5)).toBeLessThan(0.02);
    expect(Math.abs(given - 1.5)).toBeLessThan(0.02);
    expect(error / spread).toBeGreaterThan(0.85);
    expect(error / spread).toBeLessThan(1.15);
  });

  it('loses nearly half of its bias where a few candidates are about as far', () => {
    const { plain, given } = measure([0, 1, 0.97, -1], 0.3);
    expect(plain - 1).toBeGreaterThan(0.03);
    expect(Math.abs(given - 1)).toBeLessThan(0.65 * (plain - 1));
  });

  it('loses two fifths of it, and stays on the safe side, where the release tells nothing', () => {
    const { plain, given } = measure(new Array(30).fill(0), 0.3);
    expect(plain).toBeGreaterThan(0.1);
    expect(given / plain).toBeGreaterThan(0.5);
    expect(given / plain).toBeLessThan(0.7);
  });
});
